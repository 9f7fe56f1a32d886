#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a keeper that dies is replaced, whatever it was at, and no event is lost; at most three times
. "$(dirname "$0")/../lib.sh"
repair=$t_build/measure-repair
committed=$t_build/tests/e2e/programs/compare_counts
cd "$work" || exit 1
${CC:-cc} -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>/dev/null || t_skip 'no compiler'
${CC:-cc} -O1 -shared -fPIC -o disk.so "$t_programs/faulty_disk.c" -ldl || t_skip 'no compiler'

# start [VARIABLE=VALUE]... -- [OPTION]...: a program of two threads that goes on; $wrapper, $program
start()
{
	disk=()
	while [ "$1" != -- ]; do
		disk+=("$1")
		shift
	done
	rm -rf run counts out
	setsid env "${disk[@]}" "$measure" --chunk 256K -o run "${@:2}" ./faults long counts >out 2>err &
	wrapper=$!
	t_wait 20 grep -q ready out || { t_fail "does not start: $(cat err)"; t_end; }
	program=$(pgrep -P "$wrapper" -x faults)
}

# A new one has its name only after its guard has told of it.
is_named()
{
	keeper=$(t_keeper "$wrapper")
	[ -n "$keeper" ]
}

find_keeper()
{
	t_wait 20 is_named || t_fail 'there is no keeper'
}

# kill_keeper NUMBER: and wait for what measure says of it
kill_keeper()
{
	find_keeper
	kill -9 "$keeper"
	t_wait 30 grep -q "died.*($1 of 3)" err || t_fail "nobody takes the place of keeper $1: $(cat err)"
}

# Both threads have gone on counting.
counts()
{
	od -A n -t u8 -N 16 -w16 counts
}

stands_still()
{
	before=$(counts)
	sleep 0.3 # several times as long as its pauses
	[ "$(counts)" = "$before" ]
}

goes_on()
{
	before=$(counts)
	t_wait 30 eval '[ "$(counts)" != "$before" ]' || t_fail "$1: the program stands still"
}

# judge NAME KEEPERS [STATUS]: ends the program; all is there that it counted
judge()
{
	kill -TERM "$program" 2>/dev/null
	wait "$wrapper" 2>/dev/null
	t_equal "$1: status" "${3-143}" $?
	t_equal "$1: lines on stderr" "$2" "$(t_lines err)"
	"$MEASURE_CHECK" run >words 2>&1 || t_fail "$1: not sound: $(cat words)"
	grep -q "^  $2 times\? the keeper of a process died" run/summary.txt || t_fail "$1: the summary does not say so"
	"$committed" run/traces.otf2 step counts >lost 2>&1 || t_fail "$1: $(cat lost)"
	grep -q 'lost 0$' lost || t_fail "$1: $(cat lost)"
	echo "$1: $(cat lost)"
}

# Three times, with a filter of which modules are judged by one or another.
start -- --exclude 'nothing*'
kill_keeper 1
kill_keeper 2
goes_on three
kill_keeper 3
goes_on three
judge three 3
t_sound run

# ... and no more: that is as without a keeper, and said at once.
start -- -b 1M
kill_keeper 1
kill_keeper 2
kill_keeper 3
find_keeper
kill -9 "$keeper"
t_wait 30 grep -q '4 keepers of this process have died' err || t_fail "four: stderr: '$(cat err)'"
goes_on four
kill -TERM "$program"
wait "$wrapper" 2>/dev/null
t_equal 'four: status' 143 $?
grep -q "run measure-repair" err || t_fail "four: stderr: '$(cat err)'"
"$repair" -q run
t_equal 'four: measure-repair' 1 $?
"$MEASURE_CHECK" run >words 2>&1 || t_fail "four: not sound: $(cat words)"

# Threads wait for memory, patient for one second, and for longer than that there is no keeper, as its guard is stopped.
start -- -b 512K --patience=1
find_keeper
kill -STOP "$(t_guard "$wrapper")"
kill -9 "$keeper"
t_wait 2 stands_still || t_fail 'waiting: it does not wait' # several times as long, by its pauses
sleep 1.5 # longer than its patience
kill -CONT "$(t_guard "$wrapper")"
t_wait 30 grep -q '(1 of 3)' err || t_fail 'waiting: nobody takes its place'
goes_on waiting
judge waiting 1
grep -q '[0-9]* times\? recording waited' run/summary.txt || t_fail "waiting: $(cat run/summary.txt)"

# In the middle of a chunk, and at the end, with the last chunks not yet written.
: >trouble
start LD_PRELOAD="$work/disk.so" DISK_HANGS="$work/trouble" --
find_keeper
kill -TERM "$program"
t_wait 20 t_gone "$program" || t_fail 'end: the program is not over'
kill -9 "$keeper"
t_wait 30 grep -q '(1 of 3)' err || t_fail 'end: nobody takes its place'
rm trouble
judge end 1

# At each of its calls of the system, from its first one until the archive is there: all of them with DIE_STEP=1, else
# some, others each time.
${CC:-cc} -O1 -shared -fPIC -o die.so "$t_programs/die_at_call.c" -ldl 2>/dev/null || t_skip 'no compiler'
step=${DIE_STEP:-9}
at=$((1 + $$ % step))
while :; do
	rm -rf run counts died
	LD_PRELOAD="$work/die.so" DIE_AT=$at DIE_MARK="$work/died" "$measure" --chunk 256K -o run ./faults exit counts >out 2>err
	t_equal "call $at: status" 3 $?
	[ -e died ] || break
	[ "$(t_lines err)" -le 1 ] && [ -f run/traces.otf2 ] && [ ! -e run/.parts ] ||
		t_fail "call $at: $(cat err; find run | head -n 20)"
	"$MEASURE_CHECK" run >words 2>&1 || t_fail "call $at: not sound: $(cat words)"
	"$committed" run/traces.otf2 step counts >lost 2>&1 && grep -q 'lost 0$' lost || t_fail "call $at: $(cat lost)"
	at=$((at + step))
done
[ "$at" -gt 50 ] || t_fail "no more than $at calls"
echo "calls: $at"
t_end
