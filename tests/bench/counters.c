/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a compiler Enter or Leave costs, and one with the reading of two counters before it that the
 * program does itself; and that reading alone, in turns. Compiled with -finstrument-functions: with
 * --metrics of the same two the first is to be compared with the second of a run without. A system
 * call between two events keeps the processor from overlapping them: so the sum of both alone is
 * less than that. Usage: counters rusage | perf. Prints "event_ns MEDIAN", "by_hand_ns MEDIAN",
 * "read_ns MEDIAN". */
#include "config.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

enum { BATCHES = 151, PAIRS_PER_BATCH = 1000 };

static int group = -1;
static volatile uint64_t sink;

static __attribute__((noinline)) void leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noinline, no_instrument_function)) void read_rusage(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	sink = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_nvcsw;
}

static __attribute__((noinline, no_instrument_function)) void read_perf(void)
{
	uint64_t values[3];

	sink = read(group, values, sizeof(values)) == sizeof(values) ? values[1] + values[2] : 0;
}

BENCH_PLAIN int open_software(uint64_t config, int leader)
{
	struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = config,
		.read_format = PERF_FORMAT_GROUP};

	return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* What --metrics=perf:task-clock,perf:page-faults has. */
BENCH_PLAIN int open_group(void)
{
	group = open_software(PERF_COUNT_SW_TASK_CLOCK, -1);
	return group >= 0 && open_software(PERF_COUNT_SW_PAGE_FAULTS, group) >= 0;
}

/* Between Enter and Leave. */
static __attribute__((noinline)) void leaf_that_reads(void (*read_values)(void))
{
	read_values();
}

BENCH_PLAIN double by_hand(void (*read_values)(void))
{
	uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++) {
		read_values();
		leaf_that_reads(read_values);
	}
	return (double)(bench_now() - begin) / (2.0 * PAIRS_PER_BATCH);
}

BENCH_PLAIN double events(void)
{
	uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++)
		leaf();
	return (double)(bench_now() - begin) / (2.0 * PAIRS_PER_BATCH);
}

BENCH_PLAIN double reads(void (*read_values)(void))
{
	uint64_t begin = bench_now();

	for (int i = 0; i < 2 * PAIRS_PER_BATCH; i++)
		read_values();
	return (double)(bench_now() - begin) / (2.0 * PAIRS_PER_BATCH);
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	double event[BATCHES], both[BATCHES], bare[BATCHES];
	int is_perf = argc > 1 && strcmp(argv[1], "perf") == 0;
	void (*read_values)(void) = is_perf ? read_perf : read_rusage;

	if (argc < 2 || (!is_perf && strcmp(argv[1], "rusage") != 0)) {
		fputs("usage: counters rusage | perf\n", stderr);
		return 2;
	}
	/* The first event makes threads of the tool, which must not inherit the pin. */
	leaf();
	bench_pause(100);
	bench_pin();
	if (is_perf && !open_group())
		return 1;
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		event[i] = events();
		both[i] = by_hand(read_values);
		bare[i] = reads(read_values);
	}
	printf("event_ns %.2f\n", bench_median(event, BATCHES));
	printf("by_hand_ns %.2f\n", bench_median(both, BATCHES));
	printf("read_ns %.2f\n", bench_median(bare, BATCHES));
	return 0;
}
