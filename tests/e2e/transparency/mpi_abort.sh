#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: MPI_Abort and killed ranks end a job as without measure, and leave an archive of all ranks by itself
. "$(dirname "$0")/../lib.sh"
command -v mpicc >/dev/null || t_skip 'no mpicc'
cd "$work" || exit 1
mpicc -g -finstrument-functions -o dying "$t_here/mpi_abort.c" || t_skip 'mpicc does not work'
t_need_mpirun

# run COMMAND...: sets status, words (what mpirun says about a signal) and elapsed. That it prints
# the words of MPI_Abort is not certain, with or without measure.
run()
{
	begin=$(date +%s%N)
	mpirun -n 3 "$@" >out 2>&1
	status=$?
	elapsed=$((($(date +%s%N) - begin) / 1000000))
	words=$(grep -o 'exited on signal.*' out)
}

for end in abort 9 11; do
	# A busy machine holds one of both up now and then; what we do would do so each time.
	for _ in 1 2 3; do
		rm -rf "run-$end"
		run ./dying $end
		plain_status=$status plain_words=$words plain_elapsed=$elapsed
		run "$measure" -o "run-$end" ./dying $end
		[ "$elapsed" -gt $((plain_elapsed + 1000)) ] || break
	done
	t_equal "$end: status" "$plain_status" "$status"
	t_equal "$end: mpirun says" "$plain_words" "$words"
	[ "$elapsed" -le $((plain_elapsed + 1000)) ] || t_fail "$end: $elapsed ms, not $plain_elapsed"
	grep '^measure:' out && t_fail "$end: measure says something"
	t_wait 30 test -f "run-$end/traces.otf2"
	t_wait 20 test ! -e "run-$end/.parts"
	t_sound "$work/run-$end"
	for rank in 0 1 2; do
		events=$(otf2-print -L $rank "run-$end/traces.otf2" | grep -c -E '^(ENTER|LEAVE) ')
		[ "$events" -gt 3000 ] || t_fail "$end: rank $rank has $events events"
	done
done
t_equal 'left over' '' "$(find . -name '.measure-*')"
t_end
