#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: of archives that lack something (a rank killed, files cut or missing, calls filtered) measure-analyze finds what is there, names what is not known, and comes to an end, as one process and as a job
# INCOMPLETE_CUTS=300 tests/e2e/waits/incomplete.sh: files are cut at as many places, instead of eight
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
generate=$t_build/tests/sync/generate
command -v python3 >/dev/null || t_skip 'no python3'
export PYTHONDONTWRITEBYTECODE=1
. "$t_tests/mpirun.sh"
has_jobs=no
[ ! -f .libs/libmeasure-sync-mpi.so ] || ! $t_mpirun -n 1 true >/dev/null 2>&1 || has_jobs=yes
cd "$work" || exit 1

# ended WHAT STATUS: of the last command; a time limit is no answer
ended()
{
	[ "$2" != 124 ] && [ "$2" != 137 ] || t_fail "$1: does not end"
	t_equal "$1: status" "$status" "$2"
}

# analyzed NAME STATUS [EXPRESSION]: of the archive NAME; JSON, what is true of its `unknown`, the text, the same as a job
analyzed()
{
	status=$2
	timeout -k 5 60 "$analyze" --format json "$1" >json 2>err
	ended "$1" $?
	python3 "$t_here/waits.py" json "is_near(added(), found['waiting_ns']) and (${3:-True})" >said 2>&1 ||
		t_fail "$1: not so: ${3:-sum}: $(cat said)"
	timeout -k 5 60 "$analyze" "$1" >text 2>err
	ended "$1: text" $?
	[ -z "${3:-}" ] || grep -q '^not known$' text || t_fail "$1: nothing is said to be unknown: $(cat text)"
	[ $has_jobs = yes ] || return 0
	timeout -k 5 60 $t_mpirun -n 3 "$analyze" --format json "$1" >job 2>err
	ended "$1: as a job" $?
	cmp -s json job || t_fail "$1: as a job: $(diff json job | head -n 5)"
}

# remaining RANKS LEAST: what ranks below RANKS have waited for messages of each other has been found, at least LEAST waits
remaining()
{
	python3 "$t_here/planted.py" --below "$1" waits json >said 2>&1 || t_fail "below $1: $(cat said)"
	[ "$(sed -n 's/^of messages: //p' said)" -ge "$2" ] || t_fail "below $1: $(cat said)"
}

"$generate" --program ring,halo,requests,synchronous,order,any,collectives,nonblocking,inter --ranks 6 --threads 2 --iterations 150 \
	--waits waits whole || t_fail generate
analyzed whole 0
! grep -q '^not known$' text || t_fail "whole: $(cat text)"
remaining 6 40

# Half of the ranks have left no events, half have half of them.
cp -r whole half
rm half/traces/{3,4,5}.evt
analyzed half 1 'unknown["unreadable_locations"] == 3 and unknown["gaps"]'
remaining 3 20
cp -r whole cut
for rank in 3 4 5; do
	truncate -s $(($(stat -c %s cut/traces/$rank.evt) / 2)) cut/traces/$rank.evt
done
analyzed cut 1 'unknown["unreadable_locations"] == 3 and unknown["gaps"]'
remaining 3 20
cp -r whole none
rm none/traces/*.evt
status=1
timeout -k 5 60 "$analyze" --format json none >json 2>err
ended none $?

# A file ends anywhere.
seed=1
for ((cuts = 0; cuts < ${INCOMPLETE_CUTS:-8}; cuts++)); do
	rank=$((cuts % 6)) seed=$(((seed * 1103515245 + 12345) % 2147483648))
	size=$(stat -c %s whole/traces/$rank.evt)
	rm -rf cut
	cp -r whole cut
	truncate -s $((seed % size)) cut/traces/$rank.evt
	has_jobs_before=$has_jobs
	[ $((cuts % 4)) = 0 ] || has_jobs=no
	analyzed cut 1 'unknown["unreadable_locations"] == 1'
	has_jobs=$has_jobs_before
done

# Sends without receives, and receives without sends.
"$generate" --program unmatched,ring --ranks 4 --iterations 40 unmatched || t_fail generate
analyzed unmatched 0 'unknown["gaps"] and added() > 0'

# Filtered: messages go with their calls, on both sides, so that nothing of what is left is wrong.
"$t_build/measure-sync" -q --exclude MPI_Recv --exclude MPI_Wait whole -o filtered >words 2>&1 || t_fail "filter: $(cat words)"
analyzed filtered 0
python3 "$t_here/waits.py" json 'time("mpi_barrier") > 0 and not [row for row in found["waits"] if found["paths"][row["path"]]["region"] == "MPI_Recv"]' >said ||
	t_fail "filtered: $(cat said)"
"$t_build/measure-sync" -q --exclude 'MPI_Sendrecv rank=1' whole -o filtered_rank >words 2>&1 || t_fail "filter: $(cat words)"
analyzed filtered_rank 0

# A rank that is killed while others wait for it: what was before is found, and its end is not known.
if [ $has_jobs = yes ] && mpicc -g -O1 -finstrument-functions -o delays "$t_here/delays.c" 2>words; then
	mpirun -n 4 "$measure" -o killed ./delays die >words 2>&1
	t_wait 30 test -e killed/traces.otf2 || t_fail "killed: no archive: $(ls killed)"
	analyzed killed 0 'unknown["cut_processes"] > 0 and time("late_sender", "send_late", "MPI Rank 1") > 75e6'
	cp -r killed killed_half
	rm "$(find killed_half/ -name '*.evt' | sort | head -n 1)"
	analyzed killed_half 1 'unknown["cut_processes"] > 0 and unknown["unreadable_locations"] == 1'
else
	echo 'no rank was killed: no MPI'
fi
t_end
