#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: with --exec the archive has what a script or launcher finally starts in its place, with its ranks
. "$(dirname "$0")/../lib.sh"
starts=$t_build/tests/e2e/programs/starts
cd "$work" || exit 1

# groups DIRECTORY: ranks or programs of the location groups, and the ids of their creators
groups()
{
	otf2-print -G "$1/traces.otf2" | sed -n 's/^LOCATION_GROUP  *[0-9]*  Name: "\([^"]*\)".*Creator: \(.*\)$/\1 \2/p' |
		sed 's/^Process [0-9]* (\([^)]*\))/\1/; s/ UNDEFINED$//; s/ "Process.*<\([0-9]*\)>$/<-\1/' | tr '\n' ';'
}

# with_exec NAME COMMAND...: the same as without measure
with_exec()
{
	name=$1
	shift
	plain=$("$@" 2>&1; echo "status $?")
	measured=$("$measure" -q --exec -o "$name" "$@" 2>&1; echo "status $?")
	[ "$plain" = "$measured" ] || t_fail "$name: $(diff <(echo "$plain") <(echo "$measured"))"
	t_wait 30 test ! -e "$name/.parts"
	"$MEASURE_CHECK" "$name" >"$name.check" || t_fail "$name: $(cat "$name.check")"
}

printf '#!/bin/sh\necho begin\nls / >/dev/null\nTEST=script "$@"\nstatus=$?\necho end\nexit $status\n' >run.sh
chmod +x run.sh
with_exec script sh run.sh "$starts" target 3
with_exec itself ./run.sh "$starts" target 3
with_exec env env TEST=1 "$starts" target 3
with_exec replaced sh -c 'exec "$0" target 3' "$starts"
for way in script itself env replaced; do
	t_equal "$way: groups" 'starts;' "$(groups $way)"
	t_equal "$way: end" 1 "$(otf2-print $way/traces.otf2 | grep -c 'PROGRAM_END  *0 .*Exit status: 3')"
done
if command -v taskset >/dev/null; then
	with_exec taskset taskset -c 0 "$starts" target 3
	t_equal 'taskset: groups' 'starts;' "$(groups taskset)"
fi
# What the program itself starts is another matter.
with_exec spawned env TEST=1 "$starts" spawned
t_equal 'spawned: groups' 'starts;' "$(groups spawned)"
with_exec becomes env TEST=1 "$starts" execv
t_equal 'becomes: groups' 'starts;starts<-0;' "$(groups becomes)"
"$measure" -q --exec --children=follow -o followed env TEST=1 "$starts" spawned >/dev/null
t_equal 'followed: processes' 3 "$(groups followed | tr -cd ';' | wc -c)"
# Nothing has hooks: what was started last is there, and no shell that started it.
with_exec bare sh -c 'sh -c "sleep 0; exit 4"'
t_equal 'bare: groups' 'sleep;' "$(groups bare)"
with_exec nothing sh -c 'exit 4'
case $(groups nothing) in
*sh';') ;;
*) t_fail "nothing: $(groups nothing)" ;;
esac
with_exec killed sh -c '"$0" target 9; echo "status $?"; exec "$0" target 9' "$starts"
t_equal 'killed: groups' 'starts;starts;' "$(groups killed)"
grep -q 'killed by signal 9' killed/summary.txt || t_fail 'killed: the signal is not told of'

# What would be loaded into such a launcher says nothing of what it starts; and it has no rank.
mkdir bin && cp run.sh bin/mpirun
"$measure" --dry-run bin/mpirun -n 4 "$starts" >dry || t_fail "dry run: status $?"
for adapter in mpi gomp ompt pthread; do
	[ ! -e "$t_build/.libs/libmeasure-$adapter.so" ] ||
		grep -q -x "off: $adapter: chosen separately for each program started by mpirun" dry || t_fail "dry run: $adapter: $(cat dry)"
done
t_equal 'dry run: what it says of the launcher itself' '' "$(grep -E 'the program (does not|is not)' dry)"
t_equal 'dry run: rank' 'rank = none' "$(grep '^rank' dry)"

# Measure itself further on does as it does alone.
"$measure" -q --exec -o outer sh -c '"$0" -q -o inner "$1" target 3' "$measure" "$starts" >/dev/null
t_sound "$work/inner"
t_equal 'inner: groups' 'starts;' "$(groups inner)"

command -v mpirun >/dev/null && . "$t_tests/mpirun.sh" && mpirun -n 1 true >/dev/null 2>&1 &&
	[ -x "$t_build/tests/adapter/mpi/comm/communicators.mpi" ] || {
	echo 'no mpirun'
	t_end
}
plain=$t_build/tests/adapter/mpi/comm/communicators.mpi
with_ranks='MPI Rank 0;MPI Rank 1;MPI Rank 2;MPI Rank 3;'
printf '#!/bin/sh\nhostname >/dev/null\n"$@"\n' >rank.sh
chmod +x rank.sh
mpirun -n 4 "$measure" -q -o behind "$plain" >/dev/null 2>&1
"$measure" -q -o before mpirun -n 4 "$plain" >/dev/null 2>&1
"$measure" -q -o both mpirun -n 4 ./rank.sh "$plain" >/dev/null 2>&1
mpirun -n 4 "$measure" -q --exec -o within ./rank.sh "$plain" >/dev/null 2>&1
for way in behind before both within; do
	t_wait 20 test ! -e $way/.parts
	t_sound "$work/$way"
	t_equal "$way: groups" "$with_ranks" "$(groups $way)"
	"$MEASURE_CHECK" $way | sed '1,/events/d; /happens/,$d' >$way.moved
	cmp -s behind.moved $way.moved || t_fail "$way: $(diff behind.moved $way.moved)"
done
"$measure" -q -o status mpirun -n 2 sh -c 'exit 3' >/dev/null 2>&1
t_equal 'status of mpirun' 3 $?
t_end
