#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: the first example as it would be compiled without Measure, on 2 ranks x 2 threads: --sample says which of
# its functions are worth recompiling; recompiled, and with the options that the summary gives, these are recorded.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpicc=$(sed -n 's/^MPICC = //p' Makefile) mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
case $("$mpirun" --version 2>&1) in
*Open*MPI* | *OpenRTE*) run="$mpirun --oversubscribe --bind-to none -n 2" ;;
*) run="$mpirun -n 2" ;;
esac

command -v "$mpirun" >/dev/null || { echo "mpirun is not installed"; exit 77; }
[ -x ./measure ] || { echo "Measure is not built"; exit 77; }
$mpicc -O2 -g -fopenmp -o "$work/heat2d" "$here/heat2d.c" -lm

# 1. As it is.
$run "$work/heat2d" >"$work/plain"
$run ./measure --sample 997 -o "$work/first" "$work/heat2d" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$here/../../tests/soundness.sh" "$work/first"
sed -n '/^Samples/,/^Advice/p' "$work/first/summary.txt"
otf2-print "$work/first/traces.otf2" | grep -q CALLING_CONTEXT_SAMPLE
otf2-print "$work/first/traces.otf2" | grep -q MPI_COLLECTIVE_END

# 2. The files that the summary names, with hooks; and the options that it gives.
grep -q 'finstrument-functions  for heat2d.c' "$work/first/summary.txt"
options=$(sed -n '/measure --overhead/,/\.\.\./p' "$work/first/summary.txt" | tr -d "'\\\\\n" | sed 's/.*measure //; s/\.\.\.//')
$mpicc -O2 -g -fopenmp -finstrument-functions -o "$work/heat2d" "$here/heat2d.c" -lm
# shellcheck disable=SC2086
$run ./measure $options -o "$work/second" "$work/heat2d" >"$work/traced"
cmp "$work/plain" "$work/traced"
"$here/../../tests/soundness.sh" "$work/second"
otf2-print "$work/second/traces.otf2" | sed -n 's/^ENTER .*Region: "\([^"]*\)".*/\1/p' | sort | uniq -c
