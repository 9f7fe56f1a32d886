#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: on a full or unwritable disk the program runs to its end and the user is told once
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] || t_skip 'needs root to mount a small file system'
mkdir "$work/disk"
mount -t tmpfs -o size=1m none "$work/disk" 2>/dev/null || t_skip 'cannot mount here'
trap 'umount "$work/disk"; t_clear' EXIT

# 30 MB of events
cat >"$work/busy.c" <<'C'
#include <stdio.h>
__attribute__((noinline)) static int f(int n) { return n + 1; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 1000000; i++)
		sum += f(i) & 1;
	printf("%d\n", sum);
	return 7;
}
C
${CC:-cc} -O1 -finstrument-functions -o "$work/busy" "$work/busy.c" || t_skip 'no compiler'

"$measure" -o "$work/disk/run" "$work/busy" >"$work/out" 2>"$work/err"
t_equal 'full: status' 7 $?
t_equal 'full: stdout' 500000 "$(cat "$work/out")"
grep -q -E "^measure: $work/disk/run: cannot write event files: No space left" "$work/err" ||
	t_fail "full: stderr: '$(cat "$work/err")'"
grep -q -E "^measure: $work/disk/run: No space left on device: when event memory is full" "$work/err" ||
	t_fail "full: stderr: '$(cat "$work/err")'"
t_equal 'full: lines on stderr' 2 "$(t_lines "$work/err")"

# No room for anything at all.
rm -rf "$work/disk/run"
dd if=/dev/zero of="$work/disk/fill" bs=4k >/dev/null 2>&1
"$measure" -o "$work/disk/run" "$work/busy" >"$work/out" 2>"$work/err"
t_equal 'no room: status' 7 $?
t_equal 'no room: stdout' 500000 "$(cat "$work/out")"
t_equal 'no room: lines on stderr' 1 "$(t_lines "$work/err")"
t_equal 'no room: left over' fill "$(ls -A "$work/disk")"

mount -o remount,ro "$work/disk"
"$measure" -o "$work/disk/other" "$work/busy" >"$work/out" 2>"$work/err"
t_equal 'read only: status' 7 $?
t_equal 'read only: stderr' \
	"measure: $work/disk/other: cannot create: Read-only file system: choose another --output" \
	"$(cat "$work/err")"

# The limit on file sizes is not for us to die of.
(ulimit -f 1000; "$measure" -o "$work/limited" "$work/busy") >"$work/out" 2>"$work/err"
t_equal 'ulimit: status' 7 $?
t_equal 'ulimit: stdout' 500000 "$(cat "$work/out")"
t_end
