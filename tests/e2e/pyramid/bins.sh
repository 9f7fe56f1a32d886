#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: bins of the level-of-detail pyramid have what Python's otf2 module finds in them, of recorded programs and random archives; any number of threads and processes makes the same; PYRAMID_SEEDS='1 500' tries as many
. "$(dirname "$0")/../lib.sh"
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 module of Python'
profile=$t_tests/e2e/profile
cc=${CC:-cc}
cd "$work" || exit 1
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false
. "$t_tests/mpirun.sh"

# agree DIRECTORY MOST-BINS
agree()
{
	t_wait 20 test ! -e "$1/.parts"
	"$t_build/tests/e2e/pyramid/print_bins" "$1" 1 $2 >one 2>words || t_fail "$1: status $?: $(cat words)"
	"$t_build/tests/e2e/pyramid/print_bins" "$1" 3 $2 | cmp - one || t_fail "$1: other bins with 3 threads"
	"$python" "$t_here/bins.py" "$1"/*.otf2 one >words 2>&1 || t_fail "$1: $(head -n 12 words)"
	echo "$1: $(tail -n 1 words)"
}

for seed in $(seq ${PYRAMID_SEEDS:-1 6}); do
	rm -rf archive
	"$python" "$profile/random_archive.py" $seed archive 2>words || t_skip "Python cannot write archives: $(tail -n 1 words)"
	agree archive 256
done

$cc -std=gnu11 -O1 -g -pthread -finstrument-functions -o calls.x "$profile/calls.c" || t_skip 'no compiler'
t_record calls -- ./calls.x
agree calls 1024
if $cc -O1 -g -fopenmp -finstrument-functions -o tasks.x "$profile/tasks.c" 2>words; then
	t_record tasks -- ./tasks.x
	agree tasks 1024
fi
if mpicc -std=gnu11 -O1 -g -fopenmp -o heat2d "$t_source/doc/examples/heat2d.c" -lm 2>words && mpirun -n 1 true 2>words; then
	OMP_NUM_THREADS=2 mpirun -n 2 "$measure" -o hybrid ./heat2d >words 2>&1
	agree hybrid 1024
	module=$t_build/.libs/libmeasure-sync-mpi.so
	for ranks in 2 3 7; do # there are four locations
		mpirun -n $ranks "$t_build/tests/e2e/pyramid/print_bins" hybrid 2 1024 "$module" | cmp - one ||
			t_fail "hybrid: other bins with $ranks processes"
	done
fi

# Written by another tool.
. "$t_tests/mpirun.sh"
. "$t_tests/eztrace.sh"
eztrace_ring "$t_programs/mpi_ring.c" 3 && agree ring_trace 1024
t_end
