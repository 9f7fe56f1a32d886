#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-top tells where a program spends its time while it runs, changes nothing in its run directory, and says in one line when there is nothing to look at
. "$(dirname "$0")/../lib.sh"
top=$t_build/measure-top
cd "$work" || exit 1
${CC:-cc} -g -O1 -finstrument-functions -finstrument-functions-exclude-function-list=spend -o share "$t_here/share.c" 2>/dev/null ||
	t_skip 'no compiler'
"$measure" --overhead=off -o run ./share stop >out 2>err &
wrapper=$!
t_wait 20 grep -q ready out || t_fail 'does not start'
sleep 3 # of these, two are looked at

# share REGION: its share of the time in the last look
share()
{
	awk -v region="$1" '$NF == region && $3 == "compute" { print $1 }' look
}

files()
{
	find run -type f ! -name '*.evt' ! -name '*.events' | sort
}

for turn in 1 2; do
	files >before
	"$top" --once run >look 2>look.err
	t_equal "look $turn: status" 0 $?
	t_equal "look $turn: stderr" '' "$(cat look.err)"
	files | diff before - >/dev/null || t_fail "look $turn: other files in the run directory: $(files | diff before -)"
	grep -q '^run: 1 process, 1 location, last 2.0 s, ' look || t_fail "look $turn: $(head -n 1 look)"
	awk -v most="$(share fourfifths)" -v rest="$(share fifth)" 'BEGIN { exit !(most > 65 && most < 90 && rest > 10 && rest < 35) }' ||
		t_fail "look $turn: shares: $(cat look)"
	t_equal "look $turn: wider than a terminal" '' "$(grep -E '.{81}' look)"
done
# `outer` has been open all the time, and what it does itself is next to nothing.
awk -v outer="$(share outer)" 'BEGIN { exit !(outer < 10) }' || t_fail "outer: $(cat look)"
"$top" --once --interval 1 --top 1 run >look
grep -q ', last 1.0 s, ' look || t_fail "interval: $(head -n 1 look)"
t_equal 'rows of --top 1' 1 "$(grep -c ' compute  ' look)"

# Not on a terminal, looks are printed until the run is over.
timeout 30 "$top" --interval 0.5 run >looks 2>&1 &
looker=$!
t_wait 20 test -s looks
touch stop
wait $wrapper
t_equal 'the program' 0 $?
wait $looker
t_equal 'at the end: status' 0 $?
t_equal 'at the end: words' 'run: the run is over: measure-profile run' "$(tail -n 1 looks)"
t_sound "$work/run"

# What is over, or is no run, and wrong use: one line.
for arguments in run nowhere '' 'run run' '--interval 0 run' '--top many run' '--onec run'; do
	"$top" $arguments >out 2>err
	t_equal "'$arguments': status" 2 $?
	t_equal "'$arguments': lines" '0 1' "$(t_lines out) $(grep -c '^measure-top: ' err)"
done
t_end
