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
# One command for all ranks: the launcher of Open MPI 5.0.7 crashes where it has to start two (in PMIx).
# shellcheck disable=SC2016 # for each rank
run_mpi 2 sh -c 'case ${OMPI_COMM_WORLD_RANK-$PMI_RANK} in 0) output=$1 ;; *) output=/proc/nowhere/trace ;; esac
	exec ./measure -o "$output" "$0"' $program "$work/trace" \
	>"$work/output" 2>"$work/words" || fail "under measure: ends with $?: $(cat "$work/words")"
grep -q 'MPI Rank 1 left no recording' "$work/trace/summary.txt" || fail "$(cat "$work/trace/summary.txt")"
cmp "$work/plain" "$work/output" || fail "other output under measure"
