#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-report --compensated shows a run, and the archive that measure-sync --compensate makes of it, as it shows these two archives, and leaves no copy
. "$(dirname "$0")/lib.sh"
"${CC:-cc}" -O1 -g -finstrument-functions -pthread -o calls "$t_tests/e2e/profile/calls.c" 2>words || t_skip "no program: $(cat words)"
mkdir room
export TMPDIR=$work/room
cat >costs <<'TABLE'
processor of a test
FUNCTION_ENTER::none 1000:30:20:45:55
FUNCTION_LEAVE::none 1000:20:30:45:55
TABLE
export MEASURE_EVENT_COSTS=$work/no_table
t_record bare -- ./calls
export MEASURE_EVENT_COSTS=$work/costs
t_record run -- ./calls
"$t_build/measure-sync" --compensate=frequency -o 'run (compensated)' run >words 2>&1 || t_fail "measure-sync: status $?: $(cat words)"

"$report" -o expected.html run 'run (compensated)' >out 2>err || t_fail "of two archives: status $?: $(cat err)"
"$report" --compensated -o found.html run >out 2>err || t_fail "status $?: $(cat err)"
grep -q '^  compensated (frequency)' out || t_fail "no word of compensation: $(cat out)"
t_equal 'left in TMPDIR' '' "$(ls -A room)"
t_equal 'archives' "['run', 'run (compensated)']" "$(page_says found.html '[run.profile["archive"] for run in page.runs]')"
t_equal 'runs' "['run', 'run (compensated)']" "$(page_says found.html '[run.header["name"] for run in page.runs]')"
for what in "[run.timeline['ticks'] for run in page.runs]" "[run.profile['time_ns'] for run in page.runs]" '[run.segments() for run in page.runs]' '[run.path_times() for run in page.runs]'; do
	page_says found.html "$what" >out || t_fail "$what"
	t_equal "$what" "$(page_says expected.html "$what" | sha256sum)" "$(page_says found.html "$what" | sha256sum)"
done
"$report" --compensated -o alone.html 'run (compensated)' >out 2>err || t_fail "compensated before: status $?: $(cat err)"
t_equal 'a run that was compensated before' 1 "$(page_says alone.html 'len(page.runs)')"

MEASURE_EVENT_COSTS=$work/no_table "$report" --compensated -o none.html bare >out 2>err
t_equal 'without a table: status' 2 $?
t_equal 'without a table: lines' 1 "$(t_lines err)"
[ ! -e none.html ] || t_fail 'a page without a table'
"$report" --compensated run bare 2>err
t_equal 'two archives: status' 2 $?
"$report" --compensated --text run 2>err
t_equal '--text: status' 2 $?
t_equal 'left in TMPDIR' '' "$(ls -A room)"
t_end
