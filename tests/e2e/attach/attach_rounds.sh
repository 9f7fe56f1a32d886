#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: attach to and detach from a busy program of 64 threads, again and again (ATTACH_ROUNDS): its answers are right, nothing of Measure's runs in it afterwards, and its memory does not grow
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
rounds=${ATTACH_ROUNDS:-4}
settling=$((rounds / 2)) # rounds after which there is all that later ones use
a_compile busy busy.c

# Whatever is bound later would look as if it had been changed.
export LD_BIND_NOW=1
a_start out ./busy 64
unset LD_BIND_NOW

# state N: what the program says of itself, the N-th time
state()
{
	kill -USR1 "$pid"
	a_until "state $1" grep -q "^state $1 " out
}

# anonymous: KiB of memory that are the program's own
anonymous()
{
	sed -n 's/^RssAnon:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status"
}

# mappings N: how many there were, the N-th time
mappings()
{
	sed -n "s/^state $1 mappings \([0-9]*\) .*/\1/p" out
}

# definitions DIR: how many of each kind that all rounds have in common
definitions()
{
	otf2-print -G "$1/traces.otf2" | awk '
	/^(ATTRIBUTE|COMM|GROUP|INTERRUPT_GENERATOR|IO_HANDLE|IO_PARADIGM|IO_REGULAR_FILE) / { nr[$1]++ }
	END { for (kind in nr) print kind, nr[kind] }' | sort
}

state 1
for round in $(seq "$rounds"); do
	a_attach "run.$round" "$pid" --sample --adapters=+posixio --pthread-groups=+mutex,+cond
	sleep 0.05
	[ "$round" != 1 ] || grep -q libmeasure-posixio "/proc/$pid/maps" || t_fail 'the adapter is not there'
	a_detach "$pid"
	kill -0 "$pid" 2>/dev/null || { t_fail "round $round: the program has ended: $(cat out)"; break; }
	[ -f "run.$round/traces.otf2" ] || { t_fail "round $round: no archive: $(cat "run.$round.err")"; break; }
	t_equal "round $round: timers" 0 "$(grep -c '^ID:' "/proc/$pid/timers")"
	! grep -q 'memfd:measure' "/proc/$pid/maps" || t_fail "round $round: event memory is left"
	[ "$round" != "$settling" ] || { state 2; settled=$(anonymous); }
	[ "$round" -le 2 ] || [ "$round" = "$rounds" ] || rm -rf "run.$((round - 1))"
done
state 3

# Slots: all that led somewhere at first lead there again.
grep -vxFf state.3 state.1 >changed
[ ! -s changed ] || t_fail "$(t_lines changed) slots are not as before: $(head -n 3 changed)"
t_equal 'mappings' "$(mappings 2)" "$(mappings 3)"
# Each thread uses more of its stack for its first sample; after ten rounds, all have had one.
grown=$(($(anonymous) - settled))
most=$((rounds < 20 ? 1024 : rounds - settling))
[ $grown -le $most ] || t_fail "$grown KiB more after round $rounds than after round $settling"
t_equal 'definitions of the last round' "$(definitions run.1)" "$(definitions "run.$rounds")"

t_sound "$work/run.1"
t_sound "$work/run.$rounds"
[ "$(a_visits "run.$rounds" read)" -gt 0 ] || t_fail 'no read() in the last archive'
[ "$(a_visits "run.$rounds" pthread_mutex_lock)" -gt 0 ] || t_fail 'no lock in the last archive'
otf2-print "run.$rounds/traces.otf2" | grep -q CALLING_CONTEXT_SAMPLE || t_fail 'no sample in the last archive'
grep -q 'detached: it went on' "run.$rounds/summary.txt" || t_fail 'the summary does not say that the program went on'

kill -TERM "$pid"
wait "$pid"
t_equal 'exit status of the program' 0 $?
grep -q '^rounds .* wrong 0$' out || t_fail "the program: $(tail -n 1 out)"
echo "$rounds rounds, $grown KiB more, $(sed -n 's/^rounds \([0-9]*\) .*/\1/p' out) rounds of the program"
t_end
