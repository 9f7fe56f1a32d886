#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the first example computes the right answer with and without measure, on 2 ranks x 2 threads, and
# leaves a sound archive, which measure-report draws.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
case $("$mpirun" --version 2>&1) in
*Open*MPI* | *OpenRTE*) run="$mpirun --oversubscribe --bind-to none -n 2" ;;
*) run="$mpirun -n 2" ;;
esac

command -v "$mpirun" >/dev/null || { echo "mpirun is not installed"; exit 77; }
$run doc/examples/heat2d | tee "$work/plain"
grep -q 'right$' "$work/plain"
[ -x ./measure ] || exit 0
$run ./measure -o "$work/archive" doc/examples/heat2d >"$work/traced"
cmp "$work/plain" "$work/traced"
"$(dirname "$0")/../../tests/soundness.sh" "$work/archive"

# A time line, as share/quickstart draws it.
if ./measure-report --phase 'step#100-102' --svg "$work/timeline.svg" "$work/archive" 2>"$work/words"; then
	grep -q '^<svg ' "$work/timeline.svg"
else
	grep -q 'this build draws no pictures' "$work/words" || [ ! -x measure-report ]
	echo 'not tested: the time line, for want of cairo or zlib'
fi
