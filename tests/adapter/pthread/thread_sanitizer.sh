#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program built with ThreadSanitizer runs and is recorded: its library's functions are called
# through ours, and none of them once it has taken leave of a thread.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "$*"
	exit 1
}

[ -x ./measure ] || { echo "measure is not built"; exit 77; }
. "$here/../../asan.sh"
! under_asan . || { echo "AddressSanitizer: a program cannot have ThreadSanitizer beside it"; exit 77; }
${CC:-gcc} -g -O1 -fsanitize=thread -I"$here" -o "$work/conditions" "$here/conditions.c" 2>"$work/words" &&
	"$work/conditions" >"$work/plain" 2>>"$work/words" ||
	{ echo "no ThreadSanitizer: $(head -n 1 "$work/words")"; exit 77; }
for groups in auto all; do
	./measure --pthread-groups=$groups -o "$work/$groups" "$work/conditions" >"$work/traced" 2>"$work/words" ||
		fail "$groups: ends with $?: $(head -n 20 "$work/words")"
	grep -q 'did not load' "$work/words" && { echo "the sanitizer leaves no room"; exit 77; }
	cmp "$work/plain" "$work/traced" || fail "$groups: other output"
	sh "$here/../../soundness.sh" --rectangles 1 "$work/$groups" || fail "$groups: not sound"
done
