#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: where the disk is slow, full or hangs, recording waits, drops or stops, records the drop interval, and never hangs
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
cc=${CC:-cc}
$cc -O1 -g -pthread -finstrument-functions -o calls "$t_programs/call_waves.c" || t_skip 'no compiler'
$cc -O1 -shared -fPIC -o disk.so "$t_programs/faulty_disk.c" -ldl || t_skip 'no compiler'
export MEASURE_ADAPTERS=compiler

# on_disk NAME VARIABLE=VALUE [OPTION]... -- ARGUMENTS: runs calls with such a disk
on_disk()
{
	name=$1 disk=$2
	shift 2
	timeout 60 env LD_PRELOAD="$work/disk.so" "$disk" "$measure" -o "$name" "${@:1:$(($# - 1))}" \
		./calls ${!#} >"$name.out" 2>"$name.err"
	t_equal "$name: status" 7 $?
}

# look NAME [READERS]: what is in the archive, as shell variables; by one reader, or all that there are
look()
{
	if [ $# -gt 1 ]; then
		t_sound "$work/$1"
	else
		"$MEASURE_CHECK" "$1" >"$1.check" || t_fail "$1: not sound: $(cat "$1.check")"
	fi
	otf2-print "$1/traces.otf2" >"$1.print"
	eval "$(awk '
		/^(ENTER|LEAVE) / { events++; closed[$2]++ }
		/^MEASUREMENT_ON_OFF.*OFF$/ { off++; is_off[$2] = 1; closed[$2] = 0 }
		/^MEASUREMENT_ON_OFF.*ON$/ { on++; is_off[$2] = 0 }
		/^BUFFER_FLUSH/ { flushes++ }
		/MEASURE::LOST_EVENTS/ { sub(/.*UINT64; /, ""); sub(/\).*/, ""); dropped += $0 }
		END {
			for (place in is_off)
				if (is_off[place])
					events -= closed[place] # by the keeper
			printf "events=%d off=%d on=%d flushes=%d dropped=%d\n", events, off, on, flushes, dropped
		}' "$1.print")"
	eval "$(tr -d , <"$1/summary.txt" | awk '
		/events? (was|were) lost because event memory was full/ { lost = $1 }
		/events? occurred after recording had stopped/ { stopped = $1 }
		/(was|were) inserted where recording resumed/ { restated = $1 }
		/times? recording waited/ { stalls = $1 }
		END { printf "lost=%d stopped=%d restated=%d stalls=%d\n", lost, stopped, restated, stalls }')"
	made=$(tail -n 1 "$1.out")
}

# all NAME: each event is there, or counted
all()
{
	t_equal "$1: events" "$made" $((events - restated + lost + stopped))
}

# Nothing is lost.
on_disk slow-wait DISK_SLOW=10 -b 512K -- '1 1 1500'
look slow-wait
all slow-wait
t_equal 'slow-wait: lost' 0 "$lost"
[ "$stalls" -gt 0 ] || t_fail 'slow-wait: recording never waited'
t_equal 'slow-wait: BufferFlush' "$stalls" "$flushes"

# The summary says how much memory would have been enough, and it is.
enough()
{
	sed -n 's/.*--buffer=\([0-9]*M\) would have been enough.*/\1/p' "$1/summary.txt"
}

grep -q '^memory .* limit 0.5 MiB' slow-wait/summary.txt || t_fail "slow-wait: $(cat slow-wait/summary.txt)"
on_disk enough-wait DISK_SLOW=10 -b "$(enough slow-wait)" -- '1 1 1500'
look enough-wait
t_equal 'enough-wait: waits' 0 "$stalls"

on_disk slow-drop DISK_SLOW=500 -b 512K --full=drop -- '1 1 1500'
look slow-drop
all slow-drop
[ "$lost" -gt 0 ] || t_fail 'slow-drop: nothing is lost'
[ "$off" = "$on" ] || [ "$off" = $((on + 1)) ] || t_fail "slow-drop: off $off times, on $on times"

on_disk enough-drop DISK_SLOW=500 -b "$(enough slow-drop)" --full=drop -- '1 1 1500'
look enough-drop
t_equal 'enough-drop: lost, waits' '0 0' "$lost $stalls"

on_disk slow-stop DISK_SLOW=500 -b 512K --full=stop -- '1 1 1500'
look slow-stop
all slow-stop
[ "$stopped" -gt 0 ] || t_fail 'slow-stop: recording did not stop'
t_equal 'slow-stop: off, on' '1 0' "$off $on"
grep -q 'recording stopped when event memory was full' slow-stop/summary.txt || t_fail 'slow-stop: summary'
t_equal 'slow-stop: lines on stderr' 1 "$(t_lines slow-stop.err)"

# Threads come and go, also in drop intervals: locations, ThreadBegin and ThreadEnd fit together.
for policy in drop stop; do
	on_disk threads-$policy DISK_SLOW=5 -b 512K --full=$policy -- '8 3 60'
	look threads-$policy
	all threads-$policy
	on_disk pthread-$policy DISK_SLOW=5 -a compiler,pthread -b 512K --full=$policy -- '8 3 60'
	look pthread-$policy thoroughly
done

goes_on()
{
	[ -n "$(find "$work/$1/.parts" -name '1.evt' -size +300k)" ]
}

# The disk is full, or hangs, for a while: the program waits no longer than told, and recording
# goes on afterwards.
for trouble in DISK_FULL-wait DISK_HANGS-wait DISK_HANGS-drop; do
	: >trouble
	rm -f goes-on
	on_disk $trouble ${trouble%-*}="$work/trouble" -b 512K --full=${trouble#*-} --patience=1 -- \
		"1 2 1000 $work/goes-on 200" &
	t_wait 30 grep -q ready $trouble.out || t_fail "$trouble: hangs"
	rm trouble
	t_wait 20 goes_on $trouble || t_fail "$trouble: does not go on"
	: >goes-on
	wait $!
	look $trouble thoroughly
	all $trouble
	[ "$lost" -gt 0 ] && [ "$on" -gt 0 ] || t_fail "$trouble: lost $lost, went on $on times"
	t_equal "$trouble: MEASURE::LOST_EVENTS" "$lost" "$dropped"
	[ "$stalls" -gt 0 ] || [ ${trouble#*-} = drop ] || t_fail "$trouble: no wait"
done
grep -q 'No space left.*then drops events' DISK_FULL-wait.err ||
	t_fail "full: stderr: $(cat DISK_FULL-wait.err)"
t_equal 'full: lines on stderr' 1 "$(t_lines DISK_FULL-wait.err)"

has_grown()
{
	[ "$(cat stopped/.parts/*/1.evt 2>/dev/null | wc -c)" -gt "$1" ]
}

# rounds PID: that the program has made, by its pauses
rounds()
{
	cat /proc/"$1"/task/*/status 2>/dev/null | awk '/^voluntary/ { n += $2 } END { print n + 0 }'
}

has_made()
{
	[ "$(rounds "$1")" -gt "$2" ]
}

# The keeper is stopped, as one that gets no processor time: the same.
rm -f goes-on
on_disk stopped A=b -b 512K --patience=1 -- "1 2 1000 $work/goes-on 200" &
running=$!
t_wait 30 grep -q ready stopped.out || t_fail 'stopped: does not begin'
waiter=$(pgrep -x measure -P "$(pgrep -x timeout -P $running)")
keeper=$(t_keeper "$waiter")
program=$(pgrep -x calls -P "$waiter")
kill -STOP "$keeper" || t_fail 'stopped: no keeper'
t_wait 60 has_made "$program" $(($(rounds "$program") + 2000)) || t_fail 'stopped: hangs'
# Chunks may have been written before: more must be now.
before=$(cat stopped/.parts/*/1.evt 2>/dev/null | wc -c)
kill -CONT "$keeper"
t_wait 30 has_grown "$before" || t_fail 'stopped: does not go on'
: >goes-on
wait $running
look stopped thoroughly
all stopped
[ "$lost" -gt 0 ] && [ "$on" -gt 0 ] || t_fail "stopped: lost $lost, went on $on times"

# ... until the end, for each policy: the program does not wait for ever, and what is there can be
# repaired.
for policy in wait drop stop; do
	: >trouble
	on_disk full-$policy DISK_FULL="$work/trouble" -b 512K --patience=1 --full=$policy -- '2 1 1000'
	grep -q 'run measure-repair' full-$policy.err || t_fail "full-$policy: stderr: $(cat full-$policy.err)"
	"$t_build/measure-repair" full-$policy >full-$policy.repair 2>&1
	"$MEASURE_CHECK" full-$policy >full-$policy.check || t_fail "full-$policy: not sound"
done

# Killed in a drop interval: the archive says when it began.
: >trouble
rm -f goes-on
LD_PRELOAD="$work/disk.so" DISK_HANGS="$work/trouble" "$measure" -o killed -b 512K --full=drop \
	./calls 1 1 1000 "$work/goes-on" 100 >killed.out 2>killed.err &
wrapper=$!
t_wait 30 grep -q ready killed.out || t_fail 'killed: does not come that far'
kill -9 "$(pgrep -P $wrapper -x calls)"
rm trouble
wait $wrapper 2>/dev/null
t_equal 'killed: status' 137 $?
look killed thoroughly
t_equal 'killed: off, on' '1 0' "$off $on"
[ "$lost" -gt 0 ] || t_fail 'killed: nothing counted'
t_end
