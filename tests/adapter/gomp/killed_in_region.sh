#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program that is killed or exits inside of nested parallel regions leaves a sound
# archive, with teams that nobody could describe any more.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
for round in 1 2 3; do
	./measure -o "$work/$round" tests/adapter/gomp/killed_in_region 2>"$work/words"
	status=$?
	[ $status = 137 ] || { echo "round $round ends with $status"; cat "$work/words"; exit 1; }
	"$here/../../soundness.sh" --rectangles 1 "$work/$round" || exit 1
done
./measure -o "$work/exits" tests/adapter/gomp/killed_in_region exits 2>"$work/words"
status=$?
[ $status = 3 ] || { echo "exits with $status"; cat "$work/words"; exit 1; }
"$here/../../soundness.sh" --rectangles 1 "$work/exits"
