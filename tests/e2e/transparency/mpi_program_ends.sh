#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: however an MPI program ends (MPI_Finalize by a handler, a destructor, another thread or
# not at all, exit() while others wait, a second MPI_Init), it ends as without measure and leaves a sound archive
. "$(dirname "$0")/../lib.sh"
command -v mpicc >/dev/null || t_skip 'no mpicc'
cd "$work" || exit 1
mpicc -g -o ends "$t_here/mpi_program_ends.c" -lpthread || t_skip 'mpicc does not work'
t_need_mpirun

# run COMMAND...: sets status; what the program prints is in out, a word a line and without what mpirun says.
run()
{
	timeout 60 mpirun -n 3 "$@" >said 2>err
	status=$?
	grep -o finalized said >out
}

# MPICH's launcher kills who is left when the first rank goes without MPI_Finalize, and whose status it has is chance.
case $(mpirun --version 2>&1) in
*Open*MPI* | *OpenRTE*) by_chance= ;;
*) by_chance='nothing exit' ;;
esac

for end in finalize atexit destructor thread nothing exit twice; do
	run ./ends $end
	plain_status=$status
	cp out plain
	run "$measure" -q -o "run-$end" ./ends $end
	[[ $by_chance == *"$end"* ]] || t_equal "$end: status" "$plain_status" "$status"
	cmp -s out plain || t_fail "$end: prints something else: $(cat out)"
	grep '^measure:' err && t_fail "$end: measure says something"
	t_wait 30 test -f "run-$end/traces.otf2"
	t_wait 20 test ! -e "run-$end/.parts"
	t_sound "$work/run-$end"
	for rank in 0 1 2; do
		events=$(otf2-print -L $rank "run-$end/traces.otf2" | grep -c -E '^(ENTER|LEAVE) ')
		[ "$events" -ge 400 ] || t_fail "$end: rank $rank has $events events"
	done
done
t_end
