#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of OpenACC gives the same answer by itself and under measure, and the archive has as many
# parallel constructs as it says.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -g -fopenacc -o "$work/openacc" "$(dirname "$0")/openacc.c" 2>/dev/null ||
	{ echo "no compiler that has -fopenacc"; exit 77; }
"$work/openacc" | tee "$work/plain"
[ -x ./measure ] || exit 0
[ -e .libs/libmeasure-openacc.so ] || { echo "the openacc adapter is not built"; exit 77; }
./measure -q -o "$work/archive" "$work/openacc" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$(dirname "$0")/../../tests/soundness.sh" --rectangles 0 "$work/archive"
command -v otf2-print >/dev/null || exit 0
read -r nr _ <"$work/plain"
[ "$(otf2-print "$work/archive/traces.otf2" | grep -c '^ENTER.*"!$acc parallel"')" -eq "$nr" ]
