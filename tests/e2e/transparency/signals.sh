#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a signal to measure alone reaches the program once; one to the group is the program's own affair
. "$(dirname "$0")/../lib.sh"

# start NAME NUMBER
start()
{
	setsid "$measure" -o "$work/$1" "$behave" wait "$2" >"$work/$1.out" 2>"$work/$1.err" &
	wrapper=$!
	t_wait 20 grep -q ready "$work/$1.out" || { t_fail "$1: does not start"; t_end; }
}

# finish NAME STATUS
finish()
{
	wait "$wrapper"
	t_equal "$1: status" "$2" $?
	t_equal "$1: handled" 1 "$(grep -c handled "$work/$1.out")"
	t_equal "$1: stderr" '' "$(cat "$work/$1.err")"
	[ -f "$work/$1/traces.otf2" ] || t_fail "$1: no archive"
}

for number in 1 10 12 15; do
	start "alone-$number" $number
	kill -$number "$wrapper"
	finish "alone-$number" $number
	start "group-$number" $number
	kill -$number -- "-$wrapper"
	finish "group-$number" $number
done

# The program decides about an interrupt from the terminal, which goes to the group.
start interrupt 2
kill -INT "$wrapper"
sleep 0.1 # time enough to die of it
kill -0 "$wrapper" || t_fail 'interrupt: measure died of it'
kill -INT -- "-$wrapper"
finish interrupt 2

# Stopped and continued with its group.
start stopped 15
kill -STOP -- "-$wrapper"
t_wait 20 t_state T "$wrapper" "$(pgrep -P "$wrapper" -x behave)" || t_fail 'stopped: it is not'
kill -CONT -- "-$wrapper"
kill -TERM "$wrapper"
finish stopped 15
t_end
