#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a Cholesky factorisation in tasks of StarPU, by four ranks with two workers each on two hosts
# whose clocks are 1000 s apart and wander: after measure-sync no task begins before the message that
# releases it, and measure-analyze finds all messages; without a rank that was killed it still answers.
. "$(dirname "$0")/lib.sh"

need otf2-print python3
[ -e .libs/libmeasure-starpu.so ] || { echo "the starpu adapter is not built"; exit 77; }
# A machine model of its own, which takes no benchmarks; nothing is to be said of threads that share a core.
# Open MPI takes it to the other host.
set -- STARPU_NCPU=2 STARPU_NOPENCL=0 STARPU_NCUDA=0 STARPU_SILENT=1 "STARPU_HOME=$work" \
	STARPU_LIMIT_BANDWIDTH=0 STARPU_WORKERS_NOBIND=1
for setting in "$@"; do
	set -- "$@" -x "$setting"
	shift
done
# Two ranks of a host would read files of each other that are not complete.
set -- "$@" sh -c 'STARPU_HOME=$STARPU_HOME/$OMPI_COMM_WORLD_RANK; mkdir -p "$STARPU_HOME"; export STARPU_HOME; exec "$@"' rank
# offsets are measured at the ends only, so that they are wrong in between
set -- "$@" "$PWD/measure" --clock simulated:walk=10000ppm,seed=143,clock=monotonic_raw --sync-interval 0

# order NAME [OPTIONS]: of tasks in the archive; the table is in $work/order
order()
{
	otf2-print "$work/$1/traces.otf2" >"$work/events"
	shift
	python3 "$here/order_of_tasks.py" "$work/events" "$@" >"$work/order" 2>&1
}

# tasks NAME FIELD: a number of measure-analyze --tasks
tasks()
{
	./measure-analyze --tasks --format json "$work/$1" >"$work/json" || fail "$1: measure-analyze ends with $?"
	python3 -c 'import json, sys
value = json.load(open(sys.argv[1]))
for name in sys.argv[2].split("."):
    value = value[name]
print(value)' "$work/json" "$2"
}

cholesky=$PWD/tests/cluster/cholesky
nr_tasks=56 nr_messages=30 # of 6 by 6 tiles
run "$here/hosts" "$here/mpirun" -n 4 "$@" -o "$work/archive" "$cholesky" 6 32
[ "$(cat "$work/out")" = right ] || fail "wrong result"
sound archive
correct archive

order archive || echo "as recorded, $(grep -c early "$work/order") tasks and messages come too early"
order archive.sync || fail "after measure-sync: $(cat "$work/order")"
cat "$work/order"
grep -q "^$nr_tasks executed, .* $nr_messages messages" "$work/order" || fail "tasks or messages are missing"
# ordered OPTION [OPTIONS OF ORDER]: also where measure-sync corrects by this option
ordered()
{
	./measure-sync --quiet "$1" "$work/archive" -o "$work/by$1" || fail "measure-sync $1 ends with $?"
	./measure-check "$work/by$1" >"$work/out"
	grep 'ERROR *clock.condition' "$work/out" && fail "measure-sync $1 leaves events before their causes"
	order "by$@" || fail "after measure-sync $1: $(cat "$work/order")"
}

# without offsets, so that messages alone order the hosts
ordered --presync=none
# each thread by itself: no record tells when libstarpumpi's thread takes a message that another one has released
ordered --domain=location --within-ranks
# what is looked for is found
order archive.sync --shift 2=1000000000000 --shift 3=1000000000000 && fail "wrong clocks are not noticed"

for name in archive archive.sync; do
	[ "$(tasks $name tasks.unknown.reversed_messages)" = 0 ] || fail "$name: messages are received before they are sent"
	[ "$(tasks $name tasks.unknown.unmatched_messages)" = 0 ] || fail "$name: messages have no partner"
	[ "$(tasks $name tasks.executed)" = $nr_tasks ] || fail "$name: tasks are missing"
done

# Its rank dies with half of the tasks.
"$here/hosts" "$here/mpirun" -n 4 "$@" -o "$work/lost" "$cholesky" 6 32 lost >"$work/out" 2>"$work/words" &&
	fail "nobody notices that a rank was killed"
[ -e "$work/lost/traces.otf2" ] || ./measure-repair "$work/lost" || fail "no archive of a job with a lost rank"
executed=$(tasks lost tasks.executed)
[ "$executed" -gt 0 ] && [ "$executed" -lt $nr_tasks ] || fail "$executed tasks before a rank was killed"
./measure-analyze --tasks "$work/lost"
