#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example that forgets memory runs as by itself with its memory recorded; its archive is sound, and
# holds which calls were never followed by a free.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -g -finstrument-functions -o "$work/leak" "$(dirname "$0")/leak.c" ||
	{ echo "no compiler that has -finstrument-functions"; exit 77; }
"$work/leak" | tee "$work/plain"
[ -x ./measure ] || exit 0
. "$(dirname "$0")/../../tests/asan.sh"
! left_out_under_asan "$PWD" all 'its allocator has to be the first one' || exit 77
./measure -a +memory -o "$work/archive" "$work/leak" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$(dirname "$0")/../../tests/soundness.sh" "$work/archive"
command -v otf2-print >/dev/null || exit 0

# Attributes stand in the line behind their record: sizes with the Enter, what was allocated with the Leave.
otf2-print "$work/archive/traces.otf2" | awk '
	function number(name) {
		return match($0, "\"" name "\" <[0-9]+>; UINT64; [0-9]+") ? substr($0, RSTART, RLENGTH) : ""
	}
	$1 == "ENTER" || $1 == "LEAVE" { record = $1 }
	/ALLOCATION_SIZE/ && !/DEALLOCATION_SIZE/ { size = number("ALLOCATION_SIZE"); sub(/.* /, "", size) }
	/RESULT_ADDRESS/ { at = number("RESULT_ADDRESS"); sub(/.* /, "", at); held[at] = size }
	/DEALLOCATION_SIZE/ { at = number("ARGUMENT_ADDRESS"); sub(/.* /, "", at); delete held[at] }
	/"Allocated memory"/ { most = $NF + 0 > most ? $NF + 0 : most }
	END {
		for (at in held)
			if (held[at] == 500)
				forgotten++
		print forgotten + 0, "messages were never freed; at most", most, "bytes were in use"
	}' | tee "$work/found"
grep -q '^100 messages were never freed' "$work/found"
