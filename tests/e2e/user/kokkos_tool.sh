#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program that treats its tool as Kokkos does has what it says in a sound archive, whichever version it
# is of, with threads and children; another tool, and other arguments, are left alone
. "$(dirname "$0")/../lib.sh"
. "$t_tests/adapter/counts.sh"
unset KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY
host=$t_build/tests/adapter/kokkos/tool_host
cd "$work" || exit 1

# run NAME PROGRAM OPTION...: the program's output is that without measure
run()
{
	"$2" "${arguments[@]}" >plain || t_fail "$1: ends with $? by itself"
	"$measure" -o "$1" "${@:3}" "$2" "${arguments[@]}" >"$1.out" 2>"$1.err" || t_fail "$1: ends with $?: $(cat "$1.err")"
	cmp -s plain "$1.out" || t_fail "$1: another output"
	t_sound "$work/$1"
	otf2-print "$1/traces.otf2" >"$1.events"
}

# counted NAME
counted()
{
	compare_counts "$1.counts" "$1.events" || t_fail "$1: counts"
}

arguments=()
command -v otf2-print >/dev/null || t_skip 'otf2-print is not installed'
run new "$host"
sed '/^child/s/[0-9]*$/0/; s/^child //' plain >new.counts
counted new
run followed "$host" --children=follow
sed 's/^child //' plain >followed.counts
counted followed
run old "${host}_36"
sed '/^child/s/[0-9]*$/0/; s/^child //' plain >old.counts
counted old

# What the counts do not show.
t_equal 'device: attribute' 21 "$(grep -c '("Kokkos device" <[0-9]*>; UINT64; 3)' new.events)"
t_equal 'copies: bytes' 55000 "$(sed -n 's/.*("TRANSFER_SIZE" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' new.events |
	awk '{ sum += $1 } END { print sum }')"
t_equal 'copies: spaces' 10 "$(grep -c '("DESTINATION_SPACE" <[0-9]*>; STRING; "Cuda".*("SOURCE_SPACE" <[0-9]*>; STRING; "Host"' new.events)"
t_equal 'memory: most' 10000 "$(sed -n 's/.*"Kokkos memory \[Cuda\]" <[0-9]*>; UINT64; \([0-9]*\)).*/\1/p' new.events | sort -n | tail -n 1)"
t_equal 'sections: starts and stops' '11 11' "$(grep -c '"range.start"' new.events) $(grep -c '"range.stop"' new.events)"
[ -s new/traces.marker ] || t_fail 'no marker of the event'
grep -q '^  7 exits of functions that were not entered were dropped' new/summary.txt || t_fail "pops: $(cat new/summary.txt)"
grep -q '^    Kokkos: pop without a push' new/summary.txt || t_fail 'pops: no name'
grep -q '^    never-popped' new/summary.txt || t_fail 'pushes: no name'
otf2-print --show-global-defs new/traces.otf2 | grep -q '^PARADIGM .*KOKKOS' || t_fail 'the paradigm is not defined'

# Left out by name.
run filtered "$host" --exclude 'kernel*' --exclude paradigm=kokkos\ role=loop\ of-thread*
t_equal 'filtered: kernels' '0 0' "$(grep -c '^ENTER .*"kernel ' filtered.events) $(grep -c '^ENTER .*"of-thread ' filtered.events)"

# untouched NAME: nothing of Kokkos is in the archive
untouched()
{
	t_equal "$1: events" 2 "$(grep -c -E '^[A-Z_]+ +[0-9]' "$1.events")"
}

run excluded "$host" --adapters=-kokkos
untouched excluded
arguments=(--kokkos-tools-libs=mine.so)
run argument "$host"
untouched argument
arguments=()
for variable in KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY; do
	MEASURE_QUIET=no
	export "$variable="
	run "$variable" "$host"
	untouched "$variable"
	grep -v -E '^measure: (recorded |next: |only program )' "$variable.err" >words
	t_equal "$variable: words" "measure: adapter kokkos: $variable is set: unset it: leaving the program its own tool" "$(cat words)"
	MEASURE_QUIET=yes
	run "$variable.quiet" "$host"
	t_equal "$variable: quiet" '' "$(cat "$variable.quiet.err")"
	"$measure" --strict -o strict "$host" >words 2>&1 && t_fail "$variable, strict: starts"
	t_equal "$variable, strict: words" "measure: adapter kokkos: $variable is set: unset it: not starting the program" "$(cat words)"
	unset "$variable"
done
[ "$(find . -name '*.events' | wc -l)" -ge 10 ] || t_fail 'runs are missing'
t_end
