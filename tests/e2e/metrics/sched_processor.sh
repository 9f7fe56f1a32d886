#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: --metrics=sched:processor tells which processor each thread was on: where that changes, and nowhere else
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
${CC:-cc} -O1 -g -pthread -finstrument-functions -o moves "$t_here/sched_processor.c" || t_skip 'no compiler'

# The first and the last that this shell may use; they may be one.
all=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
first=${all%%[-,]*}
last=${all##*[-,]}

# steps DIR: the processor that the metric tells for each call of step(), as often as it is the same in a row, by
# location
steps()
{
	otf2-print "$1/traces.otf2" | awk '
		$1 == "METRIC" { processor[$2] = $0; sub(/.*UINT64; /, "", processor[$2]); processor[$2] += 0 }
		$1 == "ENTER" && /"step"/ {
			if (order[$2] == "" || processor[$2] != was[$2])
				order[$2] = order[$2] " " processor[$2]
			was[$2] = processor[$2]
			nr[$2]++
		}
		END { for (location in order) print nr[location] order[location] }' | sort
}

"$measure" -q -m sched:processor,sched:processor -o run ./moves 100 "$first" "$last" "$first" "$last" ||
	t_fail "ends with $?"
t_sound run
expected="400 $first $last $first $last"
[ "$first" != "$last" ] || expected="400 $first"
t_equal 'processors of the calls' "$expected
$expected" "$(steps run)"

# A record at the first event and for each move; before the first move, it may have been moved by others.
nr=$(otf2-print run/traces.otf2 | grep -c '^METRIC ')
[ "$nr" -ge 2 ] && [ "$nr" -le 20 ] || t_fail "$nr values of 1600 Enters and Leaves"
otf2-print -G run/traces.otf2 | grep -q 'METRIC_CLASS.*Occurrence: SYNCHRONOUS,.*"processor"' ||
	t_fail "class: $(otf2-print -G run/traces.otf2 | grep METRIC)"
otf2-print -G run/traces.otf2 | grep -q '^METRIC_MEMBER.*"processor".*ABSOLUTE_NEXT' ||
	t_fail "member: $(otf2-print -G run/traces.otf2 | grep METRIC)"

# A filter that leaves all calls out leaves these.
"$t_build/measure-sync" --quiet --exclude step run -o run.small || t_fail "measure-sync ends with $?"
t_equal 'values without the calls' "$nr" "$(otf2-print run.small/traces.otf2 | grep -c '^METRIC ')"

# Others beside it, and a wrong name.
"$measure" -q -m sched:processor,rusage:ru_minflt -o both ./moves 10 "$first" || t_fail "both: ends with $?"
t_sound both
"$measure" -m sched:prozessor -o wrong ./moves 1 "$first" 2>words
grep -q 'sched:prozessor: unknown metric; similar names: processor' words || t_fail "wrong name: $(cat words)"
t_end
