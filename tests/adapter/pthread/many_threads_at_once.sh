#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: more threads at once than --buffer has chunks; and no more locations than threads that were
# there at once, unless each is to have its own.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=tests/adapter/pthread/many_threads_at_once

fail()
{
	echo "$*"
	exit 1
}

# record THREADS LOCATIONS OPTION...: nothing is lost, and there are so many locations
record()
{
	threads=$1 locations=$2
	shift 2
	./measure "$@" -o "$work/archive" $program "$threads" >"$work/traced" 2>"$work/words" ||
		fail "$threads $*: ends with $?: $(cat "$work/words")"
	[ ! -s "$work/words" ] || fail "$threads $*: $(cat "$work/words")"
	sh "$here/../../soundness.sh" --rectangles 0 "$work/archive" >"$work/sound" ||
		fail "$threads $*: not sound: $(cat "$work/sound")"
	grep -q " $locations locations" "$work/sound" || fail "$threads $*: $(cat "$work/sound")"
	rm -r "$work/archive"
}

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
$program 300 >/dev/null || { echo "so many threads cannot be had"; exit 77; }
record 300 301
record 300 301 --buffer=64M # 256 chunks
record 60 301 --thread-locations=own
