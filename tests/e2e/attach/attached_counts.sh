#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: what is recorded of an attached process, compiled-in hooks, locks and files, is what it counts itself; Ctrl-C detaches; kill -9 of the process leaves an archive
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
a_compile counted counted.c -finstrument-functions

# counts NAME: what the program says
counts()
{
	sed -n "s/^counts .* $1 \([0-9]*\).*/\1/p" out
}

a_start out ./counted 4
a_attach run1 "$pid" --adapters=+posixio --pthread-groups=+mutex --overhead=off
touch GO.0
sleep 0.3
touch STOP.0
a_until 'its counts' grep -q ^counts out
kill -INT "$attached"
wait "$attached"
t_equal 'interrupted: exit status' 0 $?
t_sound "$work/run1"
[ "$(counts locks)" -gt 100 ] || t_fail "it did little: $(cat out)"
t_equal 'functions' "$(counts functions)" "$(a_visits run1 counted_function)"
t_equal 'locks' "$(counts locks)" "$(a_visits run1 pthread_mutex_lock)"
t_equal 'unlocks' "$(counts locks)" "$(a_visits run1 pthread_mutex_unlock)"
t_equal 'reads' "$(counts reads)" "$(a_visits run1 read)"

# Once more, and the program is killed.
a_attach run2 "$pid" --sample=wall:200
sleep 0.3
kill -KILL "$pid"
wait "$attached"
t_equal 'killed: exit status of measure' 0 $?
t_sound "$work/run2"
grep -q 'killed by signal 9' run2/summary.txt || grep -q 'exit status unknown' run2/summary.txt || t_fail "killed: $(grep -A 1 'How it ended' run2/summary.txt)"

# Its only thread sleeps on, in a system call that the kernel has restarted.
sleep 60 >sleeper 2>&1 &
pid=$!
a_started="$a_started $pid"
a_until 'to sleep' grep -q '^State:.S' "/proc/$pid/status"
a_attach run3 "$pid"
a_detach "$pid"
kill -0 "$pid" || t_fail 'a program that sleeps has ended'
t_end
