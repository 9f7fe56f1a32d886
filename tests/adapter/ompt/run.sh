#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: runs a program of LLVM's OpenMP library without and with the adapter, against the
# stub of the API and, where `measure` is built, end to end.
set -u
program=$1
name=$(basename "$program" .llvm)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_CANCELLATION=true OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 KMP_WARNINGS=false
unset OMP_NUM_THREADS OMP_DYNAMIC OMP_PROC_BIND OMP_PLACES OMP_THREAD_LIMIT OMP_TOOL OMP_TOOL_LIBRARIES

fail()
{
	echo "$name: $*"
	exit 1
}

[ -e .libs/libmeasure-ompt.so ] || { echo "the ompt adapter is not built"; exit 77; }

against_stub()
{
	MEASURE_STUB_LOG="$work/log" \
		LD_PRELOAD="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-ompt.so" \
		timeout 120 "$program" >"$work/traced" || fail "against the stub: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output with the adapter"
	awk -f "$here/../gomp/check_log.awk" "$work/plain" "$work/log" || fail "against the stub"
}

end_to_end()
{
	timeout 120 ./measure -o "$work/archive" "$program" >"$work/traced" 2>"$work/words" ||
		fail "end to end: ends with $?"
	cmp "$work/plain" "$work/traced" || fail "other output under measure"
	# that it takes long is said on a busy machine
	! grep -v "waiting for the archive to be assembled" "$work/words" || fail "under measure it says something"
	# ViTE leaves out what is narrower than a pixel: most regions of these programs
	sh "$here/../../soundness.sh" --rectangles 1 "$work/archive" || fail "the archive is not sound"
	awk '/^Losses/ { getline; exit $1 != "none" }' "$work/archive/summary.txt" ||
		fail "$(sed -n '/^Losses/,/^$/p' "$work/archive/summary.txt")"
}

timeout 120 "$program" >"$work/plain" || fail "ends with $? by itself"
against_stub
[ ! -x ./measure ] || end_to_end
