#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: kill -9 of the measure that attaches or detaches, at many moments (ATTACH_KILLS): the program goes on with right answers, and can be attached to afterwards
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
kills=${ATTACH_KILLS:-20}
a_compile busy busy.c
a_start out ./busy 8

# So long after its start it is killed: the first attempts before, in and after the first loading.
for i in $(seq "$kills"); do
	"$measure" --attach "$pid" --adapters=+posixio -o "killed.$i" 2>"killed.$i.err" &
	victim=$!
	sleep "$(awk -v i="$i" 'BEGIN { printf "%.4f", 0.0005 + i * 0.001 }')"
	kill -KILL "$victim"
	wait "$victim" 2>/dev/null
	kill -0 "$pid" 2>/dev/null || { t_fail "attempt $i: the program has ended: $(cat out)"; break; }
	# Where it records by now, another measure takes it out; one of them is killed, too.
	if [ $((i % 4)) = 0 ]; then
		"$measure" --detach "$pid" 2>/dev/null &
		victim=$!
		sleep "$(awk -v i="$i" 'BEGIN { printf "%.4f", 0.001 + i * 0.001 }')"
		kill -KILL "$victim"
		wait "$victim" 2>/dev/null
	fi
	for k in 1 2 3 4 5; do
		"$measure" --detach "$pid" 2>detach.err && break
		! grep -q 'is not being recorded' detach.err || break
		sleep 0.05
	done
done
recorded=$(ls -d killed.*/traces.otf2 2>/dev/null | wc -l)

a_attach run1 "$pid" --adapters=+posixio
sleep 0.1
a_detach "$pid"
t_sound "$work/run1"
for archive in killed.*/traces.otf2; do
	[ ! -f "$archive" ] || "$MEASURE_CHECK" "${archive%/traces.otf2}" >check.out || t_fail "$archive: $(cat check.out)"
done
kill -TERM "$pid"
wait "$pid"
t_equal 'exit status of the program' 0 $?
grep -q '^rounds .* wrong 0$' out || t_fail "the program: $(tail -n 1 out)"
echo "$kills killed, $recorded of them had begun to record"
t_end
