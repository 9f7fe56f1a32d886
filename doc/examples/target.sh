#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of OpenMP target gives the same answer by itself and under measure, and the archive has its
# kernels and the bytes of its transfers.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
for clang in ${TARGET_CLANG:-clang-19 clang-18 clang-17 clang}; do
	"$clang" -O2 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -o "$work/target" "$(dirname "$0")/target.c" \
		>/dev/null 2>&1 && "$work/target" >"$work/plain" 2>/dev/null && grep -q ' [1-9][0-9]* devices' "$work/plain" && break
	rm -f "$work/target"
done
[ -x "$work/target" ] || { echo "no clang that has the host as a device"; exit 77; }
cat "$work/plain"
grep -q 'right' "$work/plain"
[ -x ./measure ] || exit 0
[ -e .libs/libmeasure-ompt.so ] || { echo "the ompt adapter is not built"; exit 77; }
./measure -q -o "$work/archive" "$work/target" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$(dirname "$0")/../../tests/soundness.sh" --rectangles 0 "$work/archive"
command -v otf2-print >/dev/null || exit 0
otf2-print "$work/archive/traces.otf2" >"$work/events"
grep -q '"!$omp target' "$work/events" ||
	{ echo "this clang's OpenMP library does not tell of devices (LLVM 17 and later: libomp-19-dev, clang-19)"; exit 77; }
awk '/^ENTER/ { is_transfer = /: transfer (to|from) device"/; nr += /"!\$omp target: kernel"/ }
	is_transfer && match($0, /"OPENMP::BYTES" <[0-9]+>; UINT64; [0-9]+/) {
		text = substr($0, RSTART, RLENGTH); sub(/.* /, "", text); sum += text }
	END { print nr " kernels, " sum " bytes" }' "$work/events" | tee "$work/found"
grep -q "^$(cat "$work/found"), right" "$work/plain"
