#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: runs an MPI test program without and with the adapter, against the stub of the
# API (<name>.expected says what it records; MEASURE_UPDATE=1 rewrites it) and, where `measure` is
# built, end to end. The program's source says on how many ranks.
set -u
program=$1
name=$(basename "$program" .mpi)
here=$(cd "$(dirname "$0")" && pwd)
source=$here/$name.c
. "$here/mpirun.sh"

stub=$PWD/.libs/libmeasure-stub.so
adapter=$PWD/.libs/libmeasure-mpi.so
ranks=$(tell Ranks 1)
order=$(tell Order certain)
complete=$(tell Complete yes)

against_stub()
{
	run_mpi "$ranks" env MEASURE_STUB_LOG="$work/%p.log" LD_PRELOAD="$stub $adapter" \
		"$program" >"$work/traced" || fail "against the stub: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output with the adapter"
	awk -v complete="$complete" -f "$here/check_log.awk" "$work"/*.log >"$work/records" ||
		fail "against the stub"
	[ "$order" = certain ] || return 0
	[ "${MEASURE_UPDATE:-0}" = 0 ] || cp "$work/records" "$here/$name.expected"
	diff "$here/$name.expected" "$work/records" || fail "other records than expected"
}

end_to_end()
{
	run_mpi "$ranks" ./measure -q -o "$work/trace" "$program" >"$work/traced" ||
		fail "under measure: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output under measure"
	otf2-print --silent -Werror "$work/trace/traces.otf2" 2>"$work/messages" >"$work/banner" ||
		fail "otf2-print refuses the archive"
	[ ! -s "$work/messages" ] || fail "otf2-print complains: $(cat "$work/messages")"
	[ ! -x ./measure-check ] || [ "$complete" = no ] ||
		./measure-check "$work/trace" >"$work/messages" 2>&1 ||
		fail "measure-check: $(cat "$work/messages")"
}

run_mpi "$ranks" "$program" >"$work/plain" || fail "ends with $?"
against_stub
[ ! -x ./measure ] || end_to_end
exit 0
