#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: an independent program that reads what otf2-print prints finds the same waits of MPI calls as measure-analyze, in recordings of test programs and in generated archives whose clocks are wrong
# ORACLE_ALL=yes tests/e2e/waits/oracle.sh: of all MPI test programs, instead of some (3 min)
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
generate=$t_build/tests/sync/generate
t_need_mpirun
command -v python3 >/dev/null || t_skip 'no python3'
command -v otf2-print >/dev/null || t_skip 'no otf2-print'
export PYTHONDONTWRITEBYTECODE=1 T_SCRATCH=$work
all=${ORACLE_ALL:-no}
nr_compared=0
cd "$work" || exit 1

# compared NAME: the archive of that name
compared()
{
	timeout 60 "$analyze" --sync none --rendezvous=0 --format json "$1" >"$1.json" 2>err
	t_equal "$1: status" 0 $?
	timeout 100 python3 "$t_here/oracle.py" "$1/traces.otf2" "$1.json" >said 2>&1 || t_fail "$1: $(cat said)"
	echo "$1: $(tail -n 1 said)"
	nr_compared=$((nr_compared + 1))
}

# recorded NAME RANKS COMMAND...: and compared
recorded()
{
	launcher="mpirun -n $2"
	t_record "$1" -- "${@:3}"
	case $? in
	0) compared "$1" ;;
	77) echo "$1: not compared: the program cannot do here what it is for" ;;
	*) t_fail "$1: not recorded: $(cat words)" ;;
	esac
}

# ranks_of SOURCE: as its first comment says
ranks_of()
{
	sed -n 's/^\( \*\|!\) Ranks: //p; /\*\//q' "$1" | head -n 1
}

# compiled RANKS SOURCE [ARGUMENT]...: C with instrumented functions, recorded and compared
compiled()
{
	name=$(basename "$2" .c)
	mpicc -std=gnu11 -g -O1 -fopenmp -finstrument-functions -I "$t_source/lib/api" -o "$name.x" "$t_source/$2" -lpthread -lm 2>words ||
		t_fail "$2: does not compile: $(cat words)"
	recorded "$name" "$1" "./$name.x" "${@:3}"
}

# Programs of the MPI adapter's tests: make builds them. All, or those with the most kinds of waits.
for program in "$t_build"/tests/adapter/mpi/*/*.mpi; do
	name=$(basename "$program" .mpi)
	source=$t_tests/${program#"$t_build"/tests/}
	case $all,$name in
	*,ports) continue ;; # two jobs, which its own script starts
	yes,* | no,blocking_coll | no,nonblocking_coll | no,intercommunicators | no,blocking_p2p | no,nonblocking_p2p | \
		no,persistent_p2p | no,rma_fence | no,threads_p2p) recorded "$name" "$(ranks_of "${source%.mpi}.c")" "$program" ;;
	esac
done
compiled 4 tests/e2e/waits/delays.c
if [ "$all" = yes ]; then
	compiled 3 tests/e2e/programs/mpi_ring.c
	compiled 3 tests/e2e/profile/mixture_mpi.c 20
	compiled 4 tests/e2e/profile/cut_messages.c
	compiled 4 tests/e2e/user/annotated_mpi.c
	compiled 2 tests/e2e/filter/filter_mpi.c
	compiled 4 tests/sync/recorded_archives.c 2
	compiled 2 tests/adapter/pthread/mpi_openmp_threads.c
	compiled 2 doc/examples/heat2d.c
	compiled 4 doc/examples/jacobi.c 60 40 0.1
	for source in "$t_tests"/adapter/mpi/fortran/*.f*; do
		name=fortran_$(basename "$source" | tr . _)
		form='-cpp -ffree-line-length-none -DUSE_MPI'
		[ "${source##*.}" = f90 ] || form=
		mpifort $form -std=legacy -w -o "$name.x" "$source" 2>words || {
			echo "$name: not compared: it does not compile: $(head -n 1 words)"
			continue
		}
		recorded "$name" "$(ranks_of "$source")" "./$name.x"
	done
fi

# Clocks that were measured, and those that were not: many messages arrive before they are sent.
for ((seed = 1; seed <= (${#all} > 2 ? 10 : 2); seed++)); do
	while read -r name arguments; do
		"$generate" --seed $seed --program mixed,windows,order,any $arguments "$name$seed" || t_fail "$name$seed: generate"
		compared "$name$seed"
	done <<-'LIST'
		true --ranks 6 --iterations 200 --renumber 1
		measured --ranks 5 --iterations 200 --spawned 2 --clock offset=200,drift=20 --samples periodic --rtt 30000
		wrong --ranks 4 --threads 3 --iterations 200 --clock offset=20,drift=1
	LIST
done
[ -s "wrong1.json" ] && grep -q '"relation": "message", "violations": [1-9]' wrong1.json || t_fail 'wrong1: no violations'

# It can fail: a nanosecond more, or an instance, is noticed.
sed 's/\("pattern": "late_sender", .*"time_ns": \)\([0-9]*\)\(.*"instances"\)/\19\2\3/' true1.json >changed
! python3 "$t_here/oracle.py" true1/traces.otf2 changed >said || t_fail 'another time is not noticed'
sed '0,/"instances": /s/"instances": /&1/' true1.json >changed
! python3 "$t_here/oracle.py" true1/traces.otf2 changed >said || t_fail 'another number is not noticed'
echo "$nr_compared archives compared"
t_end
