#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: threads that nobody needs any more have left their last barrier when it was over, not
# when the program ended, and their team too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset OMP_NUM_THREADS OMP_DYNAMIC OMP_PROC_BIND OMP_PLACES OMP_THREAD_LIMIT
export OMP_WAIT_POLICY=passive

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
command -v otf2-print >/dev/null || { echo "no otf2-print"; exit 77; }

# ends of the team of three, and how many of them lie in the last quarter of the program
ends()
{
	otf2-print "$1/traces.otf2" | awk '
		$1 == "PROGRAM_BEGIN" { begin = $3 }
		$1 == "THREAD_TEAM_END" && $0 !~ /<1>$/ { at[nr++] = $3 }
		$1 ~ /^[A-Z_]+$/ && $3 > last { last = $3 }
		END {
			for (i = 0; i < nr; i++)
				late += at[i] - begin > 0.75 * (last - begin)
			print nr, late + 0
		}'
}

for how in returns exits killed; do
	argument=$how
	[ $how != returns ] || argument=
	# shellcheck disable=SC2086
	./measure -o "$work/$how" tests/adapter/gomp/idle_threads $argument 2>/dev/null
	"$here/../../soundness.sh" --rectangles 1 "$work/$how" || exit 1
	found=$(ends "$work/$how")
	[ "$found" = "3 0" ] || { echo "$how: ends of teams, late ones: $found, not 3 0"; exit 1; }
done
