#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure --hang-after prints once who waits for whom when nothing in the whole job moves, also of hosts that see only their own processes, and nothing while anything moves; the roll-call as JSON
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
t_need_mpirun
for program in hangs slow; do
	mpicc -g -O1 -fopenmp -pthread -finstrument-functions -o $program "$t_here/$program.c" 2>/dev/null ||
		t_skip "$program.c does not compile"
done

# A hang, seen once, and again by whoever asks.
mpirun -n 3 "$measure" --hang-after=1s -o hang ./hangs send 0 >out 2>err &
job=$!
t_wait 60 grep -q 'are waited for by' err || t_fail "hang: $(cat err)"
sleep 3
t_equal 'a hang: reports' 1 "$(grep -c 'no event in the whole job for 1 s: see measure-repair --live ' err)"
grep -q '^measure: \[..:..:..\] proven deadlock: ranks 0-1 wait for each other$' err || t_fail "hang: $(cat err)"
"$t_build/measure-repair" --live --roll-call hang >look || t_fail "--roll-call: ended with $?"
t_equal '--roll-call: first line' roll-call: "$(head -n 1 look)"
grep -q 'thread 0:' look && t_fail "--roll-call: stacks: $(cat look)"
if command -v python3 >/dev/null; then
	"$t_build/measure-repair" --live --json hang >look || t_fail "--json: ended with $?"
	python3 - look <<-'END' || t_fail "--json: $(cat look)"
		import json, sys
		call = json.load(open(sys.argv[1]))["roll_call"]
		(core,) = call["deadlocks"]
		assert core["verdict"] == "proven" and call["mismatches"] == [] and call["waited_for"] == []
		assert sorted((thread["rank"], thread["call"]) for thread in core["threads"]) == [(0, "MPI_Ssend"), (1, "MPI_Barrier")]
	END
fi
kill $job
wait $job 2>/dev/null
t_wait 60 test -e hang/traces.otf2 -a ! -e hang/.parts || t_fail 'no archive of a job that hung'
"$t_build/measure-repair" --roll-call hang 2>look
t_equal '--roll-call without --live: status' 2 $?

# A rank that sleeps is no deadlock, and nothing happens to the job.
mpirun -n 3 "$measure" --hang-after=1s -o slow.1 ./slow late 1 >out 2>err || t_fail "a slow program: ended with $?"
t_equal 'a slow program: reports' 1 "$(grep -c 'no event in the whole job' err)"
grep -q 'nobody is deadlocked; waited for:$' err || t_fail "a slow program: $(cat err)"
grep -E '(proven|suspected)' err && t_fail "a slow program: $(cat err)"

# One that moves all the time; and one of which two ranks wait all the time.
mpirun -n 3 "$measure" --hang-after=1s -o busy ./slow exchange 0 >out 2>err || t_fail "a busy program: ended with $?"
grep 'no event' err && t_fail "a busy program: $(cat err)"
mpirun -n 3 "$measure" --hang-after=1s -o poll ./slow poll 1 >out 2>err || t_fail "a program that polls: ended with $?"

# Hosts that share files only: each of them tells of its own ranks.
if "$t_tests/cluster/hosts" -n 2 true >/dev/null 2>&1; then
	"$t_tests/cluster/hosts" -n 2 "$t_tests/cluster/step" enough 5 "$t_tests/cluster/mpirun" -n 4 "$measure" \
		--hang-after=2s -o hosts ./hangs loop 0 >out 2>err &
	job=$!
	reports()
	{
		[ "$(grep -c 'nobody is deadlocked; waited for' err)" -ge 2 ]
	}
	t_wait 60 reports
	sleep 2
	touch enough
	wait $job
	t_equal 'two hosts: reports' 2 "$(grep -c 'nobody is deadlocked' err)"
	grep -q 'rank 0, by .* computes for .* > spin_for_good$' err || t_fail "two hosts: $(cat err)"
	grep -q 'rank 0, by .*: it cannot be looked at from here$' err || t_fail "two hosts: $(cat err)"
else
	echo 'left out: hosts made of namespaces do not work here'
fi
t_end
