/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a compiler Enter or Leave costs, compiled with -finstrument-functions. Without measure the
 * hooks are libc's empty ones. Usage: hooks MODE [MEVENTS]
 *
 *	batches      short bursts with pauses, so that memory is always there: "event_ns MEDIAN"
 *	sustained    MEVENTS million events at a stretch: "event_ns MEAN", and the longest time that
 *	             100 events took, "longest_us" (less is not told from what other programs do)
 *	pair         bursts by one thread, and by two at the same time on two cores, in turns:
 *	             "one_ns MEDIAN", "two_ns MEDIAN", and "share MEDIAN": of a turn, the second to the first */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>

#include "leaf.h"

enum { BATCHES = 151, PAIRS_PER_LOOK = 50 };

BENCH_PLAIN void batches(void)
{
	double values[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		values[i] = batch();
	}
	printf("event_ns %.2f\n", bench_median(values, BATCHES));
}

BENCH_PLAIN void sustained(double million_events)
{
	uint64_t nr_looks = (uint64_t)(million_events * 1e6 / (2.0 * PAIRS_PER_LOOK));
	uint64_t begin = bench_now(), last = begin, longest = 0;

	for (uint64_t look = 0; look < nr_looks; look++) {
		uint64_t now;

		for (int i = 0; i < PAIRS_PER_LOOK; i++)
			leaf();
		now = bench_now();
		if (now - last > longest)
			longest = now - last;
		last = now;
	}
	printf("event_ns %.2f\n", (double)(last - begin) / ((double)nr_looks * 2 * PAIRS_PER_LOOK));
	printf("longest_us %.1f\n", (double)longest / 1e3);
}

/* ------------------------------------------------------------------- two threads --- */

static _Atomic int nr_ready;   /* threads that wait for the next burst, in all bursts */
static double second[BATCHES]; /* of the other thread */

/* Both have come here so many times. */
BENCH_PLAIN void meet(int times)
{
	atomic_fetch_add(&nr_ready, 1);
	while (atomic_load(&nr_ready) < 2 * times)
		;
}

BENCH_PLAIN void *other_thread(void *core)
{
	cpu_set_t set;

	leaf();
	CPU_ZERO(&set);
	CPU_SET(*(int *)core, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		meet(i + 1);
		second[i] = batch();
	}
	return NULL;
}

/* A core that is not the last one, which is for the main thread; itself where there is no other. */
BENCH_PLAIN int another_core(void)
{
	cpu_set_t set;
	int core = 0;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 0;
	while (core < CPU_SETSIZE - 1 && !CPU_ISSET(core, &set))
		core++;
	return core;
}

BENCH_PLAIN int pair(void)
{
	double one[BATCHES], two[BATCHES], shares[BATCHES];
	int core = another_core();
	pthread_t other;

	bench_pin();
	if (pthread_create(&other, NULL, other_thread, &core) != 0)
		return 1;
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(1);
		one[i] = batch();
		meet(i + 1);
		two[i] = batch();
		shares[i] = two[i] / one[i];
	}
	pthread_join(other, NULL);
	printf("one_ns %.2f\n", bench_median(one, BATCHES));
	printf("two_ns %.2f\n", bench_median(two, BATCHES));
	printf("other_ns %.2f\n", bench_median(second, BATCHES));
	printf("share %.3f\n", bench_median(shares, BATCHES));
	return 0;
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs("usage: hooks batches | sustained [MEVENTS] | pair\n", stderr);
		return 2;
	}
	/* The first event makes threads of the tool, which must not inherit the pin. */
	leaf();
	bench_pause(100);
	if (strcmp(argv[1], "pair") == 0)
		return pair();
	bench_pin();
	if (strcmp(argv[1], "batches") == 0)
		batches();
	else
		sustained(argc > 2 ? atof(argv[2]) : 20);
	return 0;
}
