/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads that make events at a given pace, and how long they are held up. Compiled with
 * -finstrument-functions. Usage: stalls SECONDS [MB_PER_SECOND [paced|busy [mutex]]]
 *
 * Every millisecond each thread calls as many functions as give so many bytes of trace (50 MB/s:
 * 4.2 million events) and then sleeps, or with `busy` computes. With `mutex` it locks and unlocks
 * one instead, for tools that record no functions. Looks at the clock every 20 or 60 events; what
 * took longer than 20 us is a gap, and the thread's own counters tell why. Prints
 *
 *	events N		made by both: functions entered and left
 *	CAUSE N			gaps, by cause, ...
 *	CAUSE_over_1ms N	... those longer than 1 ms
 *	CAUSE_longest_us N	... and the longest
 *	faults N		page faults of both threads
 *	switches N		involuntary switches of both threads
 *	gap_us_20 N ...		gaps of 20 to 40 us, 40 to 80 us, ...: the histogram of all
 *
 * Causes, of which the first that holds counts:
 *
 *	switched		another thread was given the processor, whichever
 *	blocked			the thread slept: in a wait or a lock of the tool's or the kernel's
 *	stolen			it had no processor for half of the gap, though nobody else here did:
 *				the machine is virtual, or interrupts are not counted as the thread's
 *	faulted			it took page faults
 *	own			none of these: the tool's slow path, or an interrupt */
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

enum cause { SWITCHED, BLOCKED, STOLEN, FAULTED, OWN, CAUSES };

static const char *const cause_names[CAUSES] = {"switched", "blocked", "stolen", "faulted", "own"};

struct gaps {
	uint64_t nr, nr_over_1ms, longest; /* ns */
};

/* What the kernel says of the thread. */
struct state {
	uint64_t now, cpu; /* ns */
	struct rusage usage;
};

struct watch {
	uint64_t nr_events;
	struct gaps causes[CAUSES];
	uint64_t histogram[BUCKETS];
	struct state seen, first;
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

BENCH_PLAIN void look(struct state *state)
{
	struct timespec cpu;

	getrusage(RUSAGE_THREAD, &state->usage);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	state->cpu = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
	state->now = bench_now();
}

/* Of a gap of so many ns between the two. */
BENCH_PLAIN enum cause find_cause(const struct state *before, const struct state *after, uint64_t ns)
{
	uint64_t gone = after->now - before->now, cpu = after->cpu - before->cpu;

	if (after->usage.ru_nivcsw != before->usage.ru_nivcsw)
		return SWITCHED;
	if (after->usage.ru_nvcsw != before->usage.ru_nvcsw)
		return BLOCKED;
	if (gone > cpu && gone - cpu > ns / 2)
		return STOLEN;
	return after->usage.ru_minflt != before->usage.ru_minflt ? FAULTED : OWN;
}

BENCH_PLAIN void note_gap(struct watch *watch, uint64_t ns)
{
	struct state before = watch->seen;
	struct gaps *gaps;
	int bucket = 0;

	while (bucket < BUCKETS - 1 && ns >= (uint64_t)SHORTEST_NS << (bucket + 1))
		bucket++;
	watch->histogram[bucket]++;
	look(&watch->seen);
	gaps = &watch->causes[find_cause(&before, &watch->seen, ns)];
	gaps->nr++;
	gaps->nr_over_1ms += ns > 1000000;
	if (ns > gaps->longest)
		gaps->longest = ns;
}

/* One period's events. */
BENCH_PLAIN void burst(struct watch *watch, int nr_looks)
{
	uint64_t last;

	look(&watch->seen);
	last = watch->seen.now;
	for (int i = 0; i < nr_looks; i++) {
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
	look(&watch->first);
	for (uint64_t next = begin; next < end; next += PERIOD_NS) {
		await(next);
		burst(watch, nr_looks);
	}
	look(&watch->seen);
	return NULL;
}

BENCH_PLAIN void add(struct watch *all, const struct watch *one)
{
	all->nr_events += one->nr_events + 2; /* the first call */
	for (int cause = 0; cause < CAUSES; cause++) {
		struct gaps *sum = &all->causes[cause];
		const struct gaps *gaps = &one->causes[cause];

		sum->nr += gaps->nr;
		sum->nr_over_1ms += gaps->nr_over_1ms;
		if (gaps->longest > sum->longest)
			sum->longest = gaps->longest;
	}
	for (int i = 0; i < BUCKETS; i++)
		all->histogram[i] += one->histogram[i];
}

BENCH_PLAIN void print(const struct watch *watches)
{
	struct watch all = {0};
	long faults = 0, switches = 0;

	for (int t = 0; t < NR_THREADS; t++) {
		const struct rusage *first = &watches[t].first.usage;
		const struct rusage *last = &watches[t].seen.usage;

		add(&all, &watches[t]);
		faults += last->ru_minflt - first->ru_minflt;
		switches += last->ru_nivcsw - first->ru_nivcsw;
	}
	printf("events %llu\n", (unsigned long long)all.nr_events);
	for (int cause = 0; cause < CAUSES; cause++)
		printf("%s %llu\n%s_over_1ms %llu\n%s_longest_us %.1f\n", cause_names[cause],
			(unsigned long long)all.causes[cause].nr, cause_names[cause],
			(unsigned long long)all.causes[cause].nr_over_1ms, cause_names[cause],
			(double)all.causes[cause].longest / 1e3);
	printf("faults %ld\nswitches %ld\n", faults, switches);
	for (int i = 0; i < BUCKETS; i++)
		printf("gap_us_%d %llu\n", 20 << i, (unsigned long long)all.histogram[i]);
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
