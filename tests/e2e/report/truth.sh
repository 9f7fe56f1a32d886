#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the data of measure-report's page are those of the archive: calls, shares of time in each bin, messages, collectives, waits, the critical path and metrics, as Python's otf2 module, measure-profile and measure-analyze have them; of generated and recorded archives, for any number of threads
. "$(dirname "$0")/lib.sh"
generate=$t_build/tests/sync/generate
nr_compared=0

# compared NAME: the page of the archive of that name
compared()
{
	timeout 100 "$report" --sync none --size 200 -o "$1.html" "$1" >out 2>err
	t_equal "$1: status" 0 $?
	"$t_build/measure-profile" --format json "$1" >"$1.profile"
	"$t_build/measure-analyze" --sync none --format json "$1" >"$1.analysis"
	timeout 200 "$python" "$t_here/truth.py" "$1.html" "$1"/*.otf2 "$1.profile" "$1.analysis" >said 2>&1 ||
		t_fail "$1: $(tail -n 20 said)"
	echo "$1: $(tail -n 1 said)"
	nr_compared=$((nr_compared + 1))
}

# recorded NAME OPTION... -- COMMAND...: and compared
recorded()
{
	name=$1
	shift
	t_record "$name" "$@"
	case $? in
	0) compared "$name" ;;
	77) echo "$name: not compared: the program cannot do here what it is for" ;;
	*) t_fail "$name: not recorded: $(cat words)" ;;
	esac
}

# Of all steps that the generator has.
"$generate" --program mixed --ranks 4 --threads 2 --nodes 2 --iterations 60 generated || t_fail 'generate'
compared generated
"$generate" --program mixed --ranks 6 --threads 4 --nodes 3 --iterations 20 --seed 7 --renumber 1 --empty 2 renumbered || t_fail 'generate'
compared renumbered

# Recorded ones: metrics; MPI and OpenMP, where there are.
if "${CC:-cc}" -O1 -g -finstrument-functions -o sampled "$t_tests/e2e/metrics/sampled_metrics.c" 2>/dev/null; then
	recorded counted -m rusage:ru_minflt,proc:VmRSS,node:load1 --metric-interval 10 -- ./sampled counted
fi
if [ -x "$t_build/doc/examples/heat2d" ] && command -v mpirun >/dev/null; then
	. "$t_tests/mpirun.sh"
	launcher='mpirun -n 2' OMP_NUM_THREADS=2 recorded heat -- "$t_build/doc/examples/heat2d"
fi

# Another tool: regions without a paradigm, ids that are defined twice, clocks that are far apart.
. "$t_tests/mpirun.sh"
. "$t_tests/eztrace.sh"
eztrace_ring "$t_programs/mpi_ring.c" 2 && compared ring_trace

# No number of threads changes anything, whether all fits or not.
for size in 1 40; do
	for threads in 1 2 3; do
		"$report" -t $threads --size $size -o same.$threads.html generated >out || t_fail "-t $threads: $?"
		cmp same.1.html same.$threads.html || t_fail "-t $threads, --size $size: another page"
	done
done

[ $nr_compared -ge 2 ] || t_fail "only $nr_compared archives"
[ $t_failures -eq 0 ]
