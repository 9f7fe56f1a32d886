#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Description: a program that is not linked to MPI opens it, for itself alone (RTLD_LOCAL), as an
# interpreter does: under a launcher it is recorded, and a program that never does runs as ever.
set -u
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/mpirun.sh"
[ -x ./measure ] || skip "measure is not built"
mpicc=$(sed -n 's/^MPICC = //p' Makefile)

cat >"$work/opens.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *opened = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*run)(void) = opened ? (int (*)(void))dlsym(opened, "run") : NULL;

	return run ? run() : puts(dlerror());
}
END
cat >"$work/ours.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int run(void)
{
	int is_there, rank, size, sum;

	MPI_Initialized(&is_there);
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank == 0)
		MPI_Send(&size, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(&size, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d %d\n", is_there, sum);
	return MPI_Finalize();
}
END
cc "$work/opens.c" -o "$work/opens" -ldl &&
	"$mpicc" -shared -fPIC "$work/ours.c" -o "$work/ours.so" || skip "cannot compile"

run_mpi 2 "$work/opens" "$work/ours.so" >"$work/plain" || fail "ends with $?"
run_mpi 2 ./measure -q -o "$work/trace" "$work/opens" "$work/ours.so" >"$work/traced" ||
	fail "under measure: ends with $?"
cmp "$work/plain" "$work/traced" || fail "other output under measure"
sh "$here/../../soundness.sh" "$work/trace" || exit 1
otf2-print "$work/trace/traces.otf2" >"$work/printed"
for record in 'ENTER.*"MPI_Init"' 'MPI_SEND ' 'MPI_RECV ' 'MPI_COLLECTIVE_END '; do
	grep -q "^$record" "$work/printed" || fail "no $record in the archive"
done

run_mpi 2 ./measure -q -o "$work/shell" sh -c 'echo shell; exit 0' >"$work/traced" ||
	fail "a shell: ends with $?"
[ "$(cat "$work/traced")" = "shell
shell" ] || fail "a shell: other output"
exit 0
