#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of io_uring copies a file by itself and under measure, and the archive has the bytes and
# operations that it says
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -g -o "$work/ring" "$here/ring.c" -luring 2>/dev/null || { echo 'skipped: no liburing'; exit 77; }

head -c 1000000 /dev/urandom >"$work/from"
status=0
"$work/ring" "$work/from" "$work/to" >"$work/plain" 2>/dev/null || status=$?
[ $status != 77 ] || { echo 'skipped: the kernel allows no io_uring'; exit 77; }
cat "$work/plain"
[ $status = 0 ] && [ "$(cat "$work/plain")" = 'read 1000000, written 1000000' ]
[ -x ./measure ] || exit 0
rm "$work/to"
./measure -q -a +posixio -o "$work/archive" "$work/ring" "$work/from" "$work/to" >"$work/traced"
cmp "$work/plain" "$work/traced"
cmp "$work/from" "$work/to"
"$here/../../tests/soundness.sh" "$work/archive"
command -v otf2-print >/dev/null || exit 0

# Of those that do not block: 62 blocks are read and written, and eight reads find the end.
otf2-print "$work/archive/traces.otf2" >"$work/events"
awk '/^IO_OPERATION_BEGIN/ && /NON_BLOCKING/ { mode[$NF] = /Mode: READ/ ? "read" : "written" }
	/^IO_OPERATION_ISSUED/ { issued++ }
	/^IO_OPERATION_COMPLETE/ && $NF in mode { sub(/.*Bytes Result: /, ""); bytes[mode[$4]] += $1; nr++ }
	END { printf "read %d, written %d\n%d operations, %d issued\n", bytes["read"], bytes["written"], nr, issued }' \
	"$work/events" | tee "$work/found"
[ "$(head -n 1 "$work/found")" = "$(cat "$work/plain")" ]
grep -q '^132 operations, 132 issued' "$work/found"
