#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Description: all tools read the archive of a job of 1,000 ranks, which never ran, with no more than 64 descriptors
# each; what they count is what was made. The clocks of 1,000 nodes are compared to within their bounds.
set -u

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MEASURE_QUIET=yes
ranks=1000
steps=4 # in each a message from each rank; in every fourth an MPI_Allreduce: see make_parts_events.c

fail()
{
	echo "failed: $*: $(head -n 5 "$work/out" "$work/err")"
	exit 1
}

# run COMMAND...: without a word on stderr
run()
{
	(ulimit -n 64 && exec "$@") >"$work/out" 2>"$work/err" </dev/null || fail "$* ends with $?"
	[ ! -s "$work/err" ] || fail "$*"
}

# visits FUNCTION: that the profile, in CSV, has of it
visits()
{
	awk -F , -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		index($0, name) { sum += $column["visits"] }
		END { print sum + 0 }' "$work/out"
}

run tests/scale/make_parts --ranks $ranks --events $((10 * steps)) --communicators 16 --archive "$work/run"
run ./measure-check "$work/run"
grep -q 'sound (' "$work/out" || fail 'not sound'
run tests/scale/make_parts --ranks 40 --events $((10 * steps)) --communicators 5 --archive "$work/small"
"$(dirname "$0")/../soundness.sh" "$work/small" >"$work/out" || fail 'not sound'

run ./measure-profile --format csv "$work/run"
for call in MPI_Send MPI_Recv; do
	[ "$(visits $call)" = $((ranks * steps)) ] || fail "$(visits $call) calls of $call"
done
[ "$(visits MPI_Allreduce)" = $ranks ] || fail "$(visits MPI_Allreduce) calls of MPI_Allreduce"

run ./measure-analyze --format json "$work/run"
python3 -c 'import json, sys; json.load(sys.stdin)' <"$work/out" || fail 'no JSON'
run ./measure-report --text "$work/run"
run ./measure-report "$work/run" -o "$work/run.html"
run ./measure-sync "$work/run" -o "$work/sync"
run ./measure-check --quiet "$work/sync"

run tests/scale/offset_tree --clocks $ranks
grep -qx 'begin_outside 0' "$work/out" && grep -qx 'point_outside 0' "$work/out" || fail 'offsets beyond their bounds'
