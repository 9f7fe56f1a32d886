#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-repair --live names the mistake of programs that hang, and accuses nobody where a sound program is slow
#
# A few of each kind. All 50 and 50 of them, of ranks and rounds that differ:
#	HANGS=50 tests/e2e/live/roll_call.sh
. "$(dirname "$0")/../lib.sh"
nr=${HANGS:-7}
cd "$work" || exit 1
t_need_mpirun
for program in hangs slow; do
	mpicc -g -O1 -fopenmp -pthread -finstrument-functions -o $program "$t_here/$program.c" 2>/dev/null ||
		t_skip "$program.c does not compile"
done
mkfifo input
kinds=(skip root send receive locks barrier loop)
slow_kinds=(compute serve receive openmp late threads pipeline stopped write pipe input exchange poll pool)

# start PROGRAM KIND SEED: on three to five ranks, until it is where it hangs or is slow
start()
{
	what="$1 $2 $3"
	mpirun -n $((3 + $3 % 3)) "$measure" --pthread-groups=+mutex,+sem -o "$1.$2.$3" "./$1" "$2" "$3" >out 2>err <input &
	job=$!
	exec 3>input
	t_wait 60 grep -q ready out || t_fail "$what: does not start: $(cat err)"
	sleep 0.7
}

look()
{
	"$t_build/measure-repair" --live "$1" >look 2>look.err
	t_equal "$what: status" 0 $?
	t_equal "$what: stderr" '' "$(cat look.err)"
}

# Its keepers write the archive when it is gone.
stop()
{
	exec 3>&-
	kill $job
	wait $job 2>/dev/null
	t_wait 60 test -e "$1/traces.otf2" -a ! -e "$1/.parts" || t_fail "$what: no archive"
	rm -rf "$1"
}

nr_named=0
for ((i = 0; i < nr; i++)); do
	kind=${kinds[i % 7]} seed=$((i / 7 + i % 7))
	start hangs "$kind" $seed
	look "hangs.$kind.$seed"
	before=$t_failures
	while read -r expected; do
		grep -q -- "$expected" look || t_fail "$what: no '$expected': $(cat look)"
	done < <(sed -n 's/^expect //p' out)
	grep -q '^expect ' out || t_fail "$what: expects nothing"
	[ $t_failures -eq $before ] && nr_named=$((nr_named + 1))
	stop "hangs.$kind.$seed"
done
echo "named rightly: $nr_named of $nr hangs"

nr_free=0
for ((i = 0; i < (nr < 50 ? 4 : nr); i++)); do
	kind=${slow_kinds[i % 14]} seed=$((i / 14 + i % 14))
	start slow "$kind" $seed
	look "slow.$kind.$seed"
	before=$t_failures
	grep -q '^nobody is deadlocked' look || t_fail "$what: $(cat look)"
	grep -E '(proven|suspected|deadlock:|mismatch)' look >accusations && t_fail "$what: $(cat look)"
	[ "$kind" = input ] && echo line >&3
	[ $t_failures -eq $before ] && nr_free=$((nr_free + 1))
	exec 3>&-
	wait $job || t_fail "$what: ended with $?: $(cat err)"
	rm -rf "slow.$kind.$seed"
done
echo "accused of nothing: $nr_free of $i slow programs"
t_end
