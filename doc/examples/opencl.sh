#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the example of OpenCL gives the right answer by itself and under measure, and the archive has its kernels
# on the device, with the time that the device has told the program.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR="$work/pocl"
${CC:-cc} -O2 -g -o "$work/opencl" "$(dirname "$0")/opencl.c" -lOpenCL 2>/dev/null ||
	{ echo "no OpenCL to compile with (Debian: opencl-headers, ocl-icd-opencl-dev)"; exit 77; }
"$work/opencl" >"$work/plain" || { echo "no OpenCL device (Debian: pocl-opencl-icd)"; exit 77; }
grep -q '^right: 10 kernels' "$work/plain"
[ -x ./measure ] || exit 0
[ -e .libs/libmeasure-opencl.so ] || { echo "the opencl adapter is not built"; exit 77; }
./measure -q -o "$work/archive" "$work/opencl" | tee "$work/said"
"$(dirname "$0")/../../tests/soundness.sh" "$work/archive"
command -v otf2-print >/dev/null || exit 0

otf2-print -G "$work/archive/traces.otf2" >"$work/definitions"
ticks=$(sed -n 's/.*Ticks per Seconds: \([0-9]*\).*/\1/p' "$work/definitions")
otf2-print "$work/archive/traces.otf2" | awk -v ticks="$ticks" '
	$1 == "ENTER" && /"saxpy"/ { begin = $3 }
	$1 == "LEAVE" && /"saxpy"/ { nr++; sum += $3 - begin }
	END { printf "%d kernels, %.0f ns\n", nr, sum * 1e9 / ticks }' | tee "$work/found"
read -r _ nr _ ns _ <"$work/said"
read -r nr_found _ ns_found _ <"$work/found"
[ "$nr_found" -eq "$nr" ]
awk -v said="$ns" -v found="$ns_found" 'BEGIN { off = found - said; exit !(off * off < (said * 1e-4 + 50) ^ 2) }'
