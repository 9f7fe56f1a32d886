/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of each kind. PE 0 prints what the archive must have: lines "RECORD NUMBER" and
 * "bytes put|got NUMBER". With an argument, threads use contexts of their own. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

static long lock, flag, number, sums[4], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long reduce_sync[SHMEM_REDUCE_SYNC_SIZE], collect_sync[SHMEM_COLLECT_SYNC_SIZE];
static long bcast_sync[SHMEM_BCAST_SYNC_SIZE];
static int32_t words[64], gathered[256];
static float real;
static double strided[20];
static long double wide;
static int rank, size, next;

static void transfers(void)
{
	int32_t own[16];
	double some[10];

	shmem_int32_put(words, words + 16, 16, next);
	shmem_int32_get(own, words, 16, next);
	shmem_putmem(words, words + 16, 5, next);
	shmem_put64(words, words + 16, 2, next);
	shmem_float_p(&real, 2.5f, next);
	shmem_longdouble_p(&wide, 1.25L, next);
	shmem_barrier_all();
	MUST(shmem_float_g(&real, next) == 2.5f && shmem_longdouble_g(&wide, next) == 1.25L);
	shmem_double_iput(strided, some, 2, 1, 10, next);
	shmem_getmem_nbi(own, words, 12, next);
	shmem_int32_put_nbi(words, words + 16, 4, next);
	shmem_quiet();
}

static void atomics(void)
{
	shmem_long_atomic_inc(&number, 0);
	shmem_long_atomic_fetch_add(&number, 2, 0);
	shmem_int32_atomic_or(words + 20, 1, next);
	shmem_float_atomic_swap(&real, 1.5f, next);
	shmem_long_atomic_compare_swap(&flag, 7, 8, next); /* of int: it overwrites the stack in Open MPI 4.1.4 */
	shmem_barrier_all();
	MUST(shmem_long_atomic_fetch(&number, 0) == 3 * size);
}

static void collectives(void)
{
	shmem_long_sum_to_all(sums, &number, 1, 0, 0, size, work, reduce_sync);
	shmem_barrier_all();
	shmem_fcollect32(gathered, words, 4, 0, 0, size, collect_sync);
	shmem_barrier_all();
	shmem_broadcast64(sums + 1, sums, 1, 0, 0, 0, size, bcast_sync);
	shmem_barrier_all();
	if (rank < 2) /* not of all: a region */
		shmem_long_sum_to_all(sums, &number, 1, 0, 0, 2, work, reduce_sync);
	shmem_barrier_all();
}

static void locks_and_waits(void)
{
	shmem_set_lock(&lock);
	shmem_clear_lock(&lock);
	shmem_long_p(&flag, 1, next);
	shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
	shmem_fence();
}

static void *use_context(void *argument)
{
	shmem_ctx_t context;
	long value = (long)argument;

	MUST(shmem_ctx_create(0, &context) == 0);
	for (int i = 0; i < 100; i++) {
		shmem_ctx_long_put_nbi(context, sums + 3, &value, 1, next);
		if (i % 10 == 9)
			shmem_ctx_quiet(context);
		shmem_ctx_long_atomic_add(context, &number, 1, next);
	}
	shmem_ctx_long_put_nbi(context, sums + 3, &value, 1, next);
	shmem_ctx_destroy(context);
	return NULL;
}

int main(int argc, char **argv)
{
	const long threads = argc > 1 ? atol(argv[1]) : 0;
	pthread_t thread[8];
	int level = 0;

	if (threads)
		MUST(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) == 0);
	else
		shmem_init();
	if (threads && level != SHMEM_THREAD_MULTIPLE)
		return 77;
	rank = shmem_my_pe();
	size = shmem_n_pes();
	next = (rank + 1) % size;
	for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
		reduce_sync[i] = SHMEM_SYNC_VALUE;
	for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++)
		collect_sync[i] = SHMEM_SYNC_VALUE;
	for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++)
		bcast_sync[i] = SHMEM_SYNC_VALUE;
	shmem_barrier_all();
	if (!threads) {
		transfers();
		atomics();
		collectives();
		locks_and_waits();
	}
	for (long i = 0; i < threads; i++)
		MUST(pthread_create(&thread[i], NULL, use_context, (void *)i) == 0);
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	shmem_barrier_all();
	if (rank == 0 && !threads)
		printf("put %d\nget %d\natomic %d\ncollective %d\nbytes_put %d\nbytes_got %d\n",
			8 * size, 5 * size, 5 * size, 13 * size,
			size * (64 + 5 + 16 + 4 + (int)sizeof(long double) + 80 + 16 + 8),
			size * (64 + 4 + (int)sizeof(long double) + 12 + 8));
	else if (rank == 0)
		printf("put %ld\nget 0\natomic %ld\ncollective %d\nbytes_put %ld\nbytes_got 0\n",
			101 * threads * size, 100 * threads * size, 4 * size,
			8 * 101 * threads * size);
	shmem_finalize();
	return 0;
}
