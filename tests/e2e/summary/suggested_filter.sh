#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: suggested.filter is enough in one round, keeps the rules of its run, and what rules do not fit is named
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# Functions f1 to f24 are called 12,000 to 500 times each: more than ten of them, and shares that grow when others go.
{
	echo 'static volatile int sink;'
	for i in $(seq 24); do
		echo "__attribute__((noinline)) void f$i(int n) { sink += n; }"
	done
	echo '__attribute__((noinline)) void once(int n) { sink += n; }'
	echo '__attribute__((noinline)) void seldom(int n) { sink += n; }'
	# this one is short only when what it calls is not recorded
	echo '__attribute__((noinline)) void outer(int n) { for (int i = 0; i < 60; i++) f1(n); }'
	echo 'int main(void) { once(1); for (int i = 0; i < 5000; i++) outer(i); for (int i = 0; i < 20; i++) seldom(i);'
	for i in $(seq 24); do
		echo "for (int i = 0; i < 12000 / $i; i++) f$i(i);"
	done
	echo 'return 0; }'
} >work.c
${CC:-cc} -O1 -g -finstrument-functions -o work work.c || t_skip 'no compiler'

# entered DIRECTORY NAME: how often
entered()
{
	otf2-print "$1/traces.otf2" | grep -c -E "^ENTER .*\"$2\""
}

"$measure" --overhead=off -o first ./work
t_equal 'suggested' 25 "$(grep -c EXCLUDE first/suggested.filter)"
! grep -q -E 'once|seldom|main' first/suggested.filter || t_fail "called once: $(cat first/suggested.filter)"
grep -q '^  suggested.filter excludes 25 functions' first/summary.txt || t_fail "summary: $(grep leaves first/summary.txt)"
option=$(sed -n 's/^  measure \(--filter=.*\)/\1/p' first/summary.txt)
t_equal 'option' '--filter=first/suggested.filter' "$option"
"$measure" --overhead=off "$option" -o second ./work
[ ! -e second/suggested.filter ] || t_fail "a second round: $(cat second/suggested.filter)"
t_equal 'left' '0 1 20 1' "$(entered second 'f[0-9]*') $(entered second once) $(entered second seldom) $(entered second main)"
t_sound "$work/second"

# Several files count in their order, also of both languages; the last one that fits holds.
echo 'exclude f*' >none
echo 'include f7 f8' >some
printf '%s\n' SCOREP_REGION_NAMES_BEGIN 'EXCLUDE f8' SCOREP_REGION_NAMES_END >scorep
"$measure" --overhead=off -f none -f some -f scorep -o files ./work
t_equal 'files' '0 1714 0 0' "$(entered files f6) $(entered files f7) $(entered files f8) $(entered files f9)"
MEASURE_FILTER='some; none' "$measure" --overhead=off -o variable ./work
t_equal 'variable' 0 "$(entered variable 'f[0-9]*')"

# The rules of the run are in what it suggests.
"$measure" --overhead=off -f none -f some --exclude seldom -o rules ./work
t_equal 'rules: suggested' 3 "$(grep -c EXCLUDE rules/suggested.filter)"
"$measure" --overhead=off --filter=rules/suggested.filter -o after ./work
t_equal 'rules: left' '0 1 0 1' "$(entered after 'f[0-9]*') $(entered after once) $(entered after seldom) $(entered after main)"
[ ! -e after/suggested.filter ] || t_fail "rules: a second round: $(cat after/suggested.filter)"

# What fits nothing is named, and nothing else.
printf '%s\n' 'exclude f1 nowhere' 'exclude name=seldon* file=work.c' 'include file=*/other/*' 'exclude f2*' >wrong
"$measure" --overhead=off -f wrong --exclude 'absent' -o wrong.run ./work
t_equal 'unmatched' '*/other/* absent nowhere seldon*' \
	"$(sed -n '/^unmatched/,/^[^ ]/p' wrong.run/summary.txt | grep '^ ' | awk '{ print $1 }' | sort | tr '\n' ' ' | sed 's/ $//')"
! grep -q '^unmatched' rules/summary.txt || t_fail "unmatched: $(grep -A5 '^unmatched' rules/summary.txt)"

# All mistakes of all files at once.
printf '%s\n' 'exlude a' 'exclude paradigm=mip' 'exclude b' >mistakes
printf '%s\n' 'exclude depth=x' >more
"$measure" -f mistakes -f more -o mistaken true >out 2>err
for place in mistakes:1:1 mistakes:2:9 more:1:9; do
	t_equal "mistakes: $place" 1 "$(grep -c "^measure: $place: " err)"
done
t_equal 'mistakes: lines' 3 "$(t_lines err)"
t_end
