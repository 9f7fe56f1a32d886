#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: every panel of task programs, and measure-analyze --tasks, has the numbers that Python's otf2 module finds, of OpenMP tasks, of a run-time system made of measure.h, and of StarPU
. "$(dirname "$0")/../lib.sh"
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 module of Python'
grep -q '^LPSOLVE_LIBS = .' Makefile || t_skip 'built without lp_solve'
cc=${CC:-cc}
cd "$work" || exit 1
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false
print=$t_build/tests/e2e/tasks/print_panels

# agree DIRECTORY SLICES: in so many slices and a short one
agree()
{
	t_wait 20 test ! -e "$1/.parts"
	"$print" "$1" 0 st >lines 2>words || t_fail "$1: status $?: $(cat words)"
	step=$(awk -v slices=$2 '$1 == "panel" { print int(($4 - $3) / slices) }' lines)
	"$print" "$1" "$step" all >lines 2>words || t_fail "$1: status $?: $(cat words)"
	"$t_build/measure-analyze" --tasks --format json "$1" >json 2>words || t_fail "$1: status $?: $(cat words)"
	"$python" "$t_here/panels.py" "$1"/*.otf2 lines json >words 2>&1 || t_fail "$1: $(head -n 12 words)"
	echo "$1: $(tail -n 1 words)"
}

# Each panel that is named shows something.
show()
{
	directory=$1
	shift
	for panel in "$@"; do
		"$print" "$directory" 0 "$panel" | grep -q '^value\|^box' || t_fail "$directory: panel $panel is empty"
	done
}

$cc -std=gnu11 -O1 -g -pthread -I"$t_source/lib/api" -o workers.x "$t_here/panels_workers.c" || t_skip 'no compiler'
t_record workers -- ./workers.x
agree workers 97
agree workers 3
# also by the names that StarVZ has
show workers kiteration st starpu ready submitted lackready gflops gpubandwidth mpibandwidth mpiconcurrent \
	mpiconcurrentout usedmemory handles imbalance power_imbalance utilheatmap memory.state st-dynamic
if $cc -O1 -g -fopenmp -finstrument-functions -o tasks.x "$t_tests/e2e/profile/tasks.c" 2>words; then
	t_record tasks -- ./tasks.x
	agree tasks 97
	show tasks st ready submitted utilheatmap imbalance progress
fi
if flags=$(pkg-config --cflags --libs starpu-1.3 2>words) && [ -e "$t_build/.libs/libmeasure-starpu.so" ]; then
	# shellcheck disable=SC2086 # several flags on purpose
	$cc -std=gnu11 -O1 -g -o starpu.x "$t_here/panels_starpu.c" $flags || t_fail 'panels_starpu.c does not compile'
	export STARPU_NCPU=2 STARPU_SILENT=1 STARPU_HOME=$work
	t_record starpu -- ./starpu.x
	agree starpu 97
	show starpu st starpu ready submitted handles gflops iteration
fi
t_end
