#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-repair killed at any moment, and run again, gives the archive that it would have given
#
#	REPAIR_KILLS=1000 REPAIR_SEED=1 tests/e2e/repair/repair_killed.sh
. "$(dirname "$0")/../lib.sh"
repair=$t_build/measure-repair
kills=${REPAIR_KILLS:-40}
cd "$work" || exit 1
${CC:-cc} -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>/dev/null || t_skip 'no compiler'

# What OTF2 draws by lot for each archive is not compared; nor what stays of a repair that was killed when all was done.
content()
{
	(cd "$1" && find . -type f ! -path './.parts*' ! -name traces.otf2 ! -name summary.txt -exec sha256sum {} + | sort -k 2)
	sed "s,$1/,RUN/," "$1/summary.txt" # it names files of the run directory
	otf2-print -A "$1/traces.otf2" | grep -v -i -E 'identifier|trace id|^ *Path'
}

# A run whose keeper was killed with everything else.
setsid "$measure" --chunk 256K -o run ./faults long counts >out 2>err &
wrapper=$!
t_wait 20 grep -q ready out || { t_fail 'does not start'; t_end; }
keeper=$(t_keeper "$wrapper")
kill -9 "$(t_guard "$wrapper")" "$wrapper" "$keeper" "$(pgrep -P "$wrapper" -x faults)"
wait "$wrapper" 2>/dev/null
t_wait 20 eval '! kill -0 $keeper 2>/dev/null'

cp -r run whole
begin=$(date +%s%N)
"$repair" -q whole
t_equal 'status' 1 $?
length=$((($(date +%s%N) - begin) / 1000)) # us
t_sound "$work/whole"
content whole >expected
find whole -exec stat -c '%n %i %s %y' {} + | sort >before
"$repair" whole >again 2>&1
t_equal 'again: status' 0 $?
grep -q 'already exists' again || t_fail "again: $(cat again)"
find whole -exec stat -c '%n %i %s %y' {} + | sort | cmp -s - before || t_fail 'again: something was changed'

# Without what its keeper has written it is repaired all the same: how large a chunk is, the event files tell.
cp -r run lost
: >"$(echo lost/.parts/*/keeper)"
"$repair" lost >said 2>&1
t_equal 'lost: status' 1 $?
t_sound "$work/lost"
t_equal 'lost: calls' "$(otf2-print whole/traces.otf2 | grep -c ^ENTER)" "$(otf2-print lost/traces.otf2 | grep -c ^ENTER)"
grep -q 'damaged parts, kept in part: 1' lost/summary.txt || t_fail "lost: nobody says so: $(cat said lost/summary.txt)"

RANDOM=${REPAIR_SEED:-1}
nr_killed=0
for ((i = 0; i < kills; i++)); do
	rm -rf copy
	cp -r run copy
	for attempt in 1 2 3; do # killed up to three times before it may finish
		"$repair" -q copy >/dev/null 2>&1 &
		pid=$!
		sleep "$(printf '0.%06d' $(((RANDOM * 32768 + RANDOM) % (length < 900000 ? length : 900000))))"
		kill -9 $pid 2>/dev/null
		wait $pid 2>/dev/null
		[ $? != 137 ] || nr_killed=$((nr_killed + 1))
		[ $((RANDOM % 2)) = 0 ] || break
	done
	[ -f copy/traces.otf2 ] && [ ! -e copy/.parts ] || "$repair" -q copy >said 2>&1 || [ $? = 1 ] || t_fail "$i: $(cat said)"
	content copy >found
	cmp -s found expected || t_fail "$i: another archive: $(diff found expected | head -n 5)"
	[ ! -e copy/.parts ] || t_fail "$i: .parts is left over"
done
[ $nr_killed -gt 0 ] || t_fail 'none was killed in time'
echo "killed $nr_killed times, in $kills repairs"
t_end
