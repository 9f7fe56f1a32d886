/* SPDX-License-Identifier: BSD-3-Clause
 *
 * THE matcher: finds which events of different locations belong together (a message, a collective
 * operation, a team of threads, a barrier, the holders of a lock) and hands out each such instance
 * with its sends and receives. Rows of relations.def. Clock correction, checks and statistics all
 * use this one. It also reports what has no partner.
 *
 * Use: measure_match_new, then for each location in trace->reading_order begin, event...,
 * end; then finish. Instances inside a process are handed out when the process is complete,
 * those between processes by finish. Memory grows with the messages and collectives of all
 * processes, and with the thread and lock records of one. */
#ifndef MEASURE_TRACE_MATCH_MATCH_H
#define MEASURE_TRACE_MATCH_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync_points.h"
#include "trace/stream/stream.h"
#include "trace/archive/trace.h"

enum measure_relation {
#define RELATION(NAME, row, word, pattern, certainty, default, text) MEASURE_RELATION_##NAME,
#include "trace/relations/relations.def"
#include "trace/match/match.h"
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
	uint32_t mark; /* 1 + the number of its mark; 0: it has none */
};

/* Events that belong together. The arrays are valid during the call only; an event's own
 * location may be on both sides. */
struct measure_instance {
	enum measure_relation relation;
	uint32_t comm; /* communicator or team index, or MEASURE_NONE */
	uint32_t tag;
	uint64_t ordinal; /* how manieth of its kind, from 0 */
	uint64_t length;  /* bytes of a message; of other relations 0 */
	size_t nr_sends, nr_receives;
	const struct measure_point *sends, *receives;
};

typedef void (*measure_instance_fn)(void *data, const struct measure_instance *instance);

/* All messages of a lane: the marks of the k-th send and of the k-th receive. The arrays are valid
 * until the match is freed. */
struct measure_pairs {
	uint32_t comm, sender, receiver, tag; /* sender, receiver: processes */
	size_t nr;
	const uint32_t *sends, *receives;
	const bool *are_on; /* by relation: those that are looked for */
};

typedef void (*measure_pairs_fn)(void *data, const struct measure_pairs *pairs);

/* A collective operation of MPI: all that take part in it, whether they have to wait or not. The
 * arrays are valid during the call only. */
struct measure_collective {
	uint64_t ordinal; /* on its communicator or window, from 0 */
	uint32_t comm;    /* the communicator, or that of the window */
	uint32_t root;    /* member, or MEASURE_NONE: it has no root, or that is missing */
	uint8_t op;       /* OTF2_CollectiveOp */
	bool is_nonblocking;
	size_t nr_members;
	const struct measure_point *begins, *ends; /* of the members; without marks of their own */
};

typedef void (*measure_collective_fn)(void *data, const struct measure_collective *collective);

struct measure_match;

/* Looks for the relations of trace->selection. */
struct measure_match *measure_match_new(
	struct measure_trace *trace, measure_instance_fn deliver, void *data);
void measure_match_free(struct measure_match *match);

/* From now on messages are handed out lane by lane, by this function. */
void measure_match_take_pairs(struct measure_match *match, measure_pairs_fn deliver);

/* From now on all who send and all who receive in an alltoallv are handed out, too, by this
 * function: who sends to whom is not known. */
void measure_match_take_exchanges(struct measure_match *match, measure_instance_fn deliver);

/* From now on all collective operations are handed out, too, by this function, with all of their
 * members. */
void measure_match_take_collectives(struct measure_match *match, measure_collective_fn deliver);

/* The same of what processes do with a file together: all that open it, take part in a collective
 * operation on it, close it. MEASURE_RELATION_NONE: they need not wait. To be called before the
 * first location begins. */
void measure_match_take_files(struct measure_match *match, measure_instance_fn deliver);

/* The events that matter to others, so far: those between processes have a mark when their process
 * has been read, those inside one only if measure_sync_points_add() gives it one. */
struct measure_sync_points *measure_match_marks(struct measure_match *match);

void measure_match_begin_location(struct measure_match *match, uint32_t location);
void measure_match_event_slowly(struct measure_match *match, const struct measure_event *event);

/* What Enters and Leaves of regions that mean nothing to the matcher change of it, which are most of
 * all events. A struct measure_match begins with it. */
struct measure_match_calls {
	uint8_t *region_kinds; /* by region; 0: it means nothing */
	uint64_t last_time;    /* of the events of the location so far; 0: there are none */
	uint64_t *doing;       /* position of the last event of the location that ends nothing */
	size_t nr_begins;      /* collectives that are open there */
	size_t send;           /* the last one of a blocking call, SIZE_MAX: none */
	uint32_t send_depth;
	uint32_t depth; /* regions that are open there */
};

static inline void measure_match_event(
	struct measure_match *match, const struct measure_event *event)
{
	struct measure_match_calls *calls = (struct measure_match_calls *)match;
	const bool is_leave = event->kind == MEASURE_EVENT_LEAVE;

	if ((!is_leave && event->kind != MEASURE_EVENT_ENTER) || event->ref == MEASURE_NONE ||
		calls->region_kinds[event->ref] || event->is_refused || !calls->last_time ||
		calls->nr_begins > 0) {
		measure_match_event_slowly(match, event);
		return;
	}
	calls->last_time = event->time;
	if (is_leave) {
		if (calls->send_depth == calls->depth)
			calls->send = SIZE_MAX;
		calls->depth -= calls->depth > 0;
	} else {
		*calls->doing = event->position;
		calls->depth++;
	}
}

/* is_whole: the stream was read to its end. */
void measure_match_end_location(struct measure_match *match, bool is_whole);

/* No more of this process: what is inside it is handed out. Comes by itself with the next process,
 * and with finish. */
void measure_match_end_process(struct measure_match *match);

/* No more of anything: ends the process, and gives back what only reading needs. */
void measure_match_end_reading(struct measure_match *match);

/* Several matches can read parts of an archive at a time, each whole processes. Moves what another
 * one has read, behind the end of its reading, to this one, which reads nothing itself, and frees
 * it. To be called in the reading order of the parts; then all is as if one had read everything.
 * What is added to the numbers of its marks is returned. */
uint32_t measure_match_join(struct measure_match *match, struct measure_match *other);

void measure_match_finish(struct measure_match *match);

/* Did a process (location group index) come to an orderly end? It did not: no events, a
 * ProgramEnd with a status other than 0 or none at all, MPI never finalized, or a damaged
 * stream. Valid once all of it was read. */
bool measure_match_has_ended(const struct measure_match *match, uint32_t process);

/* Is there nothing but ends of what was open at a point, and after it? Valid once all of its
 * location was read. */
bool measure_match_only_ends(
	const struct measure_match *match, const struct measure_point *point);

/* True where it did not, or had recording off for a while. What is missing there is a loss, not a
 * fault. */
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

/* Must the one event happen before the other? A send and a receive of one instance, on different
 * locations. */
static inline bool measure_is_edge(enum measure_relation relation, uint32_t send_location,
	uint32_t send_rank, uint32_t receive_location, uint32_t receive_rank)
{
	return send_location != receive_location &&
	       (measure_relations[relation].pattern == MEASURE_PATTERN_ALL ||
		       send_rank < receive_rank);
}

#endif
