#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: a trace larger than event memory is whole in every mode but end, where the loss is counted
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

cat >busy.c <<'C'
__attribute__((noinline)) static int f(int n) { return n + 1; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 100000; i++)
		sum += f(i) & 1;
	return sum == 50000 ? 7 : 1;
}
C
${CC:-cc} -O1 -finstrument-functions -o busy busy.c || t_skip 'no compiler'

# events DIRECTORY: Enters and Leaves; BufferFlush events, where the program had to wait, not counted
events()
{
	otf2-print "$1/traces.otf2" | grep -c -E '^(ENTER|LEAVE) '
}

for mode in always full; do
	"$measure" -o $mode -b 1M --spool $mode ./busy
	t_equal "$mode: status" 7 $?
	t_sound "$work/$mode"
	t_equal "$mode: events" 200002 "$(events $mode)"
	grep -q "^spool = $mode" $mode/measure.cfg || t_fail "$mode: not in measure.cfg"
done

timeout 60 "$measure" -o end -b 1M --spool end ./busy
t_equal 'end: status' 7 $?
t_sound "$work/end"
[ "$(events end)" -lt 100000 ] || t_fail "end: $(events end) events in 1 MB"
grep -q 'events\? \(was\|were\) lost because event memory was full' end/summary.txt ||
	t_fail "end: summary: $(cat end/summary.txt)"

"$measure" -o large -b 64M --chunk 1M --spool end ./busy
t_sound "$work/large"
t_equal 'large: events' 200002 "$(events large)"
t_end
