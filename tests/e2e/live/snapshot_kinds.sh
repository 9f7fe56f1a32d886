#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: archives of a run that goes on, of traces, profiles and the last stretch: by measure-repair --live, measure_snapshot(), a signal and --snapshot-if; on threads and ranks
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
repair=$t_build/measure-repair
compile()
{
	"$@" -g -O1 -finstrument-functions -I "$t_source/lib/api" "$t_here/snapshots.c" -lpthread 2>/dev/null
}
compile "${CC:-cc}" -o snapshots || t_skip 'no compiler'

# visits DIR: of `leaf`, by its profile
visits()
{
	"$t_build/measure-profile" --format=csv "$1" 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "visits") v = i; else if ($i == "region") r = i } $r ~ /^"?leaf"?$/ { print $v }'
}

# snapshot WHAT DIR: a sound archive of a run that went on
snapshot()
{
	t_sound "$work/$2"
	"$MEASURE_CHECK" "$2" >look || t_fail "$1: $(cat look)"
	grep -q '^  cut     running: still running' look || t_fail "$1: measure-check does not tell that it went on: $(cat look)"
}

# snapshots WHAT DIR NUMBER: so many and no more
snapshots()
{
	t_equal "$1: snapshots" "$3" "$(ls "$2" | grep -c '^snapshot-')"
	for i in $(seq "$3"); do
		snapshot "$1, $i" "$2/snapshot-$i"
	done
}

# start ARGUMENTS...: of measure; in the background
start()
{
	rm -rf run stop out err
	"$measure" -o run "$@" >out 2>err &
	wrapper=$!
}

# finish WHAT: the program ends well
finish()
{
	touch stop
	wait $wrapper
	t_equal "$1: the program" 0 $?
}

# By hand, several times; what comes later is more.
for option in --keep=all --keep=300ms --keep=768K --profile; do
	rm -rf first second
	start $option ./snapshots 3 0 until=stop
	t_wait 20 grep -q 'step 60' out || t_fail "$option: does not start"
	"$repair" --live -q -o first run || t_fail "$option: first: status $?"
	"$repair" --live -q -o second run || t_fail "$option: second: status $?"
	finish "$option"
	snapshot "$option: first" first
	snapshot "$option: second" second
	t_sound "$work/run"
	first=$(visits first) second=$(visits second) all=$(visits run)
	[ "${first:-0}" -gt 3000 ] && [ "$first" -lt "${second:-0}" ] && [ "$second" -lt "${all:-0}" ] ||
		t_fail "$option: the profiles do not grow: '$first' '$second' '$all'"
	case $option in
	*all) t_equal "$option: another profile than that of all" '' "$(ls first | grep profile.json)" ;;
	*) [ "$(t_nr_events first)" -lt $((2 * first)) ] || t_fail "$option: all events are kept: $(t_nr_events first) of $first calls" ;;
	esac
	case $option in
	--keep=300ms | --keep=768K) [ "$(t_nr_events first)" -gt 1000 ] || t_fail "$option: no events are kept: $(t_nr_events first)" ;;
	esac
done

# By the program. Of four calls with one another, one waits; a snapshot is there when it is said.
for option in --keep=all --keep=300ms --profile; do
	MEASURE_QUIET=no start $option ./snapshots 2 0 ask=20 until=stop
	t_wait 30 grep -q 'run/snapshot-1/traces.otf2: snapshot of the run so far' err || t_fail "measure_snapshot() $option: $(cat err)"
	snapshot "measure_snapshot() $option" run/snapshot-1
	finish "measure_snapshot() $option"
	snapshots "measure_snapshot() $option" run 1
	t_sound "$work/run"
done
start ./snapshots 2 0 ask=20 ask=21 ask=22 ask=23 until=stop
t_wait 30 grep -q 'step 24' out
t_wait 30 test -e run/snapshot-1/summary.txt
sleep 2
finish 'four calls'
number=$(ls run | grep -c '^snapshot-')
[ "$number" -ge 2 ] && [ "$number" -le 4 ] || t_fail "four calls: $number snapshots"
t_equal 'with -q' '' "$(cat err)"

# By a signal: the program does not get it, but others.
start --snapshot-signal=SIGUSR2 --profile ./snapshots 1 0 until=stop
t_wait 30 grep -q 'step 20' out
kill -USR2 $wrapper
t_wait 30 test -e run/snapshot-1/summary.txt || t_fail 'a signal: no snapshot'
kill -USR2 $wrapper "$(pgrep -P $wrapper -x snapshots)"
t_wait 30 test -e run/snapshot-2/summary.txt || t_fail 'a second signal: no snapshot'
kill -USR1 $wrapper
wait $wrapper 2>/dev/null
t_equal 'another signal: status' "$? of USR1" "$((128 + $(kill -l USR1))) of USR1"
snapshots 'a signal' run 2

# When something is slow: not in the first five calls, and not twice in 10 s.
for condition in 'phase=step > 3 * median' 'iteration=iterate>3*median' 'phase=step > 150ms'; do
	start --snapshot-if "$condition" --keep=1s ./snapshots 2 0 slow=20 slow=22 until=stop
	t_wait 30 test -e run/snapshot-1/summary.txt || t_fail "$condition: no snapshot"
	t_wait 30 grep -q 'step 30' out
	finish "$condition"
	snapshots "$condition" run 1
	otf2-print run/snapshot-1/traces.otf2 | grep -q '^LEAVE .*"step"' || t_fail "$condition: the slow phase has not ended"
done
"$measure" --snapshot-if 'phase=others > 1ms' -o none ./snapshots 1 10 >out 2>err
t_equal 'another phase: snapshots' 0 "$(ls none | grep -c '^snapshot-')"

# What a snapshot costs the program: its longest stall in five runs each. A figure, not a test.
for ask in '' ask=50; do
	for i in 1 2 3 4 5; do
		rm -rf run
		"$measure" --keep=1s -o run ./snapshots 1 80 $ask 2>/dev/null | sed -n 's/^gap //p'
	done | sort -n | sed -n 3p >"gap$ask"
done
echo "longest stall, median of five runs: without a snapshot $(cat gap) ms, with one $(cat gapask=50) ms"

# Ranks that ask at one time get one archive of all of them.
command -v mpicc >/dev/null && compile mpicc -DWITH_MPI -o ranks || {
	echo 'left out: MPI'
	t_end
}
t_need_mpirun
for option in --keep=all --keep=300ms --profile; do
	rm -rf run
	mpirun -n 2 "$measure" $option -o run ./ranks 2 80 ask=30 >out 2>err
	t_equal "ranks $option: status" 0 $?
	snapshots "ranks $option" run 1
	t_equal "ranks $option: processes" 2 "$(otf2-print -G run/snapshot-1/traces.otf2 | grep -c '^LOCATION_GROUP .*PROCESS')"
	t_sound "$work/run"
done
t_end
