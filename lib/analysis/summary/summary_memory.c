/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of event memory: how much of it was used, and how much would have been
 * enough, by the numbers that the keepers left. */
#include "config.h"

#include "summary.h"

#define MIB (UINT64_C(1) << 20)

static uint64_t memory_count(const struct measure_part *part, const char *name)
{
	return measure_part_count(part, name);
}

/* Bytes of the events that found no memory, by the mean of those that are there. */
static uint64_t lost_bytes(const struct measure_part *part)
{
	uint64_t nr_lost =
		memory_count(part, "lost_memory") + memory_count(part, "lost_after_stop");
	double nr_events = 0, nr_bytes = 0;

	for (size_t i = 0; i < part->locations.nr; i++) {
		nr_events += (double)part->locations.items[i].events.nr_events;
		nr_bytes += (double)part->locations.items[i].events.nr_bytes;
	}
	return nr_events > 0 ? (uint64_t)((double)nr_lost * nr_bytes / nr_events) : 0;
}

/* Had there been no waiting, the program would have come to the same point earlier by the time
 * waited, and the disk would have taken so much less until then. */
static uint64_t missing_bytes(const struct measure_part *part)
{
	uint64_t missing = memory_count(part, "memory_missed") + lost_bytes(part);

	if (memory_count(part, "stalls") + memory_count(part, "lost_memory") == 0 || missing == 0)
		return 0;
	return missing + 2 * part->keeper.chunk_size; /* the ends of chunks */
}

uint64_t measure_summary_enough_memory(const struct measure_job *job)
{
	uint64_t enough = 0;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		uint64_t missing = part ? missing_bytes(part) : 0;

		if (missing && memory_count(part, "memory_bound") + missing > enough)
			enough = memory_count(part, "memory_bound") + missing;
	}
	return (enough + MIB - 1) / MIB;
}

/* Of the process that took most. Chunks that threads have to themselves may be empty for the
 * most part. */
void measure_summary_print_memory(FILE *out, const struct measure_job *job)
{
	uint64_t taken = 0, used = 0, bound = 0;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;

		if (!part || memory_count(part, "memory_taken") <= taken)
			continue;
		taken = memory_count(part, "memory_taken");
		used = memory_count(part, "memory_peak");
		bound = memory_count(part, "memory_bound");
	}
	if (taken)
		fprintf(out,
			"memory      %.1f MiB taken for events in a process, at most %.1f MiB "
			"in use; bound %.1f MiB\n",
			(double)taken / MIB, (double)(used < taken ? used : taken) / MIB,
			(double)bound / MIB);
}

/* Of all processes; the longest of any. */
void measure_summary_print_held(FILE *out, const struct measure_job *job, double tick)
{
	uint64_t nr = 0, cpu = 0, longest_cpu = 0, longest = 0;

	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;

		if (!part)
			continue;
		nr += memory_count(part, "held");
		cpu += memory_count(part, "held_cpu_ns");
		if (memory_count(part, "held_longest_cpu_ns") > longest_cpu)
			longest_cpu = memory_count(part, "held_longest_cpu_ns");
		if (memory_count(part, "held_longest_ticks") > longest)
			longest = memory_count(part, "held_longest_ticks");
	}
	if (nr)
		fprintf(out,
			"held up     %s time%s for event memory: %.3f ms of processor time in all, "
			"%.3f ms at most; %.3f ms at most by the clock\n",
			measure_summary_number(nr), nr == 1 ? "" : "s", (double)cpu / 1e6, (double)longest_cpu / 1e6,
			(double)longest * tick * 1e3);
}
