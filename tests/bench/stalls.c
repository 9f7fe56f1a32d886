/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads that make events at a given pace, and how long they are held up. Compiled with
 * -finstrument-functions. Usage: stalls SECONDS [MB_PER_SECOND [paced|busy [mutex]]]
 *
 * Every millisecond each thread calls as many functions as give so many bytes of trace (50 MB/s:
 * 4.2 million events) and then sleeps, or with `busy` computes. With `mutex` it locks and unlocks one
 * instead, for tools that record no functions. Looks at the clock every 20 or 60 events;
 * what took longer than 20 us is a gap, and the thread's own counters tell why. Prints
 *
 *	events N		made by both: functions entered and left
 *	longest_us N		gap in which the thread was not switched off: its own slow path
 *	over_1ms N		gaps of that kind longer than 1 ms
 *	switched_longest_us N	gap in which another thread had the processor, whichever
 *	switched N		gaps of that kind
 *	faults N		page faults of both threads
 *	switches N		involuntary switches of both threads
 *	gap_us_20 N ...		gaps of 20 to 40 us, 40 to 80 us, ...: the histogram of both kinds
*/
#include "config.h"

#include <pthread.h>
#include <sys/resource.h>

#include "bench.h"

enum { NR_THREADS = 2, CALLS_PER_LOOK = 10, BUCKETS = 14, SHORTEST_NS = 20000 };

#define BYTES_PER_EVENT 12.0
#define BYTES_PER_PAIR	72.0 /* six records of Measure for a mutex */
#define PERIOD_NS       1000000u

static double seconds, mb_per_second;
static int is_busy, is_mutex;

struct watch {
	uint64_t nr_events, nr_over_1ms, nr_switched;
	uint64_t longest, longest_switched; /* ns */
	uint64_t gaps[BUCKETS];
	struct rusage seen, first;
	pthread_mutex_t mutex;
};

static __attribute__((noinline)) void leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

BENCH_PLAIN void call(pthread_mutex_t *mutex)
{
	for (int i = 0; i < CALLS_PER_LOOK; i++) {
		if (is_mutex) {
			pthread_mutex_lock(mutex);
			pthread_mutex_unlock(mutex);
		} else {
			leaf();
		}
	}
}

BENCH_PLAIN void note_gap(struct watch *watch, uint64_t ns)
{
	long before = watch->seen.ru_nivcsw;
	int bucket = 0;

	while (bucket < BUCKETS - 1 && ns >= (uint64_t)SHORTEST_NS << (bucket + 1))
		bucket++;
	watch->gaps[bucket]++;
	getrusage(RUSAGE_THREAD, &watch->seen);
	if (watch->seen.ru_nivcsw != before) {
		watch->nr_switched++;
		if (ns > watch->longest_switched)
			watch->longest_switched = ns;
		return;
	}
	watch->nr_over_1ms += ns > 1000000;
	if (ns > watch->longest)
		watch->longest = ns;
}

/* One period's events. */
BENCH_PLAIN void burst(struct watch *watch, int nr_looks)
{
	uint64_t last;

	getrusage(RUSAGE_THREAD, &watch->seen);
	last = bench_now();
	for (int look = 0; look < nr_looks; look++) {
		call(&watch->mutex);
		uint64_t now = bench_now();
		if (now - last >= SHORTEST_NS) {
			note_gap(watch, now - last);
			now = bench_now();
		}
		last = now;
	}
	if (!is_mutex)
		watch->nr_events += (uint64_t)nr_looks * CALLS_PER_LOOK * 2;
}

BENCH_PLAIN void await(uint64_t when)
{
	volatile double x = 1;

	for (uint64_t now = bench_now(); now < when; now = bench_now()) {
		struct timespec rest = {0, (long)(when - now)};

		if (!is_busy)
			nanosleep(&rest, NULL);
		for (int i = 0; i < 100; i++)
			x = x * 1.0000001;
	}
}

__attribute__((no_instrument_function)) static void *work(void *data)
{
	struct watch *watch = data;
	double bytes = is_mutex ? BYTES_PER_PAIR : 2 * BYTES_PER_EVENT;
	int nr_looks = (int)(mb_per_second * 1e6 / bytes / 1000 / CALLS_PER_LOOK);
	uint64_t begin, end;

	pthread_mutex_init(&watch->mutex, NULL);
	leaf();
	begin = bench_now();
	end = begin + (uint64_t)(seconds * 1e9);
	getrusage(RUSAGE_THREAD, &watch->first);
	for (uint64_t next = begin; next < end; next += PERIOD_NS) {
		await(next);
		burst(watch, nr_looks);
	}
	getrusage(RUSAGE_THREAD, &watch->seen);
	return NULL;
}

BENCH_PLAIN void print(const struct watch *watches)
{
	struct watch all = {0};
	long faults = 0, switches = 0;

	for (int t = 0; t < NR_THREADS; t++) {
		const struct watch *one = &watches[t];

		all.nr_events += one->nr_events + 2; /* the first call */
		all.nr_over_1ms += one->nr_over_1ms;
		all.nr_switched += one->nr_switched;
		all.longest = one->longest > all.longest ? one->longest : all.longest;
		if (one->longest_switched > all.longest_switched)
			all.longest_switched = one->longest_switched;
		for (int i = 0; i < BUCKETS; i++)
			all.gaps[i] += one->gaps[i];
		faults += one->seen.ru_minflt - one->first.ru_minflt;
		switches += one->seen.ru_nivcsw - one->first.ru_nivcsw;
	}
	printf("events %llu\nlongest_us %.1f\nover_1ms %llu\n", (unsigned long long)all.nr_events,
		(double)all.longest / 1e3, (unsigned long long)all.nr_over_1ms);
	printf("switched_longest_us %.1f\nswitched %llu\nfaults %ld\nswitches %ld\n",
		(double)all.longest_switched / 1e3, (unsigned long long)all.nr_switched, faults,
		switches);
	for (int i = 0; i < BUCKETS; i++)
		printf("gap_us_%d %llu\n", 20 << i, (unsigned long long)all.gaps[i]);
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	static struct watch watches[NR_THREADS];
	pthread_t threads[NR_THREADS];

	if (argc < 2 || (seconds = atof(argv[1])) <= 0) {
		fputs("usage: stalls SECONDS [MB_PER_SECOND [paced|busy [mutex]]]\n", stderr);
		return 2;
	}
	mb_per_second = argc > 2 ? atof(argv[2]) : 50;
	is_busy = argc > 3 && strcmp(argv[3], "busy") == 0;
	is_mutex = argc > 4 && strcmp(argv[4], "mutex") == 0;
	for (int t = 0; t < NR_THREADS; t++)
		if (pthread_create(&threads[t], NULL, work, &watches[t]) != 0)
			return 1;
	for (int t = 0; t < NR_THREADS; t++)
		pthread_join(threads[t], NULL);
	print(watches);
	return 0;
}
