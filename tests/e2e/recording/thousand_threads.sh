#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: very many threads, at once or one after another, cost little memory, and all their events are there
#
# CROWD_THREADS: how many (1000); 10000 is what users have been promised.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
nr=${CROWD_THREADS:-1000}
${CC:-cc} -O1 -g -pthread -finstrument-functions -o crowd "$t_here/thousand_threads.c" || t_skip 'no compiler'

# crowd NAME LOCATIONS HOW [OPTION]...: prints what it costs
crowd()
{
	name=$1 locations=$2 how=$3
	shift 3
	before=$(date +%s%N)
	timeout 300 "$measure" -a compiler "$@" -o "$name" ./crowd "$how" "$nr" >"$name.out" 2>"$name.err"
	status=$?
	after=$(date +%s%N)
	[ $status != 77 ] || t_skip "no $nr threads here"
	t_equal "$name: status" 0 $status
	t_equal "$name: stderr" '' "$(cat "$name.err")"
	"$MEASURE_CHECK" "$name" >"$name.check" || t_fail "$name: not sound: $(cat "$name.check")"
	t_equal "$name: events" $((6 * nr)) "$(otf2-print "$name/traces.otf2" | grep -c -E '^(ENTER|LEAVE) ')"
	found=$(sed -n 's/^processes.*, \([0-9,]*\) location.*/\1/p' "$name/summary.txt" | tr -d ,)
	[ "$found" -le "$locations" ] || t_fail "$name: $found locations instead of $locations"
	grep -A1 '^Losses' "$name/summary.txt" | grep -q none || t_fail "$name: $(cat "$name/summary.txt")"
	kib=$(cat "$name.out")
	echo "$name: $nr threads, $(((after - before) / 1000000)) ms, $kib KiB of event memory"
}

crowd one-by-one 2 one-by-one
[ "$kib" -le 8192 ] || t_fail "one-by-one: $kib KiB"

# At most 16 KiB for each, and what is populated ahead; also where the bound has no room for them.
crowd at-once $((nr + 1)) at-once
[ "$kib" -le $((16 * nr + 16384)) ] || t_fail "at-once: $kib KiB"
crowd bounded $((nr + 1)) at-once -b 1M
[ "$kib" -le $((16 * nr + 16384)) ] || t_fail "bounded: $kib KiB"
crowd own $((nr + 1)) one-by-one --thread-locations=own
[ "$kib" -le $((16 * nr + 16384)) ] || t_fail "own: $kib KiB"
t_end
