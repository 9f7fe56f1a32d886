#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: constructs of OpenACC, as many as the program counts itself by the same interface, on several threads; of
# a run-time library that plays a device also transfers, allocations and launches, with their bytes and places.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
export MEASURE_QUIET=yes MEASURE_OVERHEAD=off

fail()
{
	echo "failed: $*"
	exit 1
}

[ -e .libs/libmeasure-openacc.so ] || { echo "the openacc adapter is not built"; exit 77; }
${CC:-cc} -O2 -g -fopenacc -pthread -o "$work/program" "$here/openacc_program.c" 2>"$work/words" ||
	{ echo "no compiler that has -fopenacc: $(tail -n 1 "$work/words")"; exit 77; }
${CC:-cc} -O2 -g -rdynamic -o "$work/fake" "$here/fake_runtime.c" || fail "fake_runtime.c"

# record PROGRAM OPTIONS...: a sound archive, of which $work/events tells
record()
{
	program=$1
	shift
	rm -rf "$work/run"
	timeout 60 ./measure "$@" -o "$work/run" "$work/$program" >"$work/said" 2>"$work/words" ||
		fail "$program: $(cat "$work/words")"
	[ ! -s "$work/words" ] || fail "$program: $(cat "$work/words")"
	sh "$here/../../soundness.sh" --rectangles 0 "$work/run" >"$work/sound" || fail "$program: $(cat "$work/sound")"
	awk '/^Losses/ { getline; exit $1 != "none" }' "$work/run/summary.txt" ||
		fail "$program: $(sed -n '/^Losses/,/^$/p' "$work/run/summary.txt")"
	otf2-print "$work/run/traces.otf2" >"$work/events"
}

# expect N PATTERN: so many Enters of such regions
expect()
{
	found=$(grep -c "^ENTER.*Region: \"$2\"" "$work/events")
	[ "$found" = "$1" ] || fail "$found times $2, not $1"
}

"$work/program" >"$work/plain" || fail "the program ends with $?"
record program
cmp "$work/plain" "$work/said" || fail "other counts: $(diff "$work/plain" "$work/said")"
count()
{
	sed -n "s/^count $1 //p" "$work/said"
}
expect "$(count compute)" '!$acc \(parallel\|kernels\|serial\)'
expect "$(count update)" '!$acc update'
expect "$(count enter)" '!$acc.*enter data'
expect "$(count exit)" '!$acc.*exit data'
expect "$(count init)" '!$acc.*device initialization'
[ "$(count compute)" -ge 60 ] || fail "the program counts $(count compute) constructs"

# The program does not call OpenACC: it has to be asked for.
record fake -a +openacc
grep -qx 'callbacks there' "$work/said" || fail "nothing is registered: $(cat "$work/said")"
expect 5 '!$acc parallel @heat.c:12'
expect 5 '!$acc parallel: launch @heat.c:12'
expect 5 '!$acc data: upload @heat.c:10'
expect 5 '!$acc data: download @heat.c:14'
expect 5 '!$acc data: allocation'
bytes=$(sed -n 's/.*"OPENACC::BYTES" <[0-9]*>; UINT64; \([0-9]*\).*/\1/p' "$work/events" | awk '{ sum += $1 } END { print sum }')
[ "$bytes" = $((5 * (8192 + 4096 + 1024))) ] || fail "$bytes bytes"
