#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: measure-compare follows functions that were renamed or are new, takes names with commas, refuses damaged archives, and shows how runs with several numbers of ranks scale
. "$(dirname "$0")/../lib.sh"
compare=$t_build/measure-compare
cd "$work" || exit 1

# record DIR FLAG...: a run of the program compiled so
record()
{
	gcc -O1 -g -finstrument-functions "${@:2}" -o "$1.program" "$t_here/steps.c" || t_fail "$1: does not compile"
	"$measure" -o "$1" "./$1.program" || t_fail "$1: ended with $?"
}

# compared STATUS ARGUMENT...: into out and err
compared()
{
	"$compare" "${@:2}" >out 2>err
	t_equal "${*:2}: status" "$1" $?
}

says()
{
	grep -q -e "$1" out || t_fail "no '$1': $(cat out err)"
}

record old
record renamed -DADVANCE=advance_2
record helped -DHELPER
cp -r old 'a,b'
cp -r old 'c,d'

# A function that occurs on one side only leaves its time, and its callees, to its caller.
compared 0 old renamed
says '^Only in base runs'
says '^Only in new runs'
says ' main/flux$'
compared 0 --map advance=advance_2 old renamed
! grep -q 'Only in' out || t_fail "--map: $(cat out)"
says ' main/advance_2/flux$'
compared 0 old helped
! grep -q 'Only in base' out || t_fail "helper: $(cat out)"
says '^ .*  helper$'
says ' main/advance/flux$'
compared 0 --by region old helped
says ' flux$'
! grep -q '/' out || t_fail "--by region: $(cat out)"
compared 0 --top 1 old old
says '^([0-9]* more: --top 0 shows all)$'

# An archive has the same time as itself, whatever separates names.
compared 0 --single 'a,b' old,old
says '^same: 1.000 x'
compared 0 'a\,b,c\,d' old,old
says '^same: 1.000 x (95 %: 1.000 to 1.000)'
says '^base: 2 runs, 1 process, 1 location,'
compared 2 'a,b,c' old
t_equal 'commas' "measure-compare: a: No such file or directory: name archives, separated by commas" "$(cat err)"

# What is unclear passes, unless it shall not.
compared 0 old renamed
compared 1 --unclear fail old renamed

# An archive of which a part cannot be read would seem to be faster.
cp -r old damaged
events=$(find damaged/ -name '*.evt' | head -n 1)
truncate -s $(($(stat -c %s "$events") / 2)) "$events"
compared 2 old damaged
t_equal 'damaged: lines' '0 1' "$(t_lines out) $(grep -c '^measure-compare: damaged: .*measure-check damaged' err)"
compared 2 old "$events"
t_equal 'no archive: lines' '0 1' "$(t_lines out) $(t_lines err)"

# Several numbers of ranks.
if command -v mpirun >/dev/null && command -v mpicc >/dev/null; then
	. "$t_tests/mpirun.sh"
	cat >ranks.c <<'END'
#include <mpi.h>
static volatile unsigned long sum;
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (unsigned long i = 0; i < 3000000; i++)
		sum += i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
	mpicc -O1 -g -finstrument-functions -o ranks ranks.c || t_fail 'the MPI program does not compile'
	for ranks in 1 2; do
		mpirun -n $ranks "$measure" -o ranks$ranks ./ranks || t_fail "$ranks ranks: ended with $?"
	done
	compared 0 ranks1 ranks2
	says '^runs differ in processes or locations: times are means of a location$'
	says '^Scaling'
	says '^ *1 .* 1\.00 .* 100 %  run time$'
	says '^ *2 .*  run time$'
	t_equal 'wider than a terminal' '' "$(grep -E '.{81}' out)"
fi
t_end
