#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a keeper that is stopped, gets no processor time or hangs loses nothing, and the user is told what is waited for
. "$(dirname "$0")/../lib.sh"
committed=$t_build/tests/e2e/programs/compare_counts
cd "$work" || exit 1
cc=${CC:-cc}
$cc -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>/dev/null || t_skip 'no compiler'
$cc -O1 -g -pthread -finstrument-functions -o calls "$t_programs/call_waves.c" || t_skip 'no compiler'
$cc -O1 -shared -fPIC -o disk.so "$t_programs/faulty_disk.c" -ldl || t_skip 'no compiler'

# start NAME [VARIABLE=VALUE] -- [OPTION]...: a program of two threads that goes on; $wrapper, $program, $keeper
start()
{
	disk=A=b
	[ "$2" = -- ] || disk=$2
	while [ "$1" != -- ]; do
		name=$1
		shift
		[ "$1" = -- ] || shift
	done
	setsid env LD_PRELOAD="$work/disk.so" "$disk" "$measure" --chunk 256K -o "$name" "${@:2}" \
		./faults long "$name.counts" >"$name.out" 2>"$name.err" &
	wrapper=$!
	t_wait 20 grep -q ready "$name.out" || { t_fail "$name: does not start: $(cat "$name.err")"; t_end; }
	program=$(pgrep -P "$wrapper" -x faults)
	keeper=$(t_keeper "$wrapper")
}

# nothing_lost NAME
nothing_lost()
{
	"$MEASURE_CHECK" "$1" >words 2>&1 || t_fail "$1: not sound: $(cat words)"
	"$committed" "$1/traces.otf2" step "$1.counts" >lost 2>&1
	grep -q 'lost 0$' lost || t_fail "$1: $(cat lost)"
	echo "$1: $(cat lost)"
}

# The disk hangs at the end: measure says so once, and can be interrupted; then the keeper goes on.
: >trouble
start left DISK_HANGS="$work/trouble" --
left=$wrapper
kill -TERM "$program"
start waits DISK_HANGS="$work/trouble" --
waits=$wrapper
kill -TERM "$program"

# Three threads that never rest and their keeper on one processor, for which it is the last one.
first=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
for how in 'renice -n 19 -p' 'chrt -i -p 0'; do
	rm -rf busy goes-on
	setsid taskset -c "$first" "$measure" -b 1M -a compiler -o busy ./calls 3 1 100 goes-on >busy.out 2>busy.err &
	wrapper=$!
	t_wait 20 t_keeper "$wrapper"
	keeper=$(t_keeper "$wrapper")
	for task in /proc/"$keeper"/task/*; do
		$how "${task##*/}" >/dev/null || t_fail "$how does not work"
	done
	: >goes-on
	wait $wrapper
	t_equal "$how: status" 7 $?
	t_equal "$how: stderr" '' "$(cat busy.err)"
	"$MEASURE_CHECK" busy >words 2>&1 || t_fail "$how: not sound: $(cat words)"
	found=$("$t_build/measure-profile" --properties busy |
		awk '$1 ~ /^MEASURE::RECORDS::(ENTER|LEAVE)$/ { sum += $2 } END { print sum }')
	t_equal "$how: events" "$(tail -n 1 busy.out)" "$found"
	echo "$how: $found events, $(grep -c . busy.err) lines"
done

# Stopped for a while, shorter than the program is patient.
start stopped -- -b 512K
kill -STOP "$keeper"
sleep 1.5 # within --patience
turns=$(t_turns "$keeper")
kill -CONT "$keeper"
t_wait 20 eval '[ "$(t_turns "$keeper")" -gt $turns ]' || t_fail 'stopped: the keeper does not go on'
kill -STOP "$keeper"
kill -TERM "$program"
t_wait 20 t_gone "$program" || t_fail 'stopped: the program is not over'
kill -CONT "$keeper"
wait $wrapper 2>/dev/null
t_equal 'stopped: status' 143 $?
t_equal 'stopped: stderr' '' "$(cat stopped.err)"
nothing_lost stopped

# frames FILE: how many of them are clock triples; fails where it does not end with a whole record
frames()
{
	od -A n -v -t u4 -w8 "$1" | awk '
		{ length_[NR] = $1; kind[NR] = $2 }
		END {
			for (i = 1; i <= NR; i += length_[i] / 8) {
				if (length_[i] < 16)
					exit 1
				triples += kind[i] == 10
			}
			print triples
			exit i != NR + 1
		}'
}

# It may just be in the middle of one.
is_whole()
{
	nr=$(frames torn/.parts/*/keeper)
}

has_more()
{
	is_whole && [ "$nr" -gt "$before" ]
}

# when KIND: when the last one of these was, in ms
when()
{
	otf2-print -G stands/traces.otf2 >definitions
	otf2-print stands/traces.otf2 | awk -v kind="$1" -v ticks="$(sed -n 's/^CLOCK_PROPERTIES.*Ticks per Seconds: \([0-9]*\).*/\1/p' definitions)" '
		$1 == kind { last = $3 }
		END { printf "%.0f\n", last / ticks * 1000 }'
}

# Nothing at all can be written when a triple is due, and later when the program ends: that is noted all the same, when
# it is.
start stands DISK_STANDS="$work/standing" --
: >standing
sleep 2.2 # a triple is due every two seconds
kill -TERM "$program"
sleep 3 # late enough to tell when the end was seen from when it was written
rm standing
wait $wrapper 2>/dev/null
t_equal 'stands: status' 143 $?
nothing_lost stands
late=$(($(when PROGRAM_END) - $(when ENTER)))
[ $late -lt 2000 ] || t_fail "stands: the end is seen $late ms late"
echo "stands: the end is seen after $late ms"

# What is torn by a full disk is taken back: what comes later can be read.
start torn DISK_TORN="$work/torn-disk" --
: >torn-disk
t_wait 20 test -s torn-disk || t_fail 'torn: nothing was'
t_wait 20 is_whole || t_fail "torn: not taken back: $(frames torn/.parts/*/keeper)"
before=$nr
sleep 2.5 # one is due every two seconds
t_wait 20 is_whole || t_fail "torn: not taken back: $(frames torn/.parts/*/keeper)"
t_equal 'torn: triples' "$before" "$nr"
rm torn-disk
t_wait 20 has_more || t_fail "torn: the journal cannot be read: $(frames torn/.parts/*/keeper)"
kill -TERM "$program"
wait $wrapper 2>/dev/null
nothing_lost torn

# Ten seconds are over.
for name in left waits; do
	t_wait 20 grep -q "$name: waiting for the last events to be written.*hang.*interrupt" $name.err ||
		t_fail "$name: it is not said what is waited for: $(cat $name.err)"
done
kill -INT $left
wait $left 2>/dev/null
t_equal 'left: status' 143 $?
[ ! -e left/traces.otf2 ] || t_fail 'left: the disk did not hang'
rm trouble
wait $waits 2>/dev/null
t_equal 'waits: status' 143 $?
t_equal 'waits: lines on stderr' 1 "$(t_lines waits.err)"
nothing_lost waits
t_wait 30 test -f left/traces.otf2
t_wait 20 test ! -e left/.parts
nothing_lost left
t_end
