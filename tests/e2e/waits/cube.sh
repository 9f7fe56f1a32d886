#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the file for Cube that measure-analyze --cube writes has, by the description of the format, the times, visits, waits, delays and critical path of measure-analyze and measure-profile in each cell
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
generate=$t_build/tests/sync/generate
cd "$work" || exit 1
command -v python3 >/dev/null || t_skip 'no python3'
[ -x "$generate" ] || t_fail 'tests/sync/generate is not built'

# written NAME STATUS: the analysis of NAME, and its file
written()
{
	timeout 60 "$analyze" --format json --cube "$1.cubex" "$1" >"$1.json" 2>err
	t_equal "$1: status" "$2" $?
	"$t_build/measure-profile" --waits --format json "$1" >"$1.profile" 2>err
	python3 "$t_here/cube.py" "$1.cubex" "$1.json" "$1.profile" >said 2>&1 || t_fail "$1: $(tail -n 2 said)"
}

"$generate" --program mixed --ranks 5 --threads 4 --iterations 60 mixed || t_fail 'generate mixed'
written mixed 0
"$generate" --program mixed --ranks 6 --threads 2 --iterations 100 --clock offset=300,drift=20 --renumber 1 --empty 2 \
	--samples ends numbers || t_fail 'generate numbers'
written numbers 0
"$generate" --program windows --ranks 4 --spawned 2 --created 1 windows || t_fail 'generate windows'
written windows 0
"$measure" -o serial true || t_fail "serial: ended with $?"
written serial 0
. "$t_tests/mpirun.sh"
if mpirun -n 1 true >/dev/null 2>&1 && mpicc -g -O1 -finstrument-functions -o delays "$t_here/delays.c" 2>err; then
	mpirun -n 4 "$measure" -o mpi ./delays || t_fail "delays: ended with $?"
	written mpi 0
fi

# The same bytes, with any number of threads; beside a copy.
"$analyze" -t 3 --cube again.cubex --save copy mixed >out || t_fail "--save: ended with $?"
cmp -s mixed.cubex again.cubex || t_fail 'another file'
[ -f copy/traces.otf2 ] || t_fail 'no copy'

# Names that are there, and others that are wrong: one line.
for file in mixed.cubex name nowhere/file.cubex; do
	"$analyze" --cube "$file" mixed >out 2>err
	t_equal "$file: status" 2 $?
	t_equal "$file: lines" 1 "$(t_lines err)"
	grep -q -e "--cube: '\?$file" err || t_fail "$file: $(cat err)"
done
cmp -s mixed.cubex again.cubex || t_fail 'mixed.cubex: written again'
t_end
