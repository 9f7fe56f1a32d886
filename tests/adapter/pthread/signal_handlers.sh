#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: nothing is recorded before a thread's begin or behind its end, whenever a signal comes; and
# no mutex is acquired before the time of its release.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -x ./measure ] && [ -x ./measure-check ] || { echo "measure is not built"; exit 77; }

for run in 1 2 3 4 5 6; do
	./measure --pthread-groups=all -o "$work/archive" tests/adapter/pthread/signal_handlers 2>"$work/words" ||
		{ echo "ends with $?: $(cat "$work/words")"; exit 1; }
	./measure-check "$work/archive" >"$work/check" && grep -q ' 0 warnings' "$work/check" ||
		{ echo "run $run:"; cat "$work/check"; exit 1; }
	[ $run != 1 ] || sh "$here/../../soundness.sh" --rectangles 1 "$work/archive" || exit 1
	rm -r "$work/archive"
done
