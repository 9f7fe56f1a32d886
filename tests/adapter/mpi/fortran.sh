#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a Fortran program's MPI_Init, MPI_Init_thread, collectives and MPI_Finalize are seen
# through mpif.h, `use mpi` and `use mpi_f08`, each once, and its ranks agree on their world.
set -u
name=fortran
here=$(cd "$(dirname "$0")" && pwd)
. "$here/mpirun.sh"
command -v mpifort >/dev/null || skip "no mpifort"

for binding in MPIF MPI F08; do
	for threads in "" -DWITH_THREADS; do
		what="$binding $threads"
		mpifort -cpp -DUSE_$binding $threads "$here/hello.f90" -o "$work/hello" ||
			skip "mpifort cannot compile for $binding"
		run_mpi 2 env MEASURE_STUB_LOG="$work/%p.log" \
			LD_PRELOAD="$PWD/.libs/libmeasure-stub.so $PWD/.libs/libmeasure-mpi.so" \
			"$work/hello" >"$work/output" || fail "$what: ends with $?"
		awk -f "$here/check_log.awk" "$work"/*.log >"$work/records" || fail "$what"
		init=MPI_Init${threads:+_thread}
		for rank in 0 1; do
			printf 'rank %s\n\tenter %s\n' $rank $init
			printf '\tcomm 0 kind 0 members - parent none\n'
			printf '\tcomm 1 kind 1 members - parent none\n'
			printf '\tleave %s\n\tenter MPI_Barrier\n\tmpi_collective_begin\n' $init
			printf '\tmpi_collective_end 0 0 none 0 0\n\tleave MPI_Barrier\n'
			printf '\tenter MPI_Finalize\n\tleave MPI_Finalize\n'
		done | diff - "$work/records" || fail "$what: other records than expected"
		rm -f "$work"/*.log
	done
done
