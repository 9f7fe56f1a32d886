#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of files gives the right answer by itself and under measure, and the archive has the
# bytes that it says it has written and read.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

doc/examples/checkpoint "$work" | tee "$work/plain"
grep -q 'right$' "$work/plain"
[ -x ./measure ] || exit 0
./measure -q -a +posixio -o "$work/archive" doc/examples/checkpoint "$work" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$here/../../tests/soundness.sh" "$work/archive"

# What the program says, and the line in which it does so.
said=$(wc -c <"$work/plain")
read -r written read_back <<X
$(sed 's/written \([0-9]*\), read \([0-9]*\).*/\1 \2/' "$work/plain")
X
./measure-check "$work/archive" | awk -v written=$((written + said)) -v read_back="$read_back" '
	/operations on files/ { print; found = $5 == written && $6 == read_back }
	END { exit !found }' || { echo "not $((written + said)) bytes out and $read_back in"; exit 1; }
