/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of make_parts share: a job that never ran, and how its events are written. */
#ifndef MEASURE_TESTS_SCALE_MAKE_PARTS_H
#define MEASURE_TESTS_SCALE_MAKE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TICKS_PER_SECOND 1000000000
#define STEP_TICKS       100000

enum shape { SHAPE_BLOCKS, SHAPE_CYCLIC, SHAPE_DUPLICATES, SHAPE_SHUFFLED, NR_SHAPES };

enum region {
#define REGION(NAME, name, role, paradigm) REGION_##NAME,
#include "make_parts_regions.def"
#undef REGION
	NR_REGIONS
};

struct job {
	const char *directory;
	const char *measured; /* a part whose definitions all ranks have; NULL: none */
	uint32_t nr_ranks;
	uint32_t nr_events; /* of a rank, about */
	uint32_t nr_comms;
	uint32_t nr_functions;
	uint32_t ranks_per_node;
	uint32_t chunk_size;
	uint32_t nr_killed; /* ranks whose keepers have left their parts unfinished */
	enum shape shape;
	bool is_archive; /* what is to be made */
	int parts_fd;
};

/* What a process knows of the time: that of its node. Rank 0's node is right. */
static inline uint64_t job_clock(const struct job *job, uint32_t rank, uint64_t time)
{
	return time + (uint64_t)(rank / job->ranks_per_node) * 1000003;
}

bool job_is_member(const struct job *job, uint32_t comm, uint32_t rank);
uint32_t job_comm_size(const struct job *job, uint32_t comm);
uint32_t job_comm_member(const struct job *job, uint32_t comm, uint32_t as);

/* Local id of the first communicator that is not the world's or the rank's own. */
#define FIRST_COMM 2

struct event_file {
	uint8_t *bytes;
	size_t size, capacity;
	uint64_t nr_events;
	uint64_t last_time;
};

/* Of a rank; with `is_open` as a keeper leaves it that was killed: not closed, in main(). */
void make_events(const struct job *job, uint32_t rank, bool is_open, struct event_file *file);

/* Instead of parts. */
void make_archive(const struct job *job);

/* Says why and ends. */
__attribute__((noreturn)) void fail(const char *what, const char *name);

#endif
