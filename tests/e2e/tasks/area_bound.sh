#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the area bound of what was recorded of a StarPU program with two classes of workers is the one that StarPU computes of its own models
. "$(dirname "$0")/../lib.sh"
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 module of Python'
grep -q '^LPSOLVE_LIBS = .' Makefile || t_skip 'built without lp_solve'
cc=${CC:-cc}
cd "$work" || exit 1
flags=$(pkg-config --cflags --libs starpu-1.3 2>words) || t_skip 'no StarPU 1.3'
[ -e "$t_build/.libs/libmeasure-starpu.so" ] || t_skip 'built without the adapter of StarPU'
# shellcheck disable=SC2086 # several flags on purpose
$cc -std=gnu11 -O1 -g -o area_bound.x "$t_here/area_bound_starpu.c" $flags || t_fail 'area_bound_starpu.c does not compile'
# Models of this run alone, of all durations, on OpenCL devices that are processors.
export STARPU_SILENT=1 STARPU_NCPU=2 STARPU_NOPENCL=1 STARPU_OPENCL_ON_CPUS=1 STARPU_CALIBRATE=2 STARPU_HISTORY_MAX_ERROR=1000000

# How much the bounds differ, of StarPU's; the one of all tasks is compared with what panels.py finds, too.
difference()
{
	"$python" -c '
import json, sys
sys.path.insert(0, sys.argv[1])
import panels
found = json.load(open("json"))["tasks"]
workers = {row["class"]: row["workers"] for row in found["classes"]}
assert len(workers) == 2, workers
def bound(rows):
    counts = {}
    for row in rows:
        counts[row["type"]] = counts.get(row["type"], 0) + row["tasks"]
    return panels.area_bound(counts, {(row["type"], row["class"]): row["mean_ns"] for row in rows}, workers) / 1e6
rows = [row for row in found["types"] if row["application"]]
said = found["bounds"][0]["area_bound_ns"]
assert said is None or abs(said / 1e6 / bound(rows) - 1) < 1e-6, (said, bound(rows))
print(abs(bound([row for row in rows if row["type"] != "first"]) / float(open("out").read()) - 1))' "$t_here"
}

# StarPU reads its clock beside Measure, not with it: a thread that is interrupted between the two makes a difference.
for try in 1 2 3 4 5; do
	rm -rf run home
	mkdir home
	STARPU_HOME=$work/home timeout 100 "$measure" -o run ./area_bound.x >out 2>words
	[ -s out ] || t_skip "StarPU has no OpenCL device: $(tail -n 1 words)"
	t_wait 20 test ! -e run/.parts
	"$t_build/measure-analyze" --tasks --format json run >json 2>words || t_fail "status $?: $(cat words)"
	"$python" -c 'import json; exit(len(json.load(open("json"))["tasks"]["classes"]) != 2)' || t_skip 'no OpenCL worker'
	found=$(difference 2>words) || t_fail "$(tail -n 3 words)"
	echo "try $try: $found of StarPU's bound"
	if awk "BEGIN { exit !($found <= 0.001) }"; then
		t_end
	fi
done
t_fail 'the bounds differ by more than 0.1 %'
t_end
