#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure attached to each of two running MPI processes: their MPI calls are recorded as regions, as often as they count themselves
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
t_need_mpirun
command -v mpicc >/dev/null || t_skip 'no mpicc'
[ -f "$t_build/.libs/libmeasure-mpi.so" ] || t_skip 'built without MPI'
mpicc -DWITH_MPI -O2 -g -o counted "$t_here/counted.c" -lpthread 2>cc.err || t_skip "cannot compile with MPI: $(head -n 1 cc.err)"

a_start out mpirun -n 2 ./counted 1
job=$pid
a_until 'both ranks' sh -c '[ "$(grep -c ^pid out)" = 2 ]'
process()
{
	sed -n "s/^pid \([0-9]*\) rank $1\$/\1/p" out
}
for rank in 0 1; do
	a_attach "run$rank" "$(process $rank)"
	eval "measure$rank=\$attached"
done
touch GO.0 GO.1
sleep 0.5
touch STOP.0 STOP.1
a_until 'their counts' sh -c '[ "$(grep -c ^counts out)" = 2 ]'
for rank in 0 1; do
	eval "attached=\$measure$rank"
	a_detach "$(process $rank)"
	t_equal "rank $rank: exchanges" "$(sed -n "s/^counts $rank .* exchanges \([0-9]*\)/\1/p" out)" "$(a_visits "run$rank" MPI_Sendrecv)"
done
t_sound "$work/run0"
t_sound "$work/run1"
touch END.0 END.1
wait "$job"
t_equal 'exit status of the job' 0 $?
t_end
