#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: calls of zlib are recorded with their sizes by wrappers that measure-wrap makes of five lines; their
# number and their bytes in the archive are those that the program prints.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -o "$work/wrapped" "$here/wrapped.c" -lz || { echo "no compiler, or no zlib.h"; exit 77; }
"$work/wrapped" | tee "$work/plain"
[ -x ./measure ] || exit 0

./measure-wrap -o "$work" wrapped "$here/wrapped.wrap"
./measure --wrap "$work/libmeasure-wrap-wrapped.so" -o "$work/archive" "$work/wrapped" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$here/../../tests/soundness.sh" "$work/archive"
command -v otf2-print >/dev/null || exit 0

# Attributes stand in the line behind their record.
otf2-print "$work/archive/traces.otf2" | awk '
	function number(name) {
		match($0, "\"" name "\" <[0-9]+>; U?INT64; [0-9]+")
		value = substr($0, RSTART, RLENGTH)
		sub(/.* /, "", value)
		return value
	}
	/^ENTER .*"compress2"/ { calls++ }
	/"sourceLen"/ { before += number("sourceLen") }
	/"destLen"/ { after += number("destLen") }
	END { printf "compress2: %d calls, %d bytes, %d compressed\n", calls, before, after }' | tee "$work/found"
cmp "$work/plain" "$work/found"
