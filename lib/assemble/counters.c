/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the segment has counted, into the journal; see counters.h. */
#include "config.h"

#include "assemble/counters.h"

#include "assemble/journal_file.h"
#include "base/layout.h"
#include "defs/records.h"

/* What the locations' threads were held up for chunks. */
struct held {
	uint64_t nr_chunks;
	uint64_t cpu, longest_cpu; /* ns of processor time */
	uint64_t longest;	   /* ticks */
};

static measure_status_t store(int part_fd, const char *name, uint64_t value)
{
	struct measure_def_count count = {name, value};
	uint8_t frame[128];

	if (value == 0)
		return MEASURE_OK;
	size_t size = measure_def_count_frame(&count, frame, sizeof(frame));
	return measure_journal_append(part_fd, MEASURE_JOURNAL_OF_KEEPER, frame, size);
}

static measure_status_t store_all(int part_fd, const struct measure_def_count *counts, size_t nr)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < nr && status == MEASURE_OK; i++)
		status = store(part_fd, counts[i].name, counts[i].value);
	return status;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct held held_of(const struct measure_segment *segment)
{
	uint32_t nr_locations = atomic_load(&segment->header->nr_locations);
	struct held held = {0};

	for (uint32_t i = 0; i < nr_locations && i < segment->header->max_locations; i++) {
		const struct measure_segment_location *location = &segment->locations[i];

		held.nr_chunks += atomic_load(&location->nr_chunks);
		held.cpu += location->held_cpu;
		held.longest_cpu = larger(held.longest_cpu, location->held_longest_cpu);
		held.longest = larger(held.longest, location->held_longest);
	}
	return held;
}

/* How much event memory there was, was used at most, and became free while threads waited, for
 * the summary's advice; and how often and how long threads were held up for it. */
static measure_status_t store_memory(const struct measure_segment *segment, int part_fd)
{
	const struct measure_segment_header *header = segment->header;
	uint64_t size = header->chunk_size;
	struct held held = held_of(segment);
	const struct measure_def_count counts[] = {
		{"memory_bound", header->nr_bounded_chunks * size},
		{"memory_peak", atomic_load(&header->peak_used) * size},
		{"memory_taken", measure_segment_taken(segment)},
		{"memory_missed", atomic_load(&header->freed_in_need) * size},
		{"held", held.nr_chunks},
		{"held_cpu_ns", held.cpu},
		{"held_longest_cpu_ns", held.longest_cpu},
		{"held_longest_ticks", held.longest},
	};

	return store_all(part_fd, counts, sizeof(counts) / sizeof(*counts));
}

/* Those of enum measure_count, by the names in counts.def. */
static measure_status_t store_counts(const struct measure_segment *segment, int part_fd,
	uint64_t nr_lost, uint64_t gap_ticks)
{
	struct measure_def_count counts[MEASURE_COUNTS] = {
#define COUNT(KIND, name, kind, words) [MEASURE_COUNT_##KIND] = {#name, 0},
#include "counts.def"
#undef COUNT
	};

	for (uint32_t i = 0; segment && i < MEASURE_COUNTS; i++)
		counts[i].value = atomic_load(&segment->header->counts[i]);
	counts[MEASURE_COUNT_LOST_SPOOL].value += nr_lost;
	counts[MEASURE_COUNT_GAP_TICKS].value += gap_ticks;
	return store_all(part_fd, counts, MEASURE_COUNTS);
}

measure_status_t measure_counters_store(const struct measure_segment *segment, int part_fd,
	uint64_t nr_lost, uint64_t gap_ticks)
{
	measure_status_t status = store_counts(segment, part_fd, nr_lost, gap_ticks);

	if (status == MEASURE_OK && segment)
		status = store_memory(segment, part_fd);
	return status;
}
