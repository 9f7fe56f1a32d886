#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: kill -9 of a program and its keeper at once costs at most the last second of events, and what SIGTERM announces costs none
#
#	FLUSH_KILLS=40 FLUSH_SEED=1 tests/e2e/spool/flush_interval.sh
#
# Programs of each kind in turn, killed with all that belongs to them at random moments. They note what they did, and when;
# tests/e2e/programs/compare_counts compares. One line per kill, a summary at the end. FLUSH_INTERVAL=0 shows what it is good for.
. "$(dirname "$0")/../lib.sh"
kills=${FLUSH_KILLS:-6}
seed=${FLUSH_SEED:-1}
interval=${FLUSH_INTERVAL:-1}
slack=${FLUSH_SLACK:-500} # ms, of a machine that is busy
kinds=(sleeping slow fast threads short ranks)
repair=$t_build/measure-repair
committed=$t_build/tests/e2e/programs/compare_counts
cd "$work" || exit 1
build="-g -O1 -finstrument-functions -I$t_programs"
${CC:-cc} $build -o flushed "$t_here/flush_interval.c" -lpthread 2>/dev/null || t_skip 'no compiler'
with_mpi=no
if command -v mpicc >/dev/null && command -v mpirun >/dev/null && mpicc $build -DWITH_MPI -o flushed_mpi "$t_here/flush_interval.c" -lpthread 2>/dev/null; then
	. "$t_tests/mpirun.sh"
	with_mpi=yes
fi

# Everything that the job consists of, as process ids: its programs by their directory, and who keeps them
job()
{
	pgrep -f "$work/"
}

# start KIND [OPTION]...: until it counts
start()
{
	rm -rf run counts* out err
	: >out
	case $1 in
	ranks) setsid mpirun -n 2 "$measure" -q "${@:2}" -o "$work/run" "$work/flushed_mpi" "$1" "$work/counts" >out 2>err & ;;
	short) setsid "$measure" -q "${@:2}" --exclude 'tiny shorter=1ms; nested shorter=8ms' -o "$work/run" "$work/flushed" "$1" "$work/counts" >out 2>err & ;;
	*) setsid "$measure" -q "${@:2}" -o "$work/run" "$work/flushed" "$1" "$work/counts" >out 2>err & ;;
	esac
	launcher=$!
	t_wait 20 grep -q ready out || { t_fail "$1: does not start: $(cat err)"; t_end; }
}

is_gone()
{
	[ -z "$(job)" ]
}

# All at once, as by a control group; $killed: when
kill_all()
{
	members=$(job)
	keepers=$(pgrep -d ' ' 'measure-(guard|keeper)' | tr ' ' '\n' | grep -x -F "$members")
	killed=$EPOCHREALTIME
	kill -9 $keepers $members 2>/dev/null # in their turn: no keeper may see that its program is gone
	wait $launcher 2>/dev/null
	t_wait 20 is_gone || t_fail "still there: $(pgrep -a -f "$work/")"
}

# judge KIND: the archive is there after repair and sound; $words: what it lacks
judge()
{
	[ ! -e run/traces.otf2 ] || t_fail "$1: the archive was there before it was repaired"
	"$repair" -q run >repair.out 2>&1
	t_equal "$1: measure-repair" 1 $?
	otf2-print --silent -Werror run/traces.otf2 >/dev/null 2>words && [ ! -s words ] && "$MEASURE_CHECK" run >words 2>&1 ||
		t_fail "$1: not sound: $(cat words)"
	t_equal "$1: cut" keeper "$(otf2-print -G run/traces.otf2 | sed -n 's/.*MEASURE::CUT" .*Value: "\([^"]*\)".*/\1/p' | sort -u)"
	words=$("$committed" --killed "${killed/,/.}" run/traces.otf2 step counts*) || t_fail "$1: no archive"
	words=$(echo $words)
	late=${words##*late }
}

# A program that did 2,000 events and sleeps
start sleeping --flush-interval "$interval"
sleep 1.5 # more than the second that may be lost
kill_all
judge sleeping
t_equal 'asleep for more than a second' 'counted 1000 found 1000 lost 0 late 0' "$words"

# Without it nothing of that is in a file: an archive without events, but sound
start sleeping --flush-interval=0
kill_all
judge 'nothing flushed'
t_equal 'nothing flushed' 'counted 1000 found 0 lost 1000' "${words% late*}"

# A batch system says that it will end everything: nothing that was done by then is missing, however events are spooled.
for options in '--flush-interval=0' '--spool=end' '--spool=full' '--spool=phase'; do
	start sleeping $options
	kill -TERM $(pgrep -x measure-keeper | grep -x -F "$(job)")
	sleep 0.5
	kill_all
	judge "$options"
	t_equal "SIGTERM, $options" 'counted 1000 found 1000 lost 0 late 0' "$words"
done

# From then on it is as with --flush-interval=1.
start slow --spool=end
kill -TERM $(pgrep -x measure-keeper | grep -x -F "$(job)")
sleep 2 # some intervals
kill_all
judge 'after SIGTERM'
[ "${late:-9999}" -le $((1000 + slack)) ] || t_fail "after SIGTERM: $words"
[ "${words//counted * found /}" != "$words" ] && found=${words#*found } && [ "${found%% *}" -ge 10 ] || t_fail "after SIGTERM: $words"

"$measure" --flush-interval=soon -o wrong true >out 2>err
grep -q -e "--flush-interval: 'soon' is not a time" err || t_fail "--flush-interval=soon: $(cat err)"

RANDOM=$seed
for ((number = 0; number < kills; number++)); do
	kind=${kinds[number % ${#kinds[@]}]}
	[ "$kind" != ranks ] || [ $with_mpi = yes ] || continue
	moment=$((RANDOM % 3000))
	start "$kind" --flush-interval "$interval"
	sleep "$((moment / 1000)).$(printf '%03d' $((moment % 1000)))"
	kill_all
	judge "$kind"
	[ "${late:-9999}" -le $((1000 + slack)) ] || t_fail "$number: $kind: more than a second is missing: $words"
	echo "$kind ${words//[a-z]/}" >>results
	echo "$number: $kind after $moment ms, $words ms"
done
awk '{ nr[$1]++; counted[$1] += $2; lost[$1] += $4; if ($5 > most[$1]) most[$1] = $5 }
	END { for (k in nr) printf "%-8s %d kills, %d calls, %d missing, at most of the last %d ms\n", k, nr[k], counted[k], lost[k], most[k] }' results
t_end
