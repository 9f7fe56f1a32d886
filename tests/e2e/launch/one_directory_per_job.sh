#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: the processes of a job agree on one run directory, and mpirun sees a dead one as without measure
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
t_need_mpirun

mpirun -n 4 "$measure" -o job "$behave" exit 0 >out 2>err
t_equal 'job: status' 0 $?
t_equal 'job: said' '' "$(cat err)"
t_sound "$work/job"
t_equal 'left over' '' "$(find . -name '.measure-*' -o -name 'job.*')"

for i in 1 2; do
	mpirun -n 2 "$measure" -o job "$behave" exit 0 >out || t_fail 'job again: status'
done
t_equal 'three jobs' 'job job.1 job.2' "$(echo job*)"
mpirun -n 3 "$measure" "$behave" exit 0 >out
t_equal 'default name' 1 "$(ls -d measure-behave-*/traces.otf2 | wc -l)"

# One of four is killed: mpirun says the same, and soon.
cat >victim <<'S'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" != 2 ] || { sleep 0.5; kill -9 $$; }
exec sleep 20
S
chmod +x victim
run()
{
	begin=$(date +%s%N)
	mpirun -n 4 "$@" >out 2>&1
	status=$?
	elapsed=$((($(date +%s%N) - begin) / 1000000))
}
# Others make the one run or the other longer now and then; a wait of measure's would do so each time.
for attempt in 1 2 3 4 5; do
	rm -rf killed
	run ./victim
	plain_status=$status plain_elapsed=$elapsed
	grep -o 'signal.*' out >plain.words
	run "$measure" -o killed ./victim
	t_equal 'killed: status' "$plain_status" "$status"
	grep -o 'signal.*' out | cmp -s - plain.words || t_fail "killed: mpirun says: $(cat out)"
	t_wait 20 test -f killed/traces.otf2
	t_wait 20 test ! -e killed/.parts
	[ "$elapsed" -gt $((plain_elapsed + 1000)) ] || break
done
[ "$elapsed" -le $((plain_elapsed + 1000)) ] || t_fail "killed: $elapsed ms, not $plain_elapsed"
t_sound "$work/killed"

# A rank that is not recorded is no reason to wait for it.
if t_starts_several; then
	mpirun -n 1 "$measure" -o mixed "$behave" exit 0 : -n 1 "$behave" exit 0 >out
	t_wait 30 test -f mixed/traces.otf2 || t_fail 'mixed: no archive'
fi

# What is wrong with the command line is said once, not by every rank.
mpirun -n 4 "$measure" --clock sundial true >out 2>&1
t_equal 'bad clock: status' 2 $?
t_equal 'bad clock: lines' 1 "$(grep -c sundial out)"
t_equal 'left over' '' "$(find . -name '.measure-*')"
t_end
