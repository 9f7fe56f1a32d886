#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a function that one process of a job has switched off is left out by another one on the node that calls it seldom
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
export MEASURE_OVERHEAD=20

${CC:-cc} -O1 -g -finstrument-functions -o shared "$t_here/throttle_shared_by_job.c" || t_skip 'no compiler'

# enters DIR FUNCTION: by location
enters()
{
	otf2-print "$1/traces.otf2" | awk -v name="\"$2\"" '$1 == "ENTER" && index($0, name) { nr[$2]++ }
		END { for (location in nr) print nr[location] }' | sort -n | tr '\n' ' '
}

"$measure" --children=follow -o both ./shared 20000000 >out || t_fail "exit status $?"
t_equal 'output' 20000000 "$(cat out)"
t_sound "$work/both"
set -- $(enters both tiny)
# The first call was before it heard of it; the process that switched it off has thousands.
t_equal 'calls of tiny in the quiet process' 1 "$1"
[ "$2" -gt 10000 ] || t_fail "calls of tiny in the other one: $2"
t_equal 'calls of other' '12000 ' "$(enters both other)"
grep -q 'tiny, in 2 processes' both/summary.txt || t_fail "$(cat both/summary.txt)"
! grep 'inserted' both/summary.txt || t_fail 'an exit was inserted'
t_equal 'processes that switched off other functions' 0 "$(grep -c 'other, in' both/summary.txt)"
[ ! -e both/.parts ] || t_fail 'something is left of .parts'

# `off` shares nothing: all is recorded.
"$measure" --overhead=off --children=follow -o all ./shared 100000 >out
t_equal 'all calls of tiny' '1001 100000 ' "$(enters all tiny)"
t_end
