#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: annotations and samples go on in forked children that are followed, and in no others
. "$(dirname "$0")/../lib.sh"
t_left_out_under_asan all 'marks of the stacks of other threads are left' && t_skip 'AddressSanitizer'
cd "$work" || exit 1
header=$t_source/lib/api
${CC:-cc} -std=gnu11 -O1 -g -I "$header" -o followed "$t_here/annotated_children.c" -lpthread || t_skip 'no compiler'
nr=10

# run NAME STATUS-OF-A-CHILD OPTION...
run()
{
	"$measure" -o "$1" "${@:3}" ./followed $nr 60 >"$1.out" 2>"$1.err"
	t_equal "$1: status" 0 $?
	t_equal "$1: output" "children: $(($2 * nr))" "$(cat "$1.out")"
	t_wait 30 test ! -e "$1/.parts"
	"$MEASURE_CHECK" "$1" >"$1.check" 2>&1 || t_fail "$1: not sound: $(cat "$1.check" "$1.err")"
	otf2-print "$1/traces.otf2" >"$1.events"
	otf2-print -G "$1/traces.otf2" >"$1.definitions"
}

run children 3 --children=follow --sample 997
t_equal 'processes' $((nr + 1)) "$(grep -c '^LOCATION_GROUP  ' children.definitions)"
rounds=$((3 * nr + 1))
t_equal 'rounds' $rounds "$(grep -c '^ENTER .*"round"' children.events)"
t_equal 'rounds left' $rounds "$(grep -c '^LEAVE .*"round"' children.events)"
t_equal 'names of the moment' $rounds "$(grep -c '^ENTER .*"round [0-9]* of ' children.events)"
t_equal 'parameters' $rounds "$(grep -c '^PARAMETER_INT64 .*"number"' children.events)"
t_equal 'texts' $rounds "$(grep -c '^PARAMETER_STRING .*"what".*"round [0-9]* of ' children.events)"
t_equal 'metrics' $rounds "$(grep -c '^METRIC .*"residual"' children.events)"
t_equal 'switched' $((2 * nr)) "$(grep -c '^MEASUREMENT_ON_OFF' children.events)"
t_equal 'markers' $((4 * nr + 1)) "$(otf2-marker children/traces.otf2 | grep -c '^MARKER .*"done"')"

# Of each child its first thread and the one that it makes are sampled.
grep '^CALLING_CONTEXT_SAMPLE' children.events | awk '{ print $2 }' | sort | uniq -c >sampled
t_equal 'locations with samples' $((2 * nr)) "$(awk '$1 >= 3 && $2 % 4294967296 != 0' sampled | wc -l)"
grep -q 'got no timer' children/summary.txt && t_fail "timers: $(cat children/summary.txt)"

# What they become by exec is sampled as ever; others are not recorded.
run ignored 4 --children=ignore --sample 997
t_equal 'ignored: processes' 1 "$(grep -c '^LOCATION_GROUP  ' ignored.definitions)"
t_equal 'ignored: rounds' 1 "$(grep -c '^ENTER .*"round"' ignored.events)"
t_end
