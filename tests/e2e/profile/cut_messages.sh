#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: with --keep, the k-th send of a lane that is in the archive is that of the k-th receive, and so with collectives, wherever each rank's events begin
#
#	SEEDS="1 2 3" tests/e2e/profile/cut_messages.sh
#
# Each message tells by its length which one it is. The last rank lags behind the first one, so that events of one lane
# are dropped on one side long before the other one.
. "$(dirname "$0")/../lib.sh"
t_need_mpirun
command -v python3 >/dev/null || t_skip 'no python3'
cd "$work" || exit 1
mpicc -g -O1 -finstrument-functions -o messages "$t_here/cut_messages.c" -lpthread 2>words || t_skip 'mpicc does not work'

# property NAME: of the archive
property()
{
	otf2-print -A run/traces.otf2 | sed -n "/MEASURE::$1\$/{n;s/.* //p}"
}

# judge WHAT [cut]
judge()
{
	[ -e run/traces.otf2 ] || { t_fail "$1: no archive: $(cat err)"; return; }
	otf2-print --silent -Werror run/traces.otf2 >output 2>words && [ ! -s words ] || t_fail "$1: otf2-print: $(head -n 5 words)"
	"$MEASURE_CHECK" run >words 2>&1
	broken=$(sed -n 's/^  ERROR *\([a-z.]*\):.*/\1/p; s/^  warning *\(message.length\):.*/\1/p' words)
	[ -z "$broken" ] || t_fail "$1: $broken: $(head -n 60 words)"
	otf2-print run/traces.otf2 | python3 "$t_here/cut_messages.py" ${2-} >words || t_fail "$1: $(cat words)"
	t_equal "$1: events" "$(property EVENTS)" "$(otf2-print run/traces.otf2 | grep -Ec '^[A-Z_]+ +[0-9]+ +[0-9]+ ')"
	t_equal "$1: bytes" "$(property EVENT_BYTES)" "$(cat run/traces/*.evt | wc -c)"
	[ "$(property EVENTS)" -lt "$(property EVENTS_RECORDED)" ] || t_fail "$1: nothing was dropped"
	t_equal "$1: aligned" 1 "$(property ALIGNED_AT_CUT)"
	echo "$1: $(tail -n 1 words), $(property REMOVED_AT_CUT) events removed"
}

# start KEEP ARGUMENT...
start()
{
	keep=$1
	shift
	rm -rf run
	mpirun -n 4 "$measure" -q --keep="$keep" --chunk 256K -b 8M --flush-interval 0.1 -o "$work/run" "$work/messages" "$@" >out 2>err
}

removed=0
for seed in ${SEEDS:-1 2}; do
	for keep in 300K 1M 0.02s; do
		start $keep "$seed" 3000 $((seed % 7 * 300)) || t_fail "$seed, $keep: exit status $?: $(cat err)"
		judge "seed $seed, $keep"
		number=$(property REMOVED_AT_CUT)
		removed=$((removed + ${number:-0}))
	done
	start 600K "$seed" 2500 200 more || t_fail "$seed, more: exit status $?: $(cat err)"
	judge "seed $seed, threads"
done
[ $removed -gt 1000 ] || t_fail "nothing had to be removed: $removed"

# Everything is kept: nothing is removed.
start 1G 1 200 10
t_equal 'all: removed' '' "$(property REMOVED_AT_CUT)"
[ -z "$(property REMOVED_AT_CUT)" ] && otf2-print run/traces.otf2 | python3 "$t_here/cut_messages.py" >words || t_fail "all: $(cat words)"

# members NAME: processes of ours by their names, as process ids
members()
{
	for pid in $(pgrep -f "$work/"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$1" ] || echo "$pid"
	done
}

has_dropped()
{
	[ "$(find run/.parts -name '*.fold' | wc -l)" = 4 ]
}

# Killed, and killed with all keepers and repaired. Readers do not count requests that are never complete: orderly.
for victims in messages 'messages measure-keeper measure-guard measure'; do
	start 600K 3 1000000 1000 orderly &
	t_wait 30 has_dropped || t_fail "$victims: drops nothing: $(cat err)"
	sleep 0.3
	# shellcheck disable=SC2046
	kill -9 $(for victim in $victims; do members "$victim"; done) 2>/dev/null
	wait $!
	[ "$victims" = messages ] || "$t_build/measure-repair" -q run >words 2>&1 || [ $? = 1 ] || t_fail "measure-repair: $(cat words)"
	t_wait 30 test ! -e run/.parts || t_fail "$victims: .parts is left over"
	judge "killed: $victims" cut
done
t_end
