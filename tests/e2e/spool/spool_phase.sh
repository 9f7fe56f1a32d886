#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: with --spool=phase event memory goes to files when the program says so, and when it runs short
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
${CC:-cc} -O1 -g -finstrument-functions -o phases "$t_here/spool_phase.c" -ldl || t_skip 'no compiler'

# KiB of event files
spooled()
{
	cat "$1"/.parts/*/0.evt 2>/dev/null | wc -c
}

# start NAME [OPTION]...: up to the end of the first phase
start()
{
	rm -f one two
	timeout 60 "$measure" -a compiler -o "$1" "${@:2}" ./phases one two >"$1.out" 2>"$1.err" &
	running=$!
	t_wait 20 grep -q first "$1.out" || t_fail "$1: does not come to its first end"
}

# finish NAME: and to the end
finish()
{
	: >two
	wait $running
	t_equal "$1: status" 7 $?
	t_sound "$work/$1"
	t_equal "$1: events" 200000 "$(otf2-print "$1/traces.otf2" | grep -c -E '^(ENTER|LEAVE) ')"
	flushes=$(otf2-print "$1/traces.otf2" | grep -c '^BUFFER_FLUSH')
}

# Four chunks are full by then.
start phase --spool=phase -b 64M
sleep 0.3 # time enough to spool what it should not
t_equal 'phase: spooled in the first phase' 0 "$(spooled phase)"
: >one
t_wait 20 grep -q between phase.out
t_equal 'phase: spooled between' $((4 * 256 * 1024)) "$(spooled phase)"
t_wait 20 grep -q second phase.out
sleep 0.3 # time enough to spool what it should not
t_equal 'phase: spooled in the second phase' $((4 * 256 * 1024)) "$(spooled phase)"
finish phase
t_equal 'phase: BufferFlush' 1 "$flushes"

start short --spool=phase -b 1M
: >one
t_wait 20 grep -q second short.out
[ "$(spooled short)" -gt $((4 * 256 * 1024)) ] || t_fail 'short: memory was short, but not written'
finish short

# In the other modes it is no news.
for mode in full end; do
	start $mode --spool=$mode -b 64M
	: >one
	t_wait 20 grep -q between $mode.out || t_fail "$mode: waits"
	t_equal "$mode: spooled between" 0 "$(spooled $mode)"
	t_wait 20 grep -q second $mode.out
	finish $mode
done
t_end
