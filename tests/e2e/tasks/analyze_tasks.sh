#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-analyze --tasks prints durations, bounds and expectations of a task program: those of a program that meets all but what a busy machine disturbs, and of one that meets none
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
cd "$work" || exit 1
command -v python3 >/dev/null || t_skip 'no python3'
cc=${CC:-cc}
$cc -std=gnu11 -O1 -g -pthread -I"$t_source/lib/api" -o expectations.x "$t_here/expectations.c" || t_skip 'no compiler'

# analyzed STATUS ARGUMENT...: into out and err
analyzed()
{
	timeout 60 "$analyze" "${@:2}" >out 2>err
	t_equal "${*:2}: status" "$1" $?
}

# found WHAT EXPRESSION: it is true of the JSON in out
found()
{
	python3 -c '
import json, sys
found = json.load(open("out"))
tasks = found["tasks"]
expected = {row["name"]: row for row in tasks["expectations"]}
bounds = (tasks["bounds"] or [None])[0]
assert eval(sys.argv[1])' "$2" 2>said || t_fail "$1: not so: $2: $(cat out)"
}

t_record good -- ./expectations.x good
t_wait 20 test ! -e good/.parts
analyzed 0 --tasks --format json good
found 'schema' 'found["schema"] == 1 and found["archive"] == "good/traces.otf2"'
found 'numbers' 'tasks["number"] == tasks["executed"] == 160 and tasks["classes"] == [{"class": "thread", "workers": 2}]'
found 'types' 'len(tasks["types"]) == 1 and tasks["types"][0]["tasks"] == 160 and tasks["types"][0]["application"]'
found 'durations' 'all(2e5 <= tasks["types"][0][name] < 1e7 for name in ("min_ns", "lower_quartile_ns", "median_ns", "mean_ns", "upper_quartile_ns"))'
found 'bounds' '0 < bounds["area_bound_ns"] <= bounds["makespan_ns"] and bounds["critical_path_ns"] <= bounds["makespan_ns"] and bounds["process"] is None'
found 'makespan' 'abs(tasks["until_ns"] - tasks["from_ns"] - bounds["makespan_ns"]) < 2'
found 'area bound' 'abs(bounds["area_bound_ns"] - 80 * tasks["types"][0]["mean_ns"]) < 1e-6 * bounds["area_bound_ns"]'
found 'all ready at first' 'expected["enough ready tasks"]["passed"]'
found 'iterations' 'expected["iterations overlap"]["passed"] and expected["iterations overlap"]["value"] > 8'
found 'no messages' 'expected["no late messages"]["passed"] is None'
found 'nothing unknown' 'not any(tasks["unknown"].values())'

t_record bad -- ./expectations.x bad
t_wait 20 test ! -e bad/.parts
analyzed 0 --tasks --format json bad
found 'bad: numbers' 'tasks["number"] == 163 and tasks["executed"] == 161'
found 'bad: all fail' '[row["name"] for row in tasks["expectations"] if row["passed"] is not False] == []'
found 'bad: late' 'expected["no late messages"]["value"] > 0.02'
found 'bad: sentences' 'all(any(c.isdigit() for c in row["text"]) for row in tasks["expectations"])'

analyzed 0 --tasks bad
for words in 'area bound' 'critical path' '163 tasks, 161 of the application executed, 1 process; workers: 2 thread' \
	'NO      uniform durations: half of the tasks step on thread' 'NO      no late messages: workers waited'; do
	grep -q -F -- "$words" out || t_fail "text: no '$words' in: $(cat out)"
done
t_equal 'text: longest line' yes "$(awk 'length > 80 { long = 1 } END { print long ? "no" : "yes" }' out)"

# Without tasks, and what does not go together.
$cc -std=gnu11 -O1 -finstrument-functions -o empty.x -xc - <<-'EOF'
	int main(void) { return 0; }
EOF
t_record empty -- ./empty.x
t_wait 20 test ! -e empty/.parts
analyzed 0 --tasks empty
t_equal 'no tasks' 'no tasks in empty/traces.otf2' "$(cat out)"
analyzed 0 --tasks --format json empty
found 'no tasks' 'tasks["number"] == 0 and tasks["types"] == tasks["bounds"] == tasks["expectations"] == []'
analyzed 2 --tasks --what-if network=ideal good
grep -q -F -- '--tasks' err || t_fail "--what-if: $(cat err)"
t_end
