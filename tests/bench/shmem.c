/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a put of 8 bytes by OpenSHMEM costs, into memory of this PE and, where there are two, of the
 * other one: "put_ns MEDIAN". Medians over short batches with pauses, so that event memory is always
 * there. */
#include <shmem.h>

#include "bench.h"

enum { BATCHES = 101, PUTS = 256 };

static long place;

static double batch(int pe)
{
	const uint64_t begin = bench_now();
	long value = 1;

	for (int i = 0; i < PUTS; i++)
		shmem_long_put(&place, &value, 1, pe);
	return (double)(bench_now() - begin) / PUTS;
}

int main(void)
{
	double values[BATCHES];
	int rank, size;

	shmem_init();
	rank = shmem_my_pe();
	size = shmem_n_pes();
	batch((rank + 1) % size);
	shmem_barrier_all();
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		values[i] = batch((rank + 1) % size);
	}
	if (rank == 0)
		printf("put_ns %.2f\n", bench_median(values, BATCHES));
	shmem_finalize();
	return 0;
}
