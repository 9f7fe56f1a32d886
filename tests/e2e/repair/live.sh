#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-repair --live tells where each thread of a hung job is, and makes an archive of it, while it goes on
. "$(dirname "$0")/../lib.sh"
repair=$t_build/measure-repair
make_parts=$t_build/tests/unit/assemble/make-parts
cd "$work" || exit 1

# says WHAT LINE: the last output has this line
says()
{
	grep -q -x -F "$2" look || t_fail "$1: no line '$2': $(cat look)"
}

# look STATUS ARGUMENTS...: runs measure-repair --live
look()
{
	"$repair" --live "${@:2}" >look 2>look.err
	t_equal "--live ${*:2}: status" "$1" $?
}

# What the program has done, by its own count.
counts()
{
	od -A n -t u8 -N 16 -w16 counts
}

# A process that hangs or works, without MPI.
${CC:-cc} -g -O1 -finstrument-functions -o faults "$t_programs/counting_threads.c" -lpthread 2>/dev/null || t_skip 'no compiler'
setsid "$measure" -o one ./faults long counts >out 2>err &
wrapper=$!
t_wait 20 grep -q ready out || t_fail 'does not start'
works()
{
	"$repair" --live one >look 2>look.err && grep -q -E '^process 0, thread 0: main > go_on( > step_0)?$' look &&
		grep -q -E '^process 0, thread 1: long_worker( > step_1)?$' look
}
t_wait 20 works || t_fail "one process: $(cat look)"
says 'one process' 'one: running here: 1'
grep -q -E '^    go_on +counting_threads.c:[0-9]+ +(more than )?[0-9.]+ s$' look || t_fail "one process: $(cat look)"

# Two snapshots: it goes on in between, and after.
look 0 -q -o first one
before=$(counts)
t_wait 20 eval '[ "$(counts)" != "$before" ]' || t_fail 'the program stands still'
look 0 -q -o second one
[ "$(t_nr_events second)" -gt "$(t_nr_events first)" ] || t_fail 'the second snapshot is not longer'
t_sound "$work/first"
"$MEASURE_CHECK" second | grep -q '^  cut     running: still running: Process 0' || t_fail 'measure-check does not tell of the snapshot'
look 2 -o first one
grep -q 'first: cannot create' look.err || t_fail "an existing --output: $(cat look.err)"

# Stopped, and going on.
program=$(pgrep -P "$wrapper" -x faults)
kill -STOP "$program"
stopped()
{
	"$repair" --live one >look 2>look.err && grep -q '^process 0 (stopped), thread 0: main > go_on' look
}
t_wait 20 stopped || t_fail "stopped: $(cat look)"
says 'stopped' 'one: running here: 1, of which stopped: 1'
"$repair" --live --json one | grep -q '"state": "stopped"' || t_fail 'stopped: the JSON does not tell'
kill -CONT "$program"
t_wait 20 works || t_fail "continued: $(cat look)"
says 'continued' 'one: running here: 1'

# Its keeper is killed: started another, and is found. Then it is with measure and guard.
keeper=$(t_keeper "$wrapper")
program=$(pgrep -P "$wrapper" -x faults)
kill -9 "$keeper"
t_wait 20 grep -q 'started another' err
t_wait 20 "$repair" --live one
look 0 one
says 'second keeper' 'one: running here: 1'
keeper=$(t_keeper "$wrapper")
kill -9 "$(t_guard "$wrapper")" "$wrapper" "$keeper"
t_wait 20 eval "! kill -0 $keeper"
look 2 one
grep -q 'its keeper has ended' look.err || t_fail "no keeper: $(cat look.err)"
kill -TERM "$program"
wait "$wrapper" 2>/dev/null
"$repair" -q one
look 2 one
grep -q 'no running measurement found' look.err || t_fail "an archive: $(cat look.err)"
"$repair" --json one 2>/dev/null && t_fail '--json without --live is taken'

# What runs on other nodes is named.
mkdir far
"$make_parts" far 1 1 elsewhere || t_fail make-parts
look 2 far
grep -q '^far: running here: 0.*; running on elsewhere: [0-9]*' look || t_fail "elsewhere: $(cat look)"

command -v mpicc >/dev/null && mpicc -g -O1 -finstrument-functions -o hang "$t_here/hanging_job.c" -lpthread || {
	echo 'left out: MPI'
	t_end
}
t_need_mpirun
setsid mpirun -n 4 "$measure" -o job ./hang >out 2>err &
launcher=$!
t_wait 30 grep -q ready out || t_fail 'the job does not start'
hangs()
{
	"$repair" --live job >look 2>look.err && grep -q 'MPI_Recv$' look && grep -q '^ranks 0-2, thread 0: .*MPI_Barrier$' look &&
		grep -q '^ranks 1-3, thread 1: ' look && grep -q -E '^rank 0, thread 1: busy( > step)?$' look
}
t_wait 30 hangs || t_fail "the job does not hang: $(cat look)"
says 'job' 'job: running here: 4'
says 'job' 'rank 3, thread 0: main > solve > MPI_Recv'
says 'job' 'ranks 0-2, thread 0: main > solve > MPI_Barrier'
says 'job' 'ranks 1-3, thread 1: idle'
# One of them is stopped: it is told apart from those that wait as it does.
rank=$(python3 -c 'import json, sys
print([p["pid"] for p in json.load(sys.stdin)["processes"] if p["rank"] == 1][0])' < <("$repair" --live --json job))
kill -STOP "$rank"
t_wait 20 eval '"$repair" --live job >look && grep -q "^rank 1 (stopped), thread 0: .*MPI_Barrier$" look' || t_fail "stopped: $(cat look)"
says 'stopped' 'ranks 0,2, thread 0: main > solve > MPI_Barrier'
says 'stopped' 'job: running here: 4, of which stopped: 1'
kill -CONT "$rank"
t_wait 20 hangs || t_fail "continued: $(cat look)"
look 0 --json -o snapshot job
command -v python3 >/dev/null && {
	python3 - look <<'P' || t_fail 'the JSON is not as it should be'
import json, sys
run = json.load(open(sys.argv[1]))
stacks = {p["rank"]: p["threads"][0]["stack"] for p in run["processes"] if p["state"] == "running"}
assert sorted(stacks) == [0, 1, 2, 3]
for rank, stack in stacks.items():
    assert [f["region"] for f in stack] == ["main", "solve", "MPI_Recv" if rank == 3 else "MPI_Barrier"], stack
    assert stack[0]["seconds"] >= stack[1]["seconds"] >= stack[2]["seconds"] > 0, stack
    assert stack[0]["file"].endswith("hanging_job.c") and stack[0]["line"] > 0
P
}
t_sound "$work/snapshot"
[ "$(otf2-print snapshot/traces.otf2 | grep -c '^ENTER .*"MPI_Recv"')" = 1 ] || t_fail 'the snapshot lacks MPI_Recv'
kill -TERM "$launcher"
wait "$launcher" 2>/dev/null
t_wait 20 test -f job/traces.otf2
t_wait 20 test ! -e job/.parts
t_sound "$work/job"
[ "$(t_nr_events job)" -gt "$(t_nr_events snapshot)" ] || t_fail 'the job did not go on after the snapshot'
t_end
