#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-profile's JSON equals what Python's otf2 module and the text of otf2-print add up to, of archives of all kinds; with any number of threads
. "$(dirname "$0")/../lib.sh"
for python in /usr/bin/python3 python3; do
	"$python" -c 'import otf2' 2>"$work/words" && break
	python=
done
[ -n "$python" ] || t_skip 'no otf2 module of Python'
command -v otf2-print >"$work/words" || t_skip 'no otf2-print'
cc=${CC:-cc}
tests=$t_tests
cd "$work" || exit 1
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false KMP_WARNINGS=false
. "$tests/mpirun.sh"
nr_archives=0

# agree NAME [DIRECTORY]: both oracles, and 1, 2 and 5 threads
agree()
{
	dir=${2:-$1}
	t_wait 20 test ! -e "$dir/.parts"
	anchor=$(ls "$dir"/*.otf2 2>words) || { t_fail "$1: no archive"; return; }
	"$t_build/measure-profile" -t 1 --format json "$dir" >"$1.json" 2>words || t_fail "$1: status $?: $(cat words)"
	for threads in 2 5; do
		"$t_build/measure-profile" -t $threads --format json "$dir" | cmp - "$1.json" ||
			t_fail "$1: other results with $threads threads"
	done
	"$python" "$t_here/totals.py" "$anchor" "$1.json" >words 2>&1 || t_fail "$1: Python: $(cat words)"
	echo "$1: $(tail -n 1 words)"
	otf2-print "$anchor" >"$1.text" 2>otf2.words || t_fail "$1: otf2-print: $(cat words)"
	resolution=$(otf2-print -G "$anchor" 2>otf2.words | sed -n 's/^CLOCK_PROPERTIES.*Ticks per Seconds: \([0-9]*\).*/\1/p')
	LC_ALL=C awk -f "$t_here/totals.awk" "$1.text" >"$1.totals"
	"$python" "$t_here/totals_of_text.py" "$1.totals" "$1.json" "$resolution" >words 2>&1 ||
		t_fail "$1: otf2-print: $(cat words)"
	nr_archives=$((nr_archives + 1))
}

# record NAME [OPTION]... -- COMMAND...
record()
{
	t_record "$@"
	agree "$1"
}

$cc -std=gnu11 -O1 -g -pthread -finstrument-functions -o calls.x "$t_here/calls.c" || t_skip 'no compiler'
record calls -- ./calls.x
record killed -- ./calls.x killed
printf 'SCOREP_REGION_NAMES_BEGIN\n EXCLUDE leaf\nSCOREP_REGION_NAMES_END\n' >rules
record filtered --filter rules -- ./calls.x
record counters -m rusage:ru_minflt,rusage:ru_nvcsw -- ./calls.x
MEASURE_OVERHEAD= record throttled --overhead=0.1 -- ./calls.x throttled
record allocations -a +memory -- ./calls.x
record sampled --sample 997 -- ./calls.x busy

$cc -std=gnu11 -O1 -I "$tests/adapter/pthread" -I "$tests" -pthread -o locks.x "$tests/adapter/pthread/locks.c" && record locks --pthread-groups=all -- ./locks.x
$cc -std=gnu11 -O1 -o files.x "$tests/e2e/io/bytes_by_file.c" && record files -a +posixio -- ./files.x "$work"

$cc -std=gnu11 -O1 -g -I "$t_source/lib/api" -o annotated "$tests/e2e/user/annotated.c" -lpthread -ldl -lm
for mode in unbalanced switched threads; do
	record $mode -- ./annotated $mode
done
$cc -std=gnu11 -O1 -g -I "$t_source/lib/api" -o iterations.x "$t_here/iterations.c" -ldl && record iterations -- ./iterations.x

if $cc -O1 -g -fopenmp -finstrument-functions -o tasks.x "$t_here/tasks.c" 2>words; then
	record tasks -- ./tasks.x
fi
clang=$(sed -n 's/^CLANG = //p' "$t_build/Makefile")
if ${clang:-clang} -O1 -g -fopenmp -finstrument-functions -o tasks.clang "$t_here/tasks.c" 2>words; then
	record clang -- ./tasks.clang
fi

if mpicc -std=gnu11 -O1 -g -fopenmp -o heat2d "$t_source/doc/examples/heat2d.c" -lm 2>words && mpirun -n 1 true 2>words; then
	OMP_NUM_THREADS=2 mpirun -n 2 "$measure" -o hybrid ./heat2d >words 2>&1
	agree hybrid
	"$t_build/measure-sync" hybrid -o corrected >words 2>&1 || t_fail "measure-sync: $(cat words)"
	agree corrected
fi

# Programs of other tests, where they are built. TOTALS_ALL=yes: all of them.
few='openmp_tasks.omp nested_regions.omp detached_tasks.llvm nonblocking_p2p.mpi
	intercommunicators.mpi rma_lock.mpi mpi_files.mpi'
for program in "$t_build"/tests/adapter/*/*.omp "$t_build"/tests/adapter/*/*.llvm "$t_build"/tests/adapter/*/*/*.mpi; do
	name=${program##*/}
	case " ${TOTALS_ALL:+$name} $(echo $few) " in
	*" $name "*) ;;
	*) continue ;;
	esac
	[ -x "$program" ] || continue
	case $name in
	*.mpi) timeout 100 mpirun -n 4 "$measure" -o "$name" "$program" >words 2>&1 ;;
	*) timeout 100 "$measure" -o "$name" "$program" >words 2>&1 ;;
	esac
	# They are judged elsewhere; some start other programs, or none on a busy machine.
	if t_wait 5 ls "$name"/traces.otf2; then
		agree "$name"
	else
		echo "not compared: $name leaves no archive: $(tail -n 1 words)"
	fi
done

# Written by another tool.
. "$t_tests/mpirun.sh"
. "$t_tests/eztrace.sh"
eztrace_ring "$t_programs/mpi_ring.c" 3 && agree eztrace ring_trace

# Jobs that never ran, with clocks that are wrong.
generate=$t_build/tests/sync/generate
if [ -x "$generate" ]; then
	"$generate" --program halo,collectives,windows --ranks 3 --iterations 20 --clock offset=500,drift=20 --truth truth made
	agree made
fi
echo "$nr_archives archives"
[ $nr_archives -ge 12 ] || t_fail "only $nr_archives archives"
t_end
