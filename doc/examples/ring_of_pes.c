/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenSHMEM: each PE puts blocks into the memory of the next one, half of them without waiting, and
 * counts in that of PE 0. PE 0 prints what all have done.
 *
 *	oshcc -O2 -g -o ring_of_pes ring_of_pes.c
 *	oshrun -n 4 measure ./ring_of_pes
 */
#include <shmem.h>
#include <stdio.h>

enum { ROUNDS = 20, BLOCK = 1000 };

static long counter, largest, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], sync_[SHMEM_REDUCE_SYNC_SIZE];
static double inbox[BLOCK], outbox[BLOCK];

int main(void)
{
	int rank, size, next;
	static long own;

	shmem_init();
	rank = shmem_my_pe();
	size = shmem_n_pes();
	next = (rank + 1) % size;
	for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
		sync_[i] = SHMEM_SYNC_VALUE;
	shmem_barrier_all();
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < BLOCK; i++)
			outbox[i] = rank + round;
		shmem_double_put(inbox, outbox, BLOCK / 2, next);
		shmem_double_put_nbi(inbox + BLOCK / 2, outbox + BLOCK / 2, BLOCK / 2, next);
		shmem_quiet();
		shmem_barrier_all();
		own += (long)inbox[0] + (long)inbox[BLOCK - 1];
		shmem_long_atomic_add(&counter, 1, 0);
		shmem_barrier_all();
	}
	shmem_long_max_to_all(&largest, &own, 1, 0, 0, size, work, sync_);
	shmem_barrier_all();
	if (rank == 0)
		printf("puts %d, bytes %zu, atomics %ld, largest %ld\n", 2 * ROUNDS * size,
			ROUNDS * BLOCK * sizeof(double) * (size_t)size, counter, largest);
	shmem_finalize();
	return 0;
}
