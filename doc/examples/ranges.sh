#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example with NVTX gives the same answer by itself and under measure, and its archive is sound and has
# as many ranges as it says, with categories and values, on both threads
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
build=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tests/adapter/counts.sh"
unset NVTX_INJECTION64_PATH
cd "$work"

command -v "${CC:-cc}" >/dev/null || { echo 'no compiler'; exit 77; }
command -v otf2-print >/dev/null || { echo 'otf2-print is not installed'; exit 77; }
# The header where it is installed, else what stands in for it.
# shellcheck disable=SC2086 # several words
${CC:-cc} -O2 -Wall -Wextra -Werror -idirafter "$top/tests/adapter/ranges" "$here/ranges.c" -o ranges -lpthread -ldl
./ranges >plain
"$build/measure" -o run ./ranges >traced
cmp plain traced
MEASURE_CHECK=$build/measure-check "$top/tests/soundness.sh" run
otf2-print run/traces.otf2 >events
compare_counts plain events

count_lines events 50 '("range.category" <[0-9]*>; STRING; "input" <[0-9]*>), ("range.payload" <[0-9]*>; UINT64; 80000)'
count_lines events 50 '("range.category" <[0-9]*>; STRING; "output"'
count_lines events 50 '"range.name" <[0-9]*>, Value: "block"'
[ "$(grep -E '"range.(start|stop)"' events | awk '{ print $1, $2, $4 }' | sort -u | wc -l)" = 2 ] || {
	echo 'blocks do not begin on one thread and end on the other'
	exit 1
}
[ -s run/traces.marker ]
! grep -E 'inserted|dropped|user regions' run/summary.txt || exit 1
