#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-analyze finds exactly the waits that generated programs were made to have, of each pattern, with location, call path, cause and times; and the same bytes with any number of threads and processes
# PLANTED_SEEDS=100 PLANTED_JOBS=no tests/e2e/waits/planted.sh: as many random programs, instead of four, and no jobs of processes
. "$(dirname "$0")/../lib.sh"
analyze=$t_build/measure-analyze
generate=$t_build/tests/sync/generate
command -v python3 >/dev/null || t_skip 'no python3'
export PYTHONDONTWRITEBYTECODE=1
[ -x "$generate" ] || t_fail 'tests/sync/generate is not built'
. "$t_tests/mpirun.sh"

# analyzed FILE LAUNCHER ARGUMENT...: never longer than a minute
analyzed()
{
	timeout -k 5 60 $2 "$analyze" --format json --whole "${@:3}" archive >"$1" 2>err
	t_equal "$what: ${*:2}: status" 0 $?
}

# Sizes of jobs, and threads. All of them with the first program; with others each size once.
if [ "${PLANTED_JOBS:-yes}" = no ]; then
	all_jobs=() few_jobs=()
elif [ -f .libs/libmeasure-sync-mpi.so ] && $t_mpirun -n 1 true >/dev/null 2>&1; then
	all_jobs=({1..4}\ {1..4}) few_jobs=('2 4' '3 1' '4 2')
else
	all_jobs=() few_jobs=()
	echo 'not tried with several processes: built without MPI, or mpirun does not work here'
fi
cd "$work" || exit 1

# planted SEED ARGUMENT...: of generate
planted()
{
	what="seed $*"
	rm -rf archive
	"$generate" --seed "$1" --waits waits "${@:2}" archive || t_fail "$what: generate"
	analyzed json '' -t 1
	python3 "$t_here/planted.py" waits json >said 2>&1 || t_fail "$what: $(grep -v '^found' said)"
	cat said >>found
	for threads in 2 3 4; do
		analyzed other '' -t "$threads"
		cmp -s json other || t_fail "$what: -t $threads: differs: $(diff json other | head -n 5)"
	done
	for job in "${jobs[@]}"; do
		analyzed other "$t_mpirun -n ${job% *}" -t "${job#* }"
		cmp -s json other || t_fail "$what: ${job% *} processes, -t ${job#* }: $(diff json other | head -n 5)"
	done
	jobs=("${few_jobs[@]}")
}

jobs=("${all_jobs[@]}")
# Random programs of 2 to 7 ranks; then with threads that are created.
for ((seed = 1; seed <= ${PLANTED_SEEDS:-4}; seed++)); do
	ranks=$((2 + (seed + 2) % 6))
	planted "$seed" --program mixed,windows,order,any,ordered --ranks $ranks --nodes $ranks \
		--threads $((2 + seed % 3)) --spawned $((seed % 3)) --iterations 300 --renumber $((seed % 2))
	planted "$seed" --program pthread,condition --ranks $((1 + seed % 3)) --threads $((2 + seed % 3)) --iterations 40
done
python3 "$t_here/planted.py" | diff - <(sed -n 's/^found //p' found | sort -u) >difference ||
	t_fail "patterns that were never planted: $(cat difference)"
sed -n '/^not in this JSON/p' found | sort -u

# Those of another program are not found.
"$generate" --seed 1000 --waits waits --program mixed,windows,order,any,ordered --ranks 4 --threads 2 --iterations 300 other_archive ||
	t_fail 'generate'
! python3 "$t_here/planted.py" waits json >said 2>&1 || t_fail 'waits of another program are found'
t_end
