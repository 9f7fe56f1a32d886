/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the segment has counted, into the journal; see recording_counts.h. */
#include "config.h"

#include "recording_counts.h"

#include <sys/mman.h>
#include <time.h>

#include "assemble/part/journal_file.h"
#include "format/run_layout.h"
#include "format/journal_records.h"

/* What the locations' threads were held up for chunks. */
struct held {
	uint64_t nr;
	uint64_t cpu, longest_cpu; /* ns of processor time */
	uint64_t longest;	   /* ticks */
};

/* More of anything nobody has counted, or waited in ticks: the process has overwritten it. */
#define MOST (UINT64_C(1) << 62)

static void recording_counts_put(struct measure_frames *frames, const char *name, uint64_t value)
{
	const struct measure_def_count def = {name, value};

	if (value && value < MOST)
		MEASURE_FRAMES_ADD(frames, count, &def);
}

/* What cannot be is damage, one place each. */
static void load_counts(const struct measure_segment *segment, uint64_t values[MEASURE_COUNTS])
{
	uint64_t nr_damaged = 0;

	for (uint32_t i = 0; i < MEASURE_COUNTS; i++) {
		values[i] = atomic_load(&segment->header->counts[i]);
		if (values[i] < MOST)
			continue;
		values[i] = 0;
		nr_damaged++;
	}
	values[MEASURE_COUNT_OVERWRITTEN] += nr_damaged;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct held held_of(const struct measure_segment *segment)
{
	bool is_changed;
	uint32_t nr_locations = measure_segment_nr_locations(segment, &is_changed);
	struct held held = {0};

	for (uint32_t i = 0; i < nr_locations; i++) {
		const struct measure_segment_location *location = &segment->locations[i];

		held.nr += location->nr_held;
		held.cpu += location->held_cpu;
		held.longest_cpu = larger(held.longest_cpu, location->held_longest_cpu);
		held.longest = larger(held.longest, location->held_longest);
	}
	return held;
}

#define TRIED_BYTES (128 << 10)

static uint64_t thread_time(void)
{
	struct timespec now = {0, 0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Processor time that new shared memory takes on this machine, for so many bytes of it: from 0.2 us
 * a page to ten times that on virtual machines. Tried with a little, 0.1 ms at most. */
static uint64_t memory_time(uint64_t bytes)
{
	volatile uint8_t *memory = mmap(NULL, TRIED_BYTES, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t begin, used;

	if (memory == MAP_FAILED)
		return 0;
	begin = thread_time();
	for (size_t i = 0; i < TRIED_BYTES; i += 4096)
		memory[i] = 1;
	used = thread_time() - begin;
	munmap((void *)memory, TRIED_BYTES);
	return (uint64_t)((double)bytes / TRIED_BYTES * (double)used);
}

/* How much event memory there was, was used at most, and became free while threads waited, for
 * the summary's advice; and how often and how long threads were held up for it. */
static void put_memory(struct measure_frames *frames, const struct measure_segment *segment)
{
	const struct measure_segment_header *header = segment->header;
	uint64_t size = segment->layout.chunk_size;
	uint64_t peak = atomic_load(&header->peak_used), nr_chunks = segment->layout.nr_chunks;
	struct held held = held_of(segment);

	recording_counts_put(frames, "memory_bound", segment->layout.nr_bounded_chunks * size);
	recording_counts_put(frames, "memory_peak", (peak < nr_chunks ? peak : nr_chunks) * size);
	recording_counts_put(frames, "memory_taken", measure_segment_taken(segment));
	recording_counts_put(frames, "memory_time_ns", memory_time(measure_segment_taken(segment)));
	recording_counts_put(frames, "memory_missed", atomic_load(&header->freed_in_need) * size);
	recording_counts_put(frames, "held", held.nr);
	recording_counts_put(frames, "held_cpu_ns", held.cpu);
	recording_counts_put(frames, "held_longest_cpu_ns", held.longest_cpu);
	recording_counts_put(frames, "held_longest_ticks", held.longest);
}

/* Those of enum measure_count, by the names in recording_counts.def. */
static void put_counts(struct measure_frames *frames, const uint64_t values[MEASURE_COUNTS])
{
#define COUNT(KIND, name, kind, words)                                                             \
	recording_counts_put(frames, #name, values[MEASURE_COUNT_##KIND]);
#include "format/recording_counts.def"
#undef COUNT
}

measure_status_t measure_counters_store(
	const struct measure_segment *segment, int part_fd, uint64_t nr_lost, uint64_t drop_ticks)
{
	struct measure_frames frames = {0};
	uint64_t values[MEASURE_COUNTS] = {0};

	if (segment)
		load_counts(segment, values);
	values[MEASURE_COUNT_LOST_SPOOL] += nr_lost;
	values[MEASURE_COUNT_DROP_TICKS] += drop_ticks;
	put_counts(&frames, values);
	if (segment)
		put_memory(&frames, segment);
	return measure_frames_append(&frames, part_fd, MEASURE_JOURNAL_OF_KEEPER);
}
