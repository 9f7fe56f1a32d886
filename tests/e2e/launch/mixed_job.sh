#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Description: ranks with measure beside ranks without it, in any order: nobody waits for the others for long, the archive is sound, and the summary says which ranks are missing
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
t_need_mpirun
[ -e "$t_build/.libs/libmeasure-mpi.so" ] || t_skip 'no MPI adapter'

cat >talk.c <<'C'
#include <mpi.h>
#include <stdio.h>

/* Messages in a ring, in a communicator of all and one of every second rank. */
int main(int argc, char **argv)
{
	int rank, size, sum = 0, got;
	MPI_Comm all, half;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &all);
	MPI_Comm_split(all, rank % 2, rank, &half);
	for (int i = 0; i < 10; i++) {
		MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
			(rank + size - 1) % size, 0, all, MPI_STATUS_IGNORE);
		MPI_Barrier(half);
		MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	if (rank == 0)
		printf("sum %d\n", sum);
	MPI_Comm_free(&half);
	MPI_Comm_free(&all);
	MPI_Finalize();
	return 0;
}
C
${MPICC:-mpicc} -o talk talk.c || t_skip 'mpicc does not work'

# mixed NAME RECORDED MISSING ARGUMENT...: the arguments of mpirun; which ranks are recorded, and which are missing
mixed()
{
	name=$1 recorded=$2 missing=$3
	shift 3
	timeout 30 mpirun "$@" >out 2>err
	t_equal "$name: status" 0 $?
	t_equal "$name: output" 'sum 6' "$(cat out)"
	t_equal "$name: stderr" '' "$(cat err)"
	t_sound "$work/$name"
	t_equal "$name: missing" "  ranks without a recording: $missing" \
		"$(grep 'without a recording' "$name/summary.txt")"
	t_equal "$name: messages sent" "$recorded" \
		"$(otf2-print "$name/traces.otf2" | awk '$1 == "MPI_SEND" { nr[$2]++ } END { for (i in nr) print i ":" nr[i] }' |
			sort | tr '\n' ' ')"
}

if t_starts_several; then
	mixed first '0:10 1:10 ' '2 (2-3)' -n 2 "$measure" -o first ./talk : -n 2 ./talk
	mixed inner '1:10 2:10 ' '2 (0,3)' -n 1 ./talk : -n 2 "$measure" -o inner ./talk : -n 1 ./talk
fi
# One command, whose ranks decide for themselves.
cat >some <<S
#!/bin/sh
[ "\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" != 3 ] || exec "$measure" -o last ./talk
exec ./talk
S
chmod +x some
mixed last '3:10 ' '3 (0-2)' -n 4 ./some
t_end
