#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: between init and finalize, offsets are measured where all ranks meet, whichever way
# they do, as often on each rank, right to within their bounds; not where all read one clock, nor
# when it is not wanted; and the program does not notice.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] || skip "measure is not built"
[ -x ./measure-check ] || skip "measure-check is not built"
command -v otf2-print >/dev/null || skip "no otf2-print"

# Into $work/trace, with these options; definitions and events as text.
record()
{
	rm -rf "$work/trace"
	run_mpi 4 ./measure "$@" -o "$work/trace" tests/adapter/mpi/core/synchronisation_points.mpi 0.5 \
		>"$work/output" 2>&1 || fail "ends with $?: $(cat "$work/output")"
	[ ! -s "$work/output" ] || fail "words: $(cat "$work/output")"
	./measure-check "$work/trace" >"$work/messages" 2>&1
	[ $? -le 1 ] || fail "measure-check: $(cat "$work/messages")"
	! grep ERROR "$work/messages" | grep -v clock.condition || fail "unsound"
	otf2-print -G "$work/trace/traces.otf2" >"$work/definitions"
	otf2-print -C "$work/trace/traces.otf2" >"$work/offsets"
	otf2-print "$work/trace/traces.otf2" >"$work/events"
}

no_region()
{
	! grep -q '"measure clock offsets"' "$work/events" || fail "$*: measured all the same"
}

clocks=simulated:offset=1ms,drift=50ppm

record --clock $clocks --sync-interval 0.01
# Each rank is in the region as often as the others.
awk '
	/^ENTER/ && /"measure clock offsets"/ { nr[$2]++ }
	END {
		for (rank = 0; rank < 4; rank++)
			if (nr[rank] < 3 || nr[rank] != nr[0])
				exit 1
	}' "$work/events" || fail "not the same measurements on all ranks"
awk -v NR_SAMPLES=2 -f "$here/truth.awk" "$work/definitions" "$work/offsets" ||
	fail "offsets beyond their bounds"

record --clock $clocks --sync-interval 0
no_region "--sync-interval 0"
record --sync-interval 10ms
no_region "one clock"

run_mpi 4 ./measure --sync-interval 1x -o "$work/wrong" tests/adapter/mpi/core/synchronisation_points.mpi \
	>"$work/output" 2>&1
grep -q "is not a time (10, 500ms, 1min)" "$work/output" || fail "1x: $(cat "$work/output")"
[ ! -e "$work/wrong" ] || fail "1x: recorded"
