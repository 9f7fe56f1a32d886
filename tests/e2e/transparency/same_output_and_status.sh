#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: stdout, stderr and exit status or signal of a program are what they are without measure
. "$(dirname "$0")/../lib.sh"

# run OUTPUT COMMAND...: the shell's word on a signal goes nowhere, the program's own is kept. With
# $until: the output is whole when it has that
run()
{
	output=$1
	shift
	seq 1 1000 | { "$@" >"$output.out" 2>"$output.err"; echo $? >"$output.status"; } 2>/dev/null
	[ -z "${until-}" ] || t_wait 30 grep -q "$until" "$output.out"
}

# same NAME COMMAND...
same()
{
	name=$1
	shift
	run "$work/$name.plain" "$@"
	run "$work/$name.measured" "$measure" -o "$work/$name" "$@"
	for what in out err status; do
		cmp -s "$work/$name.plain.$what" "$work/$name.measured.$what" ||
			t_fail "$name: $what: expected '$(cat "$work/$name.plain.$what")'," \
				"found '$(cat "$work/$name.measured.$what")'"
	done
	t_sound "$work/$name"
}

same stdin "$behave" stdin
for number in 1 2 3 6 9 11 13 14 15; do
	same "signal-$number" "$behave" signal $number
done
for status in 0 1 3 127 255; do
	same "exit-$status" "$behave" exit $status
done
for how in _exit sys-exit fork exec vfork-exec vfork-exit spawn forks constructor; do
	same "$how" "$behave" "$how"
done
until=^child same orphan "$behave" orphan
same shell sh -c 'echo out; echo err >&2; exit 5'
same true true
t_end
