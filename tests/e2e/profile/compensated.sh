#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-profile --compensated prints what it prints of the archive that measure-sync --compensate writes, and leaves no copy of it, however it ends
. "$(dirname "$0")/../lib.sh"
cc=${CC:-cc}
profile=$t_build/measure-profile
cd "$work" || exit 1
command -v python3 >/dev/null || t_skip 'no python3'
"$cc" -O1 -g -finstrument-functions -pthread -o calls "$t_here/calls.c" 2>words || t_skip "no program: $(cat words)"
mkdir room
export TMPDIR=$work/room
cat >costs <<'TABLE'
processor of a test
FUNCTION_ENTER::none 1000:30:20:45:55 10000000:12:8:18:22
FUNCTION_LEAVE::none 1000:20:30:45:55 10000000:8:12:18:22
OTHER::none 1000:40:40:70:90
TABLE
export MEASURE_EVENT_COSTS=$work/no_table
t_record bare -- ./calls
export MEASURE_EVENT_COSTS=$work/costs
t_record run -- ./calls

# left WHAT: nothing
left()
{
	t_equal "$1: left in TMPDIR" '' "$(ls -A room)"
	t_equal "$1: left beside the trace" '' "$(ls -A | grep compensated-)"
}

# shown FILE OPTION...: what is printed, without the name of the archive
shown()
{
	"$profile" "${@:2}" >"$1" 2>err || t_fail "$*: status $?: $(cat err)"
	sed -i 's/"archive": *"[^"]*"/"archive": ""/' "$1"
}

"$t_build/measure-sync" --compensate=frequency -o by_hand run >words 2>&1 || t_fail "measure-sync: status $?: $(cat words)"
for options in '--format json' '--tree --format csv' '--by process --format csv' '--format folded'; do
	shown expected $options by_hand
	shown found --compensated $options run
	cmp -s expected found || t_fail "$options: $(diff expected found | head -n 5)"
	shown plain $options run
	if cmp -s plain found; then t_fail "$options: the same as what was recorded"; fi
	left "$options"
done
(unset TMPDIR && shown beside --compensated --format json run)
shown found --compensated --format json run
cmp -s beside found || t_fail 'another result without TMPDIR'
left 'without TMPDIR'

# What was removed stands below the head; the same of a trace that was compensated before.
"$profile" --compensated run >text 2>err || t_fail "status $?: $(cat err)"
t_equal 'the name of the archive' run "$(head -n 1 text)"
grep -q '^  compensated (frequency): ' text || t_fail "no word of compensation: $(head -n 5 text)"
"$profile" --compensated by_hand >text 2>err || t_fail "of a compensated trace: status $?: $(cat err)"
grep -q '^compensated before (frequency)' text || t_fail "no word of compensation: $(head -n 5 text)"
shown found --compensated --format json by_hand
shown expected --format json by_hand
cmp -s expected found || t_fail "compensated twice: $(diff expected found | head -n 5)"

"$profile" --compensated --save saved run 2>err || t_fail "--save: status $?: $(cat err)"
shown found --format json saved
cmp -s expected found || t_fail "saved: $(diff expected found | head -n 5)"
left 'of a compensated trace'

if command -v mpirun >/dev/null && . "$t_tests/mpirun.sh" && mpirun -n 1 true 2>/dev/null; then
	mpirun -n 3 "$profile" --compensated --format json run >found 2>err || t_fail "job: status $?: $(cat err)"
	sed -i 's/"archive": *"[^"]*"/"archive": ""/' found
	cmp -s expected found || t_fail "three processes: $(diff expected found | head -n 5)"
	left 'three processes'
fi

# What cannot be done: one line.
for archive in bare nothing; do
	MEASURE_EVENT_COSTS=$work/no_table "$profile" --compensated $archive >out 2>err
	t_equal "$archive: status" 2 $?
	t_equal "$archive: lines" 1 "$(t_lines err)"
	t_equal "$archive: output" '' "$(cat out)"
	[ $archive = nothing ] || grep -q -e '--calibrate-events' err || t_fail "no remedy: $(cat err)"
	left "$archive"
done
"$profile" --compensated --score run 2>err
t_equal 'status of --compensated --score' 2 $?

# Killed while the copy is made.
t_record long -- ./calls throttled
for signal in TERM HUP; do
	"$profile" --compensated long >out 2>err &
	pid=$!
	t_wait 20 sh -c 'ls room/.compensated-*' || t_fail "$signal: no copy"
	kill -$signal $pid
	wait $pid
	status=$?
	t_equal "how it ended after $signal" $signal "$(kill -l $status)"
	left "$signal"
done
t_end
