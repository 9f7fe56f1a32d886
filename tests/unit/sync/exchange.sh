#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: values between the ranks of a job arrive, and all ranks learn that they have
. "$(dirname "$0")/../../mpirun.sh"
mpirun=$(sed -n 's/^MPIRUN = //p' Makefile)
$mpirun -n 1 true >/dev/null 2>&1 || { echo "skipped: $mpirun does not work here"; exit 77; }
for size in 2 3 5; do
	$mpirun -n $size tests/unit/sync/exchange "$PWD/.libs/libmeasure-sync-mpi.so" ||
		{ echo "failed: $size ranks"; exit 1; }
done
