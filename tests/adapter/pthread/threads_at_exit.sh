#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: threads that are there when the process ends, or is killed, end in the archive as well;
# and threads are recorded by default.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=tests/adapter/pthread/threads_at_exit

fail()
{
	echo "$*"
	exit 1
}

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
command -v otf2-print >/dev/null || { echo "no otf2-print"; exit 77; }

check()
{
	sh "$here/../../soundness.sh" --rectangles 0 "$1" || fail "$1 is not sound"
	otf2-print "$1/traces.otf2" >"$work/events"
	for name in BEGIN END; do
		[ "$(grep -c "^THREAD_$name " "$work/events")" = 2 ] ||
			fail "$1: not two records THREAD_$name"
	done
	grep -q '^ENTER .*Region: "leave"' "$work/events" || fail "$1: leave() is not entered"
}

./measure -o "$work/ended" $program 2>"$work/words" || fail "ends with $?: $(cat "$work/words")"
check "$work/ended"
./measure --pthread-groups=all -o "$work/all" $program || fail "ends with $?"
check "$work/all"
./measure -o "$work/killed" $program killed 2>"$work/words"
status=$?
[ $status = 137 ] || fail "killed, ends with $status"
check "$work/killed"
