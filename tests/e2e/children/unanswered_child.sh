#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a child, or what a process becomes, that no keeper answers goes on without us, and the archive counts it
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
${CC:-cc} -O1 -o unanswered "$t_here/unanswered_child.c" || t_skip 'no compiler'
patience=60

is_recording()
{
	program=$(pgrep -P "$1" -x unanswered) && grep -q 'memfd:measure' "/proc/$program/maps" && sleep 0.2
}

# The child of it that has to wait for the fifo.
is_waiting()
{
	pgrep -P "$program" >"$how.child"
}

# begin HOW: records that, and stops its keeper before it asks
begin()
{
	how=$1
	mkfifo "$how.in" "$how.fifo"
	timeout "$patience" "$measure" --children=follow -o "$how" ./unanswered "$how" "$work/$how.fifo" \
		<"$how.in" >"$how.out" 2>"$how.err" &
	timer=$!
	exec 9>"$how.in"
	t_wait 30 eval "wrapper=\$(pgrep -P $timer -x measure)"
	t_wait 30 is_recording "$wrapper" || t_fail "$how: it does not record"
	keeper=$(t_keeper "$wrapper")
	if [ "$how" = late ]; then
		echo >&9
		t_wait 30 is_waiting || t_fail "$how: no child"
		kill -STOP "$keeper"
		: >"$how.fifo"
	else
		kill -STOP "$keeper"
		echo >&9
	fi
	t_wait 30 eval "! pgrep -P $wrapper -x unanswered" || t_fail "$how: the program hangs"
	kill -CONT "$keeper"
	wait "$timer"
	t_equal "$how: status" 0 $?
	exec 9>&-
	t_wait 30 test ! -e "$how/.parts"
	otf2-print -G "$how/traces.otf2" | grep -q 'MEASURE::UNFOLLOWED.* Value: 1$' ||
		t_fail "$how: nobody says so: $(cat "$how.err" "$how/summary.txt")"
	grep -q '1 child or program after exec was not recorded' "$how/summary.txt" || t_fail "$how: $(cat "$how/summary.txt")"
	t_equal "$how: processes" 1 "$(otf2-print -G "$how/traces.otf2" | grep -c '^LOCATION_GROUP  ')"
	"$MEASURE_CHECK" "$how" >"$how.check" 2>&1 || t_fail "$how: not sound: $(cat "$how.check")"
	[ "$t_failures" = 0 ]
}

jobs=
for way in fork exec spawn late; do
	begin "$way" &
	jobs="$jobs $!"
done
for job in $jobs; do
	wait "$job" || t_failures=$((t_failures + 1))
done

# All is well: nothing is said. Programs that cannot be started are no children.
cat >well.sh <<'S'
true
/nowhere/at-all
./unanswered over
S
"$measure" --children=follow -o well bash ./well.sh >well.out 2>well.err
! grep -q 'not recorded' well/summary.txt || t_fail "well: $(cat well/summary.txt)"
t_end
