#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: where one rank cannot be recorded, the others are, and none waits for it in
# MPI_Init.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] || skip "measure is not built"

program=tests/adapter/mpi/p2p/blocking_p2p.mpi
run_mpi 2 $program >"$work/plain" || fail "ends with $?"
run_mpi 1 ./measure -o "$work/trace" $program : -n 1 ./measure -o /proc/nowhere/trace $program \
	>"$work/output" 2>"$work/words" || fail "under measure: ends with $?: $(cat "$work/words")"
cmp "$work/plain" "$work/output" || fail "other output under measure"
