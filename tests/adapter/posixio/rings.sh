#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: operations of io_uring are in the archive as the program has made them, whoever hears of their ends
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../asan.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v otf2-print >/dev/null || { echo 'skipped: no otf2-print'; exit 77; }
${CC:-cc} -O1 -g -pthread -o "$work/rings" "$here/rings.c" -luring 2>/dev/null || { echo 'skipped: no liburing'; exit 77; }

status=0
"$work/rings" "$work/file" >"$work/plain" || status=$?
[ $status != 77 ] || { echo 'skipped: the kernel allows no io_uring'; exit 77; }
[ $status = 0 ]
memory=,+memory
! left_out_under_asan . 'the memory adapter' 'its allocator must be the first one' || memory=
for options in '-a +posixio' "-a +posixio,+pthread$memory --io-groups=async"; do
	./measure -q $options -o "$work/archive" "$work/rings" "$work/file" >"$work/traced"
	cmp "$work/plain" "$work/traced"
	"$here/../../soundness.sh" --rectangles 0 "$work/archive"
	otf2-print "$work/archive/traces.otf2" | awk '
		/^IO_OPERATION_BEGIN/ && /NON_BLOCKING/ { mode[$NF] = /Mode: WRITE/ ? "written" : "read"; nr++ }
		/^IO_OPERATION_ISSUED/ { issued++ }
		/^IO_OPERATION_CANCELLED/ { cancelled++ }
		/^IO_OPERATION_COMPLETE/ && $NF in mode { id = $NF; sub(/.*Bytes Result: /, ""); bytes[mode[id]] += $1; complete++ }
		/^IO_CREATE_HANDLE/ && /file"/ { opened++ }
		/^IO_DESTROY_HANDLE/ && /file"/ { closed++ }
		END {
			printf "operations %d\ncancelled %d\nopened %d\nread %d\nwritten %d\n",
				nr, cancelled, opened, bytes["read"], bytes["written"]
			if (issued != nr || complete + cancelled != nr || opened != closed)
				print issued " issued, " complete " complete, " closed " closed"
		}' >"$work/found"
	diff "$work/plain" "$work/found" || { echo "failed: $options"; exit 1; }
	rm -rf "$work/archive"
done
