#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: two threads at 50 MB/s each through 64 MB of event memory: every event is there, and waits are told
#
# Times are for `make bench BENCH_FLAGS=stalls`. STALLS_SECONDS: how long (1); 60 s are 6 GB.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
seconds=${STALLS_SECONDS:-1}
${CC:-cc} -D_GNU_SOURCE -O2 -g -pthread -finstrument-functions -I"$t_build" -I"$t_tests/bench" -o stalls \
	"$t_tests/bench/stalls.c" || t_skip 'no compiler'

timeout $((60 + 10 * seconds)) "$measure" -a compiler -b 64M -o run ./stalls "$seconds" 50 >out 2>err
t_equal status 0 $?
t_equal stderr '' "$(cat err)"
"$MEASURE_CHECK" run >check || t_fail "not sound: $(cat check)"
made=$(awk '$1 == "events" { print $2 }' out)
recorded=$(sed -n 's/^events *\([0-9,]*\) in.*/\1/p' run/summary.txt | tr -d ,)
waits=$(awk '/times? recording waited/ { n = $1 } END { print n + 0 }' run/summary.txt)
flushes=$(sed -n 's/^  *\([0-9,]*\) .*BufferFlush$/\1/p' run/summary.txt | tr -d ,)
[ "$made" -gt 0 ] || t_fail 'no events'
t_equal 'events, with ProgramBegin, ProgramEnd and waits' $((made + 2 + waits)) "$recorded"
t_equal 'BufferFlush' "$waits" "${flushes:-0}"
! grep -q ' lost' run/summary.txt || t_fail "$(cat run/summary.txt)"
mib=$(sed -n 's/^memory *\([0-9]*\).*/\1/p' run/summary.txt)
[ "${mib:-99}" -le 65 ] || t_fail "$mib MiB of event memory instead of 64"
held=$(sed -n 's/^delays *\([0-9,]*\) for event memory.*/\1/p' run/summary.txt | tr -d ,)
# each thread fills chunks of 256 KiB, the main one begins one; an event at the time of the one before has 2 bytes, not 11
bytes=$(cat run/traces/*.evt | wc -c)
[ "${held:-0}" -ge $((bytes * 9 / 10 / 262144)) ] || t_fail "$held chunks for $bytes bytes"
cat out
t_end
