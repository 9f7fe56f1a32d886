#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-sync as a job of any size gives the same archive and the same numbers; errors are told once
. "$(dirname "$0")/../lib.sh"
sync=$t_build/measure-sync
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
[ -f .libs/libmeasure-sync-mpi.so ] || t_skip 'built without MPI'
. "$t_tests/mpirun.sh"
$mpirun -n 1 true >/dev/null 2>&1 || t_skip "$mpirun does not work here"
cd "$work" || exit 1

# job SIZE ARGUMENT...: sets status
job()
{
	size=$1
	shift
	timeout -k 5 120 $mpirun -n "$size" "$sync" "$@" >out 2>err
	status=$?
}

# What does not depend on how the work was done.
numbers()
{
	grep -v -E '"(seconds|.*per_second|.*memory.*)"' "$1"
}

# same NAME STATUS "SIZE THREADS"... -- ARGUMENT...: as one process
same()
{
	name=$1 expected=$2 sizes=()
	shift 2
	while [ "$1" != -- ]; do
		sizes+=("$1")
		shift
	done
	shift
	"$sync" -q -t 1 -r one.json -o one "$@" "$name" || [ $? = "$expected" ] ||
		t_fail "$name: alone: another status than $expected"
	for size in "${sizes[@]}"; do
		job "${size% *}" -q -t "${size#* }" -r many.json -o many "$@" "$name"
		t_equal "$name on $size: status" "$expected" $status
		diff -r -x '*.otf2' one many >difference || t_fail "$name on $size: $(head -n 5 difference)"
		diff <(numbers one.json) <(numbers many.json) >difference ||
			t_fail "$name on $size: $(head -n 5 difference)"
		rm -rf many
	done
	rm -rf one
}

# refuses PATTERN ARGUMENT...: status 2, told once, nothing written
refuses()
{
	pattern=$1
	shift
	ls -A >before
	job 3 "$@"
	t_equal "$*: status" 2 $status
	t_equal "$*: lines" 1 "$(grep -c -E "^measure-sync: .*$pattern" err)"
	ls -A | diff before - >difference || t_fail "$*: left over: $(cat difference)"
}

touch before out err difference
generate=$t_build/tests/sync/generate
"$generate" --program mixed --ranks 6 --threads 2 --nodes 3 --iterations 15 --missing 1 --truncated 1 \
	--clock offset=500,drift=20 incomplete
"$t_build/tests/sync/generator/contradict" 5 2 6 contradicting
"$generate" --program mixed --ranks 1 --threads 3 --iterations 5 --clock offset=500 single
same incomplete 0 '2 2' '7 1' -- --statistics=full
same contradicting 1 '3 2' -- --domain=node --emit=events
same single 0 '2 1' --

# All that waits between processes, along measured offsets and along none; offsets from messages, from
# every member of a collective operation.
"$generate" --program synchronous,collectives,nonblocking,inter --ranks 7 --iterations 25 --clock offset=500 waiting
same waiting 1 '3 2' '5 1' -- --presync=none --rendezvous=100
for relation in 'synchronous send' rendezvous 'matched probe' alltoallv; do
	grep -q "\"name\": \"$relation\", \"receives\": [1-9]" many.json || t_fail "waiting: no $relation"
done
same waiting 0 '3 1' -- --emit=events
grep -q '"presynchronisation": {"kind": "messages"' many.json || t_fail 'waiting: no offsets from messages'
"$generate" --program synchronous,collectives --ranks 5 --samples ends --rtt 40000 --clock offset=50,drift=50 measured
same measured 0 '3 2' --

# Epochs of windows, with several processes and windows on each rank; processes that others have made.
"$generate" --program windows,hybrid --ranks 6 --threads 2 --nodes 3 --spawned 2 --created 2 --iterations 15 \
	--clock offset=100 --clock-of node windows
same windows 0 '2 1' '3 3' --

# What is beside the events.
"$t_build/tests/e2e/programs/foreign_archive" apart apart || t_fail 'odd'
same apart 0 '2 1' --
for kind in marker snap; do
	ls apart/*."$kind" apart/*/*."$kind" 2>/dev/null | grep -q . || t_fail "apart: no $kind"
done

# What is wrong with an archive is in one rank's part of it.
mkdir junk
echo junk >junk/traces.otf2
refuses 'not a readable OTF2 archive' junk -o never
"$t_build/tests/unit/trace/fabricate" sound backward || t_fail 'fabricate'
at=$(LC_ALL=C grep -obUaP '\151\000\000\000\000\000\000\000' backward/traces/1.evt | tail -n 1 | cut -d: -f1)
printf '\164' | dd of=backward/traces/1.evt bs=1 seek="$at" conv=notrunc 2>err
refuses 'earlier than the previous event' backward -o never
refuses 'exists' single -o backward

# Not one correction, but several: each process with an output of its own.
timeout -k 5 120 $mpirun -n 2 sh -c '"$0" -o "each${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" single' "$sync" >out 2>err
t_equal 'different arguments' 1 "$(grep -c '^measure-sync: .*different arguments' err)"
[ ! -e each0 ] && [ ! -e each1 ] || t_fail 'different arguments: there is an output'

# A rank that is killed ends the job, and there is no output. (Launchers kill the first one as well
# where it takes too long to clean up. Some hang now and then when all processes have ended.)
timeout -k 2 10 $mpirun -n 3 sh -c '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 2 ] || exec "$0" "$@"
	"$0" "$@" & sleep 0.2; kill -9 $!; wait $!' "$sync" -q -o killed incomplete >out 2>err
[ $? -ne 0 ] || t_fail 'killed: status 0'
[ ! -e killed ] || t_fail 'killed: there is an output'

# Another library's launcher, or none that we have a module for.
env PMI_RANK=0 PMI_SIZE=2 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=2 MEASURE_LIBDIR="$work" \
	"$sync" -o never single 2>err
t_equal 'no module: status' 2 $?
t_equal 'no module' "measure-sync: MEASURE_LIBDIR: '$work' does not contain libmeasure-sync-mpi.so: unset it" \
	"$(cat err)"
t_end
