/* SPDX-License-Identifier: BSD-3-Clause
 *
 * THE matcher: finds which events of different locations belong together (a message, a
 * collective operation, a team of threads, a barrier, the holders of a lock) and hands out each such instance with
 * its sends and receives. Rows of relations.def. Clock correction, checks and statistics all
 * use this one. It also reports what has no partner.
 *
 * Use: measure_match_new, then for each location in trace->reading_order begin, event...,
 * end; then finish. Instances inside a process are handed out when the process is complete,
 * those between processes by finish. Memory grows with the messages and collectives of all
 * processes, and with the thread and lock records of one. */
#ifndef MEASURE_TRACE_MATCH_H
#define MEASURE_TRACE_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream.h"
#include "trace.h"

enum measure_relation {
#define RELATION(NAME, row, word, pattern, certainty, default, text) MEASURE_RELATION_##NAME,
#include "relations.def"
#undef RELATION
	MEASURE_NR_RELATIONS,
	MEASURE_RELATION_NONE = MEASURE_NR_RELATIONS
};

enum measure_pattern {
	MEASURE_PATTERN_ALL,   /* every send before every receive */
	MEASURE_PATTERN_PREFIX /* a send before the receives of higher ranks */
};

struct measure_relation_info {
	int row;
	const char *word;
	enum measure_pattern pattern;
	bool is_certain;
	bool is_on; /* by default */
	const char *text;
};

extern const struct measure_relation_info measure_relations[MEASURE_NR_RELATIONS];

/* An event that matters to others. */
struct measure_point {
	uint64_t time; /* corrected, ticks */
	uint64_t raw;
	uint64_t position;
	uint32_t location;
	uint32_t rank; /* in the communicator of the instance; 0 where it has none */
};

/* Events that belong together. The arrays are valid during the call only; an event's own
 * location may be on both sides. */
struct measure_instance {
	enum measure_relation relation;
	uint32_t comm; /* communicator or team index, or MEASURE_NONE */
	uint32_t tag;
	uint64_t ordinal; /* how manieth of its kind, from 0 */
	size_t nr_sends, nr_receives;
	const struct measure_point *sends, *receives;
};

typedef void (*measure_instance_fn)(void *data, const struct measure_instance *instance);

struct measure_match;

/* Looks for the relations of trace->selection. */
struct measure_match *measure_match_new(
	struct measure_trace *trace, measure_instance_fn deliver, void *data);
void measure_match_free(struct measure_match *match);

void measure_match_begin_location(struct measure_match *match, uint32_t location);
void measure_match_event(struct measure_match *match, const struct measure_event *event);

/* is_whole: the stream was read to its end. */
void measure_match_end_location(struct measure_match *match, bool is_whole);

void measure_match_finish(struct measure_match *match);

/* True where a process (location group index) did not come to an orderly end: no events, a
 * ProgramEnd with a status other than 0 or none at all, MPI never finalized, or a damaged
 * stream. What is missing there is a loss, not a fault. Valid once all of it was read. */
bool measure_match_is_cut(const struct measure_match *match, uint32_t process);

/* What was sent or received in messages, in all; cancelled sends left out. Valid after
 * measure_match_finish. */
struct measure_message_counts {
	uint64_t nr, bytes;
};

struct measure_message_counts measure_match_messages(
	const struct measure_match *match, bool is_send);

/* What was done with files, in all. */
struct measure_file_counts {
	uint64_t nr_opened, nr_operations; /* operations: those that are complete */
	uint64_t bytes_read, bytes_written;
};

/* Valid until the match is freed. */
const struct measure_file_counts *measure_match_files(const struct measure_match *match);

/* Words for an operation, "operation 77" where unknown; static storage. */
const char *measure_collective_word(uint8_t op);

#endif
