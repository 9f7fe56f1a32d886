#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure --calibrate-events writes a table of costs, which archives then have; a damaged one harms no run
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
command -v python3 >/dev/null || t_skip 'no python3'
export XDG_CACHE_HOME=$work/cache TMPDIR=$work/scratch
unset MEASURE_EVENT_COSTS
mkdir scratch

# Settings of the user's are about other runs.
MEASURE_FILTER=nowhere MEASURE_ADAPTERS=none MEASURE_OUTPUT=elsewhere "$measure" --lenient --calibrate-events -n 7 >out 2>err ||
	t_fail "status $?: $(cat err)"
table=$(echo cache/measure/event-costs/*)
[ -f "$table" ] || t_fail "no table: $(find cache)"
grep -qF "$work/$table" out || t_fail "says where: $(cat out)"
[ ! -e elsewhere ] || t_fail 'the table is where run directories are'
t_equal 'files left over' '' "$(ls scratch)"

# What is measured is positive; by how much is a matter of the machine.
cat >check.py <<'P'
import sys
kinds = 'FUNCTION_ENTER FUNCTION_LEAVE CALL_ENTER CALL_LEAVE MESSAGE METRIC OTHER RECORD'.split()
lines = [line.split(' ', 1) for line in open(sys.argv[1]).read().splitlines() if line[0] != '#']
assert lines[0][0] == 'processor' and lines[0][1]
curves = dict(lines[1:])
reference = float(curves.pop('REFERENCE'))
costs = {}
assert sorted(curves) == sorted(kind + '::' + words for kind in kinds for words in ('none', 'l1', 'l2', 'llc'))
for name, curve in curves.items():
	points = [[float(number) for number in point.split(':')] for point in curve.split()]
	rates = [point[0] for point in points]
	assert rates == sorted(set(rates)) and 1e3 < rates[0] and rates[-1] < 1e9, (name, rates)
	assert len(points) >= 3, (name, points)
	for rate, before, after, low, high in points:
		assert before >= 0 and after >= 0 and 0 <= low <= before + after + 0.02 and before + after <= high + 0.02, name
	if len(sys.argv) > 2:
		continue
	costs.setdefault(name.split('::')[0], []).append(points[-1][1] + points[-1][2])
# At the highest rate, events one behind the other, of four working sets: other programs may disturb some of them.
for kind, found in costs.items():
	assert min(found) < 2000 and max(found) > 0.5, (kind, found)
# Reference events are the events of functions without the call and the look for the region.
if costs:
	pair = min(costs['FUNCTION_ENTER']) + min(costs['FUNCTION_LEAVE'])
	assert 0.3 < reference / (pair / 2) < 3, (reference, pair)
P
python3 check.py "$table" || t_fail "the table: $(cat "$table")"

# An archive of this node has it, with names in capitals, as OTF2 wants them; MEASURE_EVENT_COSTS names another one.
of_archive()
{
	"$t_build/measure-profile" --properties "$1" | sed -n 's/^MEASURE:://; s/^EVENT_COSTS[ =]*/processor /p; s/^EVENT_COST:://p' | sort
}
of_table()
{
	awk '/^processor / { print; next } !/^#/ { print toupper($1), substr($0, length($1) + 2) }' "$1" | sort
}
"$measure" -o with "$behave" exit 0 || t_fail "a run: $?"
of_archive with >archived
of_table "$table" | diff - archived || t_fail 'properties are not the table'
t_sound "$work/with"

"$measure" --calibrate-events -n 2 --output named >/dev/null || t_fail "--output: $?"
python3 check.py named 'any speed' || t_fail "the named table: $(cat named)"
MEASURE_EVENT_COSTS=$work/named "$measure" -o other "$behave" exit 0
of_archive other >archived
of_table named | diff - archived || t_fail 'properties are not those of the named table'

# No table, or a damaged one: a run is what it is without.
damaged()
{
	MEASURE_EVENT_COSTS=$work/$1 "$measure" -o "run.$1" "$behave" exit 7 >out 2>err
	t_equal "status with $1" 7 $?
	t_equal "what is said of $1" '' "$(cat err)"
	t_equal "properties of $1" '' "$(of_archive "run.$1")"
	t_sound "$work/run.$1"
}
damaged nothing
sed '4 { s/:[^:]*$/:/; q; }' "$table" >cut
damaged cut
head -c 100000 /dev/urandom >noise
damaged noise
head -c 1000000 /dev/zero >zeros
damaged zeros
mkfifo pipe
damaged pipe
mkdir directory
damaged directory
sed 's/^MESSAGE::l1 /MESSAGE::l1 nan:1:1:1:1 /' "$table" >wrong
damaged wrong

"$measure" --calibrate-events true 2>err
t_equal 'status with a program' 2 $?
"$measure" --calibrate-events --output /dev/null/table -n 2 >/dev/null 2>err
t_equal 'status where nothing can be written' 2 $?
t_equal 'lines about that' 1 "$(t_lines err)"
t_end
