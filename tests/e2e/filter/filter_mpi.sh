#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: with MPI, a filter leaves out regions by paradigm, role and rank, but no message and no collective operation; of an archive the same
. "$(dirname "$0")/../lib.sh"
t_need_mpirun
cd "$work" || exit 1
${MPICC:-mpicc} -O0 -g -finstrument-functions -o talk "$t_here/filter_mpi.c" || t_skip 'mpicc does not work'

# run NAME ARGUMENT...: an archive of two ranks that is sound
run()
{
	name=$1
	shift
	mpirun -n 2 "$measure" -o "$name" "$@" ./talk || t_fail "$name: exit status $?"
	cd "$t_build" && t_sound "$work/$name"
	cd "$work" || exit 1
	otf2-print "$name/traces.otf2" >"$name.txt"
	for record in MPI_SEND MPI_RECV; do
		t_equal "$name: $record" 5 "$(grep -c "^$record " "$name.txt")"
	done
	t_equal "$name: ends of collective operations" 10 "$(grep -c '^MPI_COLLECTIVE_END .*ALLREDUCE' "$name.txt")"
	"$t_build/measure-sync" -q "$@" all -o "$name.new" || t_fail "$name: filtered: exit status $?"
	"$t_build/measure-check" -q "$name.new" || t_fail "$name: filtered: $("$t_build/measure-check" "$name.new")"
	t_equal "$name: filtered" "$(t_events "$name")" "$(t_events "$name.new")"
}

# count NAME RANK REGION: how often it is entered there
count()
{
	grep -c "^ENTER *$2 .*\"$3\"" "$1.txt"
}

mpirun -n 2 "$measure" -o all ./talk || t_fail "all: exit status $?"
run paradigm --exclude paradigm=mpi
t_equal 'paradigm: MPI' 0 "$(count paradigm '[01]' 'MPI_.*')"
t_equal 'paradigm: functions' 10 "$(count paradigm '[01]' talk)"
run roles --exclude role=p2p,coll
t_equal 'roles: MPI_Send' 0 "$(count roles 0 MPI_Send)"
t_equal 'roles: MPI_Allreduce' 0 "$(count roles 0 MPI_Allreduce)"
t_equal 'roles: MPI_Init' 2 "$(count roles '[01]' MPI_Init)"
run ranks --exclude rank=1
t_equal 'ranks: functions of 0' 5 "$(count ranks 0 talk)"
t_equal 'ranks: regions of 1' 0 "$(count ranks 1 '.*')"
run calls --exclude 'MPI_Allreduce every=2; paradigm=mpi within=main shorter=1000s'
t_equal 'calls: MPI_Allreduce' 4 "$(count calls '[01]' MPI_Allreduce)"
t_equal 'calls: MPI_Send, which has a record in it' 5 "$(count calls 0 MPI_Send)"

# Several processes leave out the same as one.
mpirun -n 2 "$t_build/measure-sync" -q --exclude 'MPI_Allreduce every=2; rank=1 main' all -o two || t_fail "two: exit status $?"
"$t_build/measure-sync" -q --exclude 'MPI_Allreduce every=2; rank=1 main' all -o one || t_fail "one: exit status $?"
for what in '' -G -A; do
	# shellcheck disable=SC2086
	t_equal "one and two, $what" "$(otf2-print $what one/traces.otf2 | grep -v '^Trace identifier')" \
		"$(otf2-print $what two/traces.otf2 | grep -v '^Trace identifier')"
done
t_end
