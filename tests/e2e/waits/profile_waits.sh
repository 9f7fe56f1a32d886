#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-profile --waits has the waits, delays and critical path of measure-analyze by region and call path, in text, CSV and JSON, and changes nothing else; what it does not go with is told in one line
. "$(dirname "$0")/../lib.sh"
profile=$t_build/measure-profile
generate=$t_build/tests/sync/generate
cd "$work" || exit 1
command -v python3 >/dev/null || t_skip 'no python3'
[ -x "$generate" ] || t_fail 'tests/sync/generate is not built'

# compared NAME IS_SAME: the JSON of measure-profile with and without --waits, its CSV, and the JSON of measure-analyze
compared()
{
	"$profile" --format json "$1" >plain || t_fail "$1: ended with $?"
	"$profile" --format json --waits "$1" >waits || t_fail "$1: --waits ended with $?"
	"$profile" --format csv --by path --waits "$1" >paths || t_fail "$1: csv ended with $?"
	"$t_build/measure-analyze" --format json "$1" >analysis || t_fail "$1: measure-analyze ended with $?"
	python3 - "$2" <<'PYTHON' >said 2>&1 || t_fail "$1: $(tail -n 2 said)"
import collections, csv, json, sys
plain, waits, analysis = (json.load(open(name)) for name in ("plain", "waits", "analysis"))
names = ("waiting_ns", "delay_short_ns", "delay_long_ns", "critical_ns")
added = {row["pattern"] for row in analysis["patterns"] if row["counts"] == "added"}
expected = collections.defaultdict(collections.Counter)
for row in analysis["waits"]:
    if row["pattern"] in added:
        expected[row["path"]]["waiting_ns"] += row["time_ns"]
for row in analysis["delays"]:
    expected[row["path"]]["delay_short_ns"] += row["short_term_ns"]
    expected[row["path"]]["delay_long_ns"] += row["long_term_ns"]
for row in analysis["critical_path"]["paths"]:
    expected[row["path"]]["critical_ns"] += row["time_ns"]
found = {row["id"]: collections.Counter({name: row[name] for name in names if row[name]}) for row in waits["paths"]}
assert sum(row["waiting_ns"] for row in waits["paths"]) == analysis["waiting_ns"] > 0
for path in set(found) | set(expected):
    assert found.get(path, {}) == +expected[path], (path, found.get(path), expected[path])
for name in names:
    assert sum(row[name] for row in waits["regions"]) == sum(row[name] for row in waits["paths"]) > 0, name
table = list(csv.DictReader(open("paths")))
assert sum(int(row["waiting_ns"]) for row in table) == analysis["waiting_ns"]
assert sum(int(row["critical_ns"]) for row in table) == analysis["critical_path"]["time_ns"]
if sys.argv[1] == "same":
    for key in plain:
        if key in ("regions", "paths"):
            rest = [{name: row[name] for name in row if name not in names} for row in waits[key]]
            assert [row for row in rest if not row["name"].startswith("(before") and not row["name"].startswith("(after")] == plain[key], key
        else:
            assert plain[key] == waits[key], key
PYTHON
}

"$generate" --program mixed --ranks 5 --threads 4 --iterations 60 mixed || t_fail 'generate mixed'
compared mixed same
# In corrected times, as measure-analyze.
"$generate" --program mixed --ranks 5 --threads 4 --iterations 60 --clock offset=500,drift=20 clocks || t_fail 'generate clocks'
compared clocks other
"$profile" --waits clocks >out
grep -q 'times are corrected, as by measure-sync' out || t_fail "clocks: $(head -n 6 out)"

for arguments in '' '--by path' '--tree' '--tree --sort waiting' '--filter filter'; do
	printf 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE main\nSCOREP_REGION_NAMES_END\n' >filter
	"$profile" --waits $arguments mixed >out 2>err
	t_equal "$arguments: status" 0 $?
	t_equal "$arguments: titles" 1 "$(grep -c 'total   waiting    delays  critical' out)"
	t_equal "$arguments: columns" 0 "$(awk 'NR > 4 && !NF {exit} length > 80' out | wc -l)"
done
"$profile" --waits --by path --sort waiting --format csv mixed | cut -d, -f 13 | tail -n +2 >order
sort -cnr order || t_fail "--sort waiting: $(head -n 5 order)"
"$profile" --waits --format html-fragment mixed | grep -q '<th>critical_ns</th>' || t_fail 'html-fragment: no columns'

# What it does not go with.
"$profile" --save saved mixed || t_fail "--save: ended with $?"
while read -r arguments; do
	"$profile" $arguments >out 2>err
	t_equal "$arguments: status" 2 $?
	t_equal "$arguments: lines" '0 1' "$(t_lines out) $(t_lines err)"
	grep -q -e '--waits' err || t_fail "$arguments: $(cat err)"
done <<'END'
--waits --from 1 mixed
--waits --until 50% mixed
--waits --by process mixed
--waits --by paradigm mixed
--waits --format folded mixed
--waits --score mixed
--waits --save other mixed
--waits --summary mixed
--sort waiting mixed
--waits saved
END

if [ -f "$t_build/.libs/libmeasure-sync-mpi.so" ]; then
	t_need_mpirun
	mpirun -n 3 "$profile" --waits --format json mixed >out 2>err
	t_equal 'job: status' 0 $?
	"$profile" --waits --format json mixed | cmp -s - out || t_fail 'job: differs'
fi
t_end
