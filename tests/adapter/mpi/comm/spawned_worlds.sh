#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: spawned processes that run under measure are in the archive of their parents, with
# what both said to each other; traffic with others is not recorded.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] || skip "measure is not built"

program=$PWD/tests/adapter/mpi/comm/spawn.mpi
choose_programs
run_mpi 2 "$program" "$program" >"$work/plain"
case $? in
0) ;;
77) skip "$(cat "$work/plain")" ;;
*) fail "ends with $?" ;;
esac

# record COMMAND...: what the children are started with
record()
{
	rm -rf "$work"/trace*
	run_mpi 2 ./measure -q -o "$work/trace" "$program" "$@" >"$work/output" ||
		fail "$*: ends with $?"
	cmp "$work/plain" "$work/output" || fail "$*: other output under measure"
	for tries in 1 2 3 4 5 6 7 8 9 10; do
		[ ! -e "$work/trace/traces.otf2" ] || break
		sleep 1
	done
	otf2-print -G "$work/trace/traces.otf2" >"$work/definitions" || fail "$*: unreadable"
	otf2-print "$work/trace/traces.otf2" >"$work/events" || fail "$*: unreadable"
	./measure-check "$work/trace" >"$work/words" 2>&1 || fail "$*: $(cat "$work/words")"
}

# has NUMBER PATTERN: so many definitions or events fit
has()
{
	found=$(cat "$work/definitions" "$work/events" | grep -c -E "$2")
	[ "$found" = "$1" ] || fail "$found instead of $1 of $2"
}

record "$program"
has 2 '^LOCATION_GROUP  '
has 2 '^INTER_COMM '
has 4 '^COMM_CREATE '

# The children's archive is that of their parents, unless they are told otherwise.
record "$PWD/measure" -q "$program"
! grep -q '^  warning' "$work/words" || fail "measured children: $(cat "$work/words")"
[ ! -e "$work/trace.1" ] || fail "the children have an archive of their own"
has 6 '^LOCATION_GROUP  '
has 6 '^INTER_COMM '
has 3 '^COMM  .*Name: "MPI_COMM_WORLD".*Parent: UNDEFINED'

# The children's recording went elsewhere: in this one places without events stand for them.
record "$PWD/measure" -q -o "$work/elsewhere/trace" "$program"
has 6 '^LOCATION_GROUP  '
grep -q '0 errors' "$work/words" || fail "children elsewhere: $(cat "$work/words")"
./measure-check "$work"/elsewhere/trace* >"$work/words" 2>&1 ||
	fail "the children's archive: $(cat "$work/words")"

# What a script runs is not known when it is spawned: its archive is another one.
printf '#!/bin/sh\nexec "%s" -q -o "%s" "$@"\n' "$PWD/measure" "$work/script/trace" >"$work/script.sh"
chmod +x "$work/script.sh"
record "$work/script.sh" "$program"
has 2 '^LOCATION_GROUP  '
./measure-check "$work"/script/trace* >"$work/words" 2>&1 ||
	fail "the archive of a script: $(cat "$work/words")"
exit 0
