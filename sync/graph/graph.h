/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the replay works on: for each clock domain the events that others depend on, in the order of
 * its clock, and what ties them together. One record per side; a record's index names it, and is
 * where its value is (one time, what the passes hand to each other) and its state.
 *
 * Two records that belong together name each other (a pair: messages, locks, the making of a task).
 * What has more sides is an instance, which its records name and which lists them.
 *
 * It comes about in three steps. Reading: each reader has a part, in which the events lie as marks
 * of the matcher, process by process, and instances name marks. Joining: parts follow each other;
 * marks of different processes are tied by the matcher's finish, messages lane by lane
 * (communicator, sender, receiver, tag): the k-th send to the k-th receive. So an edge between
 * processes has a name, (lane, k), that all who know one side can give it: a side may as well be
 * somewhere else, and its value come in from there. Arranging: marks that were tied become records.
 */
#ifndef MEASURE_SYNC_GRAPH_GRAPH_H
#define MEASURE_SYNC_GRAPH_GRAPH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote_records.h"
#include "sync/parallel/sync_ranks.h"
#include "trace/match/match.h"
#include "trace/archive/trace.h"

/* Who is taken to share a clock, and so gets one correction. */
enum measure_sync_domain {
	MEASURE_SYNC_DOMAIN_LOCATION,
	MEASURE_SYNC_DOMAIN_PROCESS,
	MEASURE_SYNC_DOMAIN_NODE
};

/* Least time from a send to a receive, in ticks. Nothing in a domain: an increasing function
 * of one clock cannot make distance. */
struct measure_sync_latencies {
	int64_t process, node, network;
};

/* Who a pair is between. */
enum measure_sync_nearness {
	MEASURE_SYNC_SAME_LOCATION,
	MEASURE_SYNC_SAME_DOMAIN,
	MEASURE_SYNC_SAME_PROCESS,
	MEASURE_SYNC_SAME_NODE,
	MEASURE_SYNC_NETWORK,
	MEASURE_SYNC_NR_NEARNESSES
};

/* An event's part in one pair or instance. */
struct measure_sync_record {
	int64_t time; /* presynchronised */
	uint64_t raw;
	uint64_t position : MEASURE_MARK_POSITION_BITS;
	uint64_t is_send : 1;
	/* a receive that the forward pass moved beyond its clock; of an event's, that which
	 * decided how far */
	uint64_t is_jump : 1;
	uint64_t is_pair : 1;
	uint64_t nearness : 3; /* of a pair: enum measure_sync_nearness */
	uint64_t relation : 8; /* of a pair: enum measure_relation */
	uint32_t location;
	uint32_t link; /* the other record of the pair, or the instance */
};
_Static_assert(sizeof(struct measure_sync_record) == 32, "two of these per message");

/* More than two sides. graph->ends has the records of its sends from `first`, then those of its
 * receives. A receive waits for all sends; of a prefix, where both are in the order of their ranks,
 * for as many as a third list says, which follows (sends of lower ranks). */
struct measure_sync_instance {
	uint32_t first, nr_sends, nr_receives;
	_Atomic uint32_t
		nr_missing; /* sends that have not come yet; of a prefix: behind the last */
	uint8_t relation;
	bool is_prefix;
	bool is_inner; /* all in one domain: nobody waits */
};

enum measure_sync_state {
	MEASURE_SYNC_OPEN,   /* its bound is not known yet */
	MEASURE_SYNC_PARKED, /* and its domain waits for it */
	MEASURE_SYNC_DONE,   /* its value is its bound, or what came of that */
	MEASURE_SYNC_RELAXED /* nothing is asked of it any more */
};

/* Raw times of all events; first > last: there are none. */
struct measure_sync_span {
	uint64_t first, last;
};

struct measure_sync_domain_records {
	struct measure_sync_record *records; /* in order: see sync/graph/tie_breaking.h */
	size_t nr;
	struct measure_sync_span span; /* of all its locations */
	uint32_t a_location;           /* whose presynchronisation is that of all */
	bool is_disordered;           /* which turns time back */
};

/* What one reader collects. */
struct measure_sync_part {
	struct measure_sync_graph *graph;
	struct measure_sync_points *marks; /* which instances name until they are arranged */
	MEASURE_GROWING(struct measure_sync_instance, instances);
	MEASURE_GROWING(uint32_t, ends);
	/* marks of the processes, one after the other */
	struct measure_sync_stretch {
		size_t first, end;
	} * processes;
	size_t nr_processes, room_processes;
	struct measure_point *sorted; /* for prefixes */
	size_t room_sorted;
};

struct measure_sync_graph {
	struct measure_trace *trace;
	const struct measure_clock_function
		*presync; /* by location: what is applied to raw times first */
	struct measure_sync_latencies latencies;
	const struct measure_sync_job *job;
	/* by location */
	uint32_t *domains, *processes, *hosts;
	uint32_t *ranks; /* of the job: who reads and corrects it */
	struct measure_sync_span *spans;

