#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: processes started by hand with the variables of a launcher find together, also late or dead ones
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1

# rank NUMBER SIZE STEP COMMAND...: in the background
slurm()
{
	env SLURM_JOB_ID=4711 SLURM_STEP_ID="$3" SLURM_PROCID="$1" SLURM_STEP_NUM_TASKS="$2" \
		SLURM_LOCALID="$1" SLURM_STEP_TASKS_PER_NODE="$2" "${@:4}" &
}

# parts DIRECTORY: how many processes its archive has
parts()
{
	otf2-print -G "$1/traces.otf2" 2>/dev/null | grep -c '^LOCATION_GROUP '
}

for rank in 0 1 2; do
	slurm $rank 3 1 "$measure" -o step sh -c 'exit 0'
done
wait
t_sound "$work/step"
t_equal 'step: processes' 3 "$(parts step)"

# Two steps at the same time into the same place: two directories.
for rank in 0 1; do
	slurm $rank 2 2 "$measure" -o both sleep 0.2
	slurm $rank 2 3 "$measure" -o both sleep 0.2
done
wait
t_equal 'two steps' 'both both.1' "$(echo both*)"
t_equal 'two steps: processes' '2 2' "$(parts both) $(parts both.1)"

# The job's id in the name; the same for all.
for rank in 0 1; do
	slurm $rank 2 4 "$measure" -o 'results/%j/%p' true
done
wait
t_sound "$work/results/4711/true"

# One comes a second after the others are done.
slurm 0 2 5 "$measure" -o late true
slurm 1 2 5 sh -c "sleep 1; exec $measure -o late true"
wait
t_equal 'late: processes' 2 "$(parts late)"

# One is started but never comes: the others' archive appears all the same.
slurm 0 3 6 "$measure" -o missing true
slurm 1 3 6 "$measure" -o missing true
wait
t_wait 30 test -f missing/traces.otf2 || t_fail 'missing: no archive'
t_wait 2 test ! -e missing/.parts
t_equal 'missing: processes' 2 "$(parts missing)"

# The first is not recorded: ranks are in the names, ids have no gap.
slurm 1 3 8 "$measure" -o others true
slurm 2 3 8 "$measure" -o others true
wait
t_wait 30 test -f others/traces.otf2 || t_fail 'others: no archive'
t_wait 2 test ! -e others/.parts
t_sound "$work/others"
t_equal 'others: names' '0 "Rank 1 (true)" 1 "Rank 2 (true)" ' "$(otf2-print -G others/traces.otf2 |
	sed -n 's/^LOCATION_GROUP  *\([0-9]*\)  Name: \("[^"]*"\).*/\1 \2/p' | tr '\n' ' ')"

# None can be recorded: nothing is left over, all run.
mkdir mine
touch mine/file
for rank in 0 1 2; do
	slurm $rank 3 7 "$measure" -o mine echo ran
done >out 2>err
wait
t_equal 'foreign: ran' 0 "$(t_lines out)"
t_equal 'foreign: said once' 1 "$(t_lines err)"
for rank in 0 1 2; do
	slurm $rank 3 7 "$measure" --lenient -o mine echo ran
done >out 2>err
wait
t_equal 'foreign, lenient: ran' 3 "$(t_lines out)"
t_equal 'foreign: said once' 1 "$(t_lines err)"
t_equal 'foreign' file "$(ls -A mine)"

# Other launchers.
for rank in 0 1; do
	env PMI_RANK=$rank PMI_SIZE=2 PMI_JOBID=abc MPI_LOCALRANKID=$rank MPI_LOCALNRANKS=2 \
		"$measure" -o pmi true &
	env PMI_RANK=$rank PMI_SIZE=2 MPI_LOCALRANKID=$rank MPI_LOCALNRANKS=2 \
		"$measure" -o hydra true &
done
wait
t_equal 'pmi: processes' 2 "$(parts pmi)"
t_equal 'hydra: processes' 2 "$(parts hydra)"
t_equal 'left over' '' "$(find . -name '.measure-*' -o -name .parts)"
t_end
