#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: what a program says by NVTX and ROCTX is in a sound archive, as often as it says itself, with threads and
# children; another tool is left alone
. "$(dirname "$0")/../lib.sh"
. "$t_tests/adapter/counts.sh"
unset NVTX_INJECTION64_PATH
host=$t_build/tests/adapter/ranges/nvtx_host
cd "$work" || exit 1

# run NAME OPTION...: the program's output is that without measure
run()
{
	"$measure" -o "$1" "${@:2}" "$host" >"$1.out" 2>"$1.err" || t_fail "$1: ends with $?: $(cat "$1.out" "$1.err")"
	cmp -s plain "$1.out" || t_fail "$1: another output"
	t_sound "$work/$1"
	otf2-print "$1/traces.otf2" >"$1.events"
}

# values NAME TYPE: payloads of an attribute, each once
values()
{
	sed -n "s/.*(\"$1\" <[0-9]*>; $2; \([^)]*\)).*/\1/p" all.events | sort -u | tail -n 2 | tr '\n' ' '
}

command -v otf2-print >/dev/null || t_skip 'otf2-print is not installed'
"$host" >plain || t_fail "ends with $? by itself"
run all
sed '/^child/s/[0-9]*$/0/; s/^child //' plain >all.counts
compare_counts all.counts all.events || t_fail 'counts'
run followed --children=follow
sed 's/^child //' plain >followed.counts
compare_counts followed.counts followed.events || t_fail 'followed: counts'

# What the counts do not show.
t_equal 'categories' '500 500' "$(grep -c '("range.category" <[0-9]*>; STRING; "seven"' all.events) $(grep -c '("range.category" <[0-9]*>; STRING; "8"' all.events)"
t_equal 'unsigned payloads' '18446744073709551615 4294967295 ' "$(sed -n 's/.*("range.payload" <[0-9]*>; UINT64; \([^)]*\)).*/\1/p' all.events | sort -n -r | head -n 2 | tr '\n' ' ')"
t_equal 'signed payloads' '-1 ' "$(values range.payload.int INT64)"
t_equal 'floating payloads' '-1 ' "$(values range.payload.double DOUBLE)"
t_equal 'wide name' 1 "$(grep -c '^ENTER .*"wäde"' all.events)"
t_equal 'starts and stops' "$(grep -c '"range.start"' all.events)" "$(grep -c '"range.stop"' all.events)"
t_equal 'numbers' '' "$(sed -n 's/.*"range.start" <[0-9]*>, Value: //p' all.events | sort | uniq -d)"
# begun by the first thread, ended by another one
number=$(grep -B 1 '"handed-over"' all.events | sed -n 's/.*"range.start" <[0-9]*>, Value: //p')
t_equal 'handed over: threads' different "$(awk -v number="$number" '/"range.st/ && $NF == number { print $2 }' all.events |
	sort -u | wc -l | sed 's/^2$/different/')"
otf2-print --show-global-defs all/traces.otf2 | grep -q '^LOCATION .*"named by NVTX"' || t_fail 'threads: no name'
[ -s all/traces.marker ] || t_fail 'no markers'
grep -q '^    pop of a range without a push' all/summary.txt || t_fail 'pops: no name'

run filtered --exclude 'one:*'
t_equal 'filtered: domain' 0 "$(grep -c '^ENTER .*"one:' filtered.events)"
run excluded --adapters=-ranges
t_equal 'excluded: events' 2 "$(grep -c -E '^[A-Z_]+ +[0-9]' excluded.events)"
MEASURE_QUIET=no
export NVTX_INJECTION64_PATH=/nowhere/tool.so
run rival
t_equal 'rival: events' 2 "$(grep -c -E '^[A-Z_]+ +[0-9]' rival.events)"
grep -v -E '^measure: (recorded |next: |only program )' rival.err >words
t_equal 'rival: words' 'measure: adapter ranges: NVTX_INJECTION64_PATH is set: unset it: leaving the program its own tool' "$(cat words)"
unset NVTX_INJECTION64_PATH
MEASURE_QUIET=yes

# The program, and what it starts, see the environment as it was.
same=$("$measure" -o environment sh -c 'env; env | grep -c -E "NVTX|KOKKOS"' | tail -n 1)
t_equal 'environment' 0 "$same"
t_end