	struct measure_sync_domain_records *of; /* by domain */
	uint32_t nr_domains;
	/* sync/graph/split.h */
	struct measure_sync_split *marks;  /* by domain: why it has to come apart */
	MEASURE_GROWING(struct measure_sync_split, splits); /* those that have */
	unsigned nr_rounds; /* in which circles have been found */

	struct measure_sync_instance *instances;
	size_t nr_instances;
	uint32_t *ends;
	size_t nr_ends;
	/* by record; those of a domain together */
	struct measure_sync_record *records;
	size_t nr_records;
	int64_t *values;
	_Atomic uint8_t *states; /* enum measure_sync_state of receives */

	struct measure_sync_remote far;

	/* until it is arranged */
	struct measure_sync_part whole;
	struct measure_sync_points own_marks; /* of `whole` */
	size_t first_late;              /* mark: made when all processes had been read */
	MEASURE_GROWING(struct measure_pairs, lanes);
};

/* The trace and `presync` must outlive it. */
void measure_sync_graph_start(struct measure_sync_graph *graph, struct measure_trace *trace,
	const struct measure_clock_function *presync, enum measure_sync_domain domain,
	const struct measure_sync_latencies *latencies, const struct measure_sync_job *job);
void measure_sync_graph_free(struct measure_sync_graph *graph);

/* Parts. `marks` are those of the matcher that reads for this part. */
void measure_sync_part_start(struct measure_sync_part *part, struct measure_sync_graph *graph,
	struct measure_sync_points *marks);
void measure_sync_part_free(struct measure_sync_part *part);

/* An instance function of the matcher, whose data is the part. */
void measure_sync_part_instance(void *part, const struct measure_instance *instance);

/* All of a process has been read. */
void measure_sync_part_end_process(struct measure_sync_part *part);

/* An event of a location, whatever it is. */
void measure_sync_graph_event(struct measure_sync_graph *graph, uint32_t location, uint64_t raw);

/* Moves a part to graph->whole; its marks have just been moved there, and `base` was added to their
 * numbers. */
void measure_sync_graph_join(
	struct measure_sync_graph *graph, struct measure_sync_part *part, uint32_t base);

/* A pairs function of the matcher, whose data is graph->whole. */
void measure_sync_graph_pairs(void *whole, const struct measure_pairs *pairs);

/* To be called once, after the matcher's finish: ties the marks of messages, and takes them from
 * the matcher, which is not needed any more, */
void measure_sync_graph_tie(struct measure_sync_graph *graph, unsigned nr_threads);

/* and makes records of marks (graph_arrange.c). Returns a location whose clock offsets turn time
 * back, or MEASURE_NONE. */
uint32_t measure_sync_graph_finish(struct measure_sync_graph *graph, unsigned nr_threads);

/* Again, after `presync` has been changed: the times of all records. */
uint32_t measure_sync_graph_time(struct measure_sync_graph *graph, unsigned nr_threads);

/* Domains have been taken apart: graph->domains says how. Each of the first `nr` of them becomes
 * several if its records are of several domains now. */
void measure_sync_graph_rearrange(
	struct measure_sync_graph *graph, uint32_t nr, unsigned nr_threads);

/* ---------------------------------------------------------------------- questions --- */

/* An event may be a side of several: its records lie together, receives first. */
static inline bool measure_sync_is_same_event(
	const struct measure_sync_record *a, const struct measure_sync_record *b)
{
	return a->position == b->position && a->location == b->location;
}

/* Does this rank read and correct a location? If not, what there is of it here is what others told,
 * and has no times of its own. */
static inline bool measure_sync_is_mine(const struct measure_sync_graph *graph, uint32_t location)
{
	return graph->ranks[location] == graph->job->rank;
}

static inline bool measure_sync_is_my_domain(
	const struct measure_sync_graph *graph, uint32_t domain)
{
	return measure_sync_is_mine(graph, graph->of[domain].a_location);
}

static inline uint32_t measure_sync_index(
	const struct measure_sync_graph *graph, const struct measure_sync_record *record)
{
	return (uint32_t)(record - graph->records);
}

static inline int64_t measure_sync_value(
	const struct measure_sync_graph *graph, const struct measure_sync_record *record)
{
	return graph->values[record - graph->records];
}

static inline enum measure_relation measure_sync_relation_of(
	const struct measure_sync_graph *graph, const struct measure_sync_record *record)
{
	return record->is_pair ? (enum measure_relation)record->relation
			       : (enum measure_relation)graph->instances[record->link].relation;
}

static inline const uint32_t *measure_sync_sends(
	const struct measure_sync_graph *graph, const struct measure_sync_instance *instance)
{
	return graph->ends + instance->first;
}

static inline const uint32_t *measure_sync_receives(
	const struct measure_sync_graph *graph, const struct measure_sync_instance *instance)
{
	return graph->ends + instance->first + instance->nr_sends;
}

/* How many of the sends the r-th receive waits for: the first so many. */
static inline uint32_t measure_sync_nr_awaited(const struct measure_sync_graph *graph,
	const struct measure_sync_instance *instance, uint32_t r)
{
	if (!instance->is_prefix)
		return instance->nr_sends;
	return measure_sync_receives(graph, instance)[instance->nr_receives + r];
}

#endif
