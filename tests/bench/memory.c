/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What it costs to allocate memory and to give it back: pairs of malloc and free, by one thread,
 * and by two at the same time on two cores, in turns: "one_ns MEDIAN" and "two_ns MEDIAN" of a
 * pair, "share MEDIAN": of a turn, the second to the first.
 *
 * Short batches with pauses, so that event memory is always there. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>

#include "bench.h"

enum { BATCHES = 151, PAIRS_PER_BATCH = 2000, BYTES = 64 };

static atomic_int turn[2];

static __attribute__((noinline)) double batch(void)
{
	const uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++) {
		void *volatile memory = malloc(BYTES);
		free(memory);
	}
	return (double)(bench_now() - begin) / PAIRS_PER_BATCH;
}

static void meet(int self, int number)
{
	atomic_store(&turn[self], number);
	while (atomic_load(&turn[!self]) < number)
		;
}

/* The first core that is not the one of bench_pin(). */
static void pin_elsewhere(const cpu_set_t *allowed)
{
	cpu_set_t set;
	int cpu = 0;

	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, allowed))
		cpu++;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *other_thread(void *allowed)
{
	pin_elsewhere(allowed);
	batch();
	for (int i = 0; i < BATCHES; i++) {
		meet(1, i + 1);
		batch();
	}
	return NULL;
}

int main(void)
{
	double one[BATCHES], two[BATCHES], shares[BATCHES];
	cpu_set_t allowed;
	pthread_t other;

	/* A program has some. What comes to a notable part of all is recorded as a metric. */
	if (!malloc(4 << 20))
		return 1;
	/* The first events make threads of the tool, which must not inherit the pin. */
	batch();
	bench_pause(100);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	bench_pin();
	if (pthread_create(&other, NULL, other_thread, &allowed) != 0)
		return 1;
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		one[i] = batch();
		meet(0, i + 1);
		two[i] = batch();
		shares[i] = two[i] / one[i];
	}
	pthread_join(other, NULL);
	printf("one_ns %.2f\n", bench_median(one, BATCHES));
	printf("two_ns %.2f\n", bench_median(two, BATCHES));
	printf("share %.3f\n", bench_median(shares, BATCHES));
	return 0;
}
