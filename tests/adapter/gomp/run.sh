#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: runs an OpenMP test program without and with the adapter, against the stub of the
# API and, where `measure` is built, end to end; with threads unbound and bound to places.
# EDGES: the library of edges.c, from tests/races.
set -u
program=$1
name=$(basename "$program" .omp)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_CANCELLATION=true OMP_WAIT_POLICY=passive
unset OMP_NUM_THREADS OMP_DYNAMIC OMP_PROC_BIND OMP_PLACES OMP_THREAD_LIMIT

fail()
{
	echo "$name: $*"
	exit 1
}

[ -e .libs/libmeasure-gomp.so ] || { echo "the gomp adapter is not built"; exit 77; }

against_stub()
{
	env "$@" MEASURE_STUB_LOG="$work/log" \
		LD_PRELOAD="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-gomp.so${EDGES:+ $EDGES}" \
		"$program" >"$work/traced" || fail "against the stub ($*): ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output with the adapter ($*)"
	awk -f "$here/check_log.awk" "$work/plain" "$work/log" || fail "against the stub ($*)"
}

end_to_end()
{
	${EDGES:+env LD_PRELOAD="$EDGES"} ./measure -o "$work/archive" "$program" >"$work/traced" \
		2>"$work/words" || fail "end to end: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output under measure"
	# that it takes long is said on a busy machine
	! grep -v "waiting for the archive to be assembled" "$work/words" || fail "under measure it says something"
	# ViTE leaves out what is narrower than a pixel: most regions of these programs
	sh "$here/../../soundness.sh" --rectangles 1 "$work/archive" || fail "the archive is not sound"
}

TSAN_OPTIONS="${TSAN_OPTIONS:-}:report_bugs=0" "$program" >"$work/plain" ||
	fail "ends with $? by itself"
against_stub OMP_PROC_BIND=false
against_stub OMP_PROC_BIND=close OMP_PLACES=cores
[ ! -x ./measure ] || end_to_end
