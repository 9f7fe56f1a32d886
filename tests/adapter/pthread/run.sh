#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: runs a test program without and with the adapter, against the stub of the API and, where
# `measure` is built, end to end; all groups of calls recorded.
set -u
program=$1
name=$(basename "$program" .thr)
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../counts.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "$name: $*"
	exit 1
}

against_stub()
{
	MEASURE_PTHREAD_GROUPS=all MEASURE_STUB_LOG="$work/log" \
		LD_PRELOAD="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-pthread.so" \
		"$program" >"$work/traced" || fail "against the stub: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output with the adapter"
	awk -f "$here/check_log.awk" "$work/plain" "$work/log" || fail "against the stub"
}

# And what the archive holds is what the program says.
end_to_end()
{
	./measure --pthread-groups=all "$@" -o "$work/archive" "$program" >"$work/traced" \
		2>"$work/words" || fail "end to end ($*): ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output under measure ($*)"
	# that it takes long is said on a busy machine
	! grep -v "waiting for the archive to be assembled" "$work/words" || fail "under measure ($*) it says something"
	# ViTE leaves out what is narrower than a pixel: most regions of these programs
	sh "$here/../../soundness.sh" --rectangles 1 "$work/archive" || fail "not sound ($*)"
	! grep 'exits of functions that were not entered' "$work/archive/summary.txt" || fail "lost ($*)"
	command -v otf2-print >/dev/null || return 0
	otf2-print "$work/archive/traces.otf2" >"$work/events"
	compare_counts "$work/plain" "$work/events" || fail "end to end ($*)"
	rm -r "$work/archive"
}

"$program" >"$work/plain" || fail "ends with $? by itself"
against_stub
if [ -x ./measure ]; then
	end_to_end
	end_to_end --thread-locations=own
fi
