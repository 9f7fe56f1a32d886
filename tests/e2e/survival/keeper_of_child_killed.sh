#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: keepers of a forked child, of a program after exec() and of a spawned one are killed at random moments, and no event is lost
#
#	RELATIVES_KILLS=200 RELATIVES_SEED=1 tests/e2e/survival/keeper_of_child_killed.sh
. "$(dirname "$0")/../lib.sh"
kills=${RELATIVES_KILLS:-9}
RANDOM=${RELATIVES_SEED:-$$}
committed=$t_build/tests/e2e/programs/compare_counts
length=900 # of a run, in ms
cd "$work" || exit 1
${CC:-cc} -g -O1 -finstrument-functions -o relatives "$t_programs/counting_relatives.c" 2>/dev/null || t_skip 'no compiler'
${CC:-cc} -O1 -shared -fPIC -o die.so "$t_programs/die_at_call.c" -ldl 2>/dev/null || t_skip 'no compiler'

# judge NAME: it ran as ever, all four are there, and have all that they counted
judge()
{
	t_equal "$1: output" 'child 3,child 3' "$(paste -sd, out)"
	t_wait 20 test ! -e run/.parts
	"$MEASURE_CHECK" run >words 2>&1 || t_fail "$1: not sound: $(cat words)"
	t_equal "$1: processes" 4 "$(otf2-print -G run/traces.otf2 2>/dev/null | grep -c '^LOCATION_GROUP  ')"
	"$committed" run/traces.otf2 step counts.0 counts.1 counts.2 counts.3 >lost 2>&1 && grep -q 'lost 0$' lost ||
		t_fail "$1: $(cat lost err; find run | head -n 30)"
	counted=$((counted + $(sed 's/counted \([0-9]*\).*/\1/' lost)))
}

# One of the keepers that there are just now; all are in the session of the first guard.
kill_one()
{
	keepers=($(pgrep -s "$session" -x measure-keeper)) && kill -9 "${keepers[RANDOM % ${#keepers[@]}]}" 2>/dev/null &&
		killed=$((killed + 1))
}

killed=0 replaced=0 runs=0 counted=0
while [ $killed -lt "$kills" ]; do
	rm -rf run counts.*
	runs=$((runs + 1))
	setsid "$measure" --chunk 256K --children=follow -o "$work/run" ./relatives 300 counts >out 2>err &
	wrapper=$!
	t_wait 30 test -e counts.0
	session=$(t_guard $wrapper)
	for _ in 1 2 3; do
		sleep "0.$(printf %03d $((RANDOM % (length / 2))))"
		kill_one
	done
	wait $wrapper
	t_equal "run $runs: status" 5 $?
	replaced=$((replaced + $(grep -c 'keeper of .* died: started another' err)))
	judge "run $runs"
done
echo "$killed keepers killed in $runs runs, $replaced replaced; $counted calls counted, all found"

# At calls of the system that they make: all of them with DIE_STEP=1, else some, others each time.
step=${DIE_STEP:-41}
at=$((1 + RANDOM % step))
while :; do
	rm -rf run counts.* died
	LD_PRELOAD="$work/die.so" DIE_AT=$at DIE_MARK="$work/died" \
		"$measure" --chunk 256K --children=follow -o "$work/run" ./relatives 20 counts >out 2>err
	t_equal "call $at: status" 5 $?
	[ -e died ] || break
	judge "call $at"
	at=$((at + step))
done

# So do guards of children before they have a keeper: all of them are followed for all that.
for call in 4 9 15 21; do
	rm -rf run counts.* died
	LD_PRELOAD="$work/die.so" DIE_WHO=guard DIE_AT=$call DIE_MARK="$work/died" \
		"$measure" --chunk 256K --children=follow -o "$work/run" ./relatives 20 counts >out 2>err
	t_equal "guard, call $call: status" 5 $?
	[ -e died ] || t_fail "guard, call $call: nobody has died"
	judge "guard, call $call"
done

t_wait 30 eval '[ -z "$(pgrep -f "$work/")" ]' || t_fail "still there: $(pgrep -a -f "$work/")" # who is late has died late
[ "$at" -gt 50 ] || t_fail "no more than $at calls"
echo "calls: $at"
t_end
