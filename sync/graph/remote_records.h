/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs and instances whose sides lie on several ranks of a job. A rank that has a side knows all
 * sides that it needs: those of others are records here too, in domains that others work on, and
 * their values come from there. Of an instance's sides on one host of one other rank one record
 * stands for all: nothing here is in their domains, so the latest send and the earliest receive say
 * all that there is to say. Both ranks number what goes from one to the other alike, in the order
 * in which the matcher hands things out. */
#ifndef MEASURE_SYNC_GRAPH_REMOTE_RECORDS_H
#define MEASURE_SYNC_GRAPH_REMOTE_RECORDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/match/sync_points.h"
#include "trace/match/match.h"

struct measure_sync_graph;

/* What goes out as one value: of one or more own records. */
struct measure_sync_remote_group {
	uint32_t first_member, nr_members;
	uint32_t first_target, nr_targets;
	_Atomic uint32_t nr_missing; /* of its values, in the forward pass */
};

struct measure_sync_remote_target {
	uint32_t rank, index;
};

/* Records, by their numbers; marks until the graph is arranged. */
struct measure_sync_remote_records {
	MEASURE_GROWING_ITEMS(uint32_t);
};

/* For sends, and for receives. */
struct measure_sync_remote_side {
	MEASURE_GROWING(struct measure_sync_remote_group, groups);
	struct measure_sync_remote_records members;
	MEASURE_GROWING(struct measure_sync_remote_target, targets);
	/* by rank: groups that go there, and records whose values come from there */
	struct measure_sync_remote_records *out, *in;
	struct measure_sync_remote_records ranks; /* of the instance that is being noted */
};

struct measure_sync_remote {
	struct measure_sync_remote_side sends, receives;
	/* By record: its group, or MEASURE_NONE; of another rank's record its number among those
	 * that come from there. NULL: there are none. */
	uint32_t *group_of;
	/* of the instance that is being looked at */
	struct measure_point *near_sends, *near_receives;
	size_t room_sends, room_receives;
	/* Set before anything is read: every side is a record of its own. For who wants to know
	 * more than bounds (sync/initial/message_bounds.h). */
	bool is_whole;
};

void measure_sync_remote_start(struct measure_sync_graph *graph);
void measure_sync_remote_free(struct measure_sync_graph *graph);

/* The same instance with one point for all that one stands for, which is valid until the next call.
 * False: no side is of this rank. */
bool measure_sync_remote_reduce(struct measure_sync_graph *graph,
	const struct measure_instance *instance, struct measure_instance *reduced);

/* To be told of all that is tied, in order: marks of the sends, then of the receives. is_single:
 * each stands for itself. */
void measure_sync_remote_note(struct measure_sync_graph *graph,
	const struct measure_sync_points *marks, const uint32_t *ends, size_t nr_sends,
	size_t nr_receives, bool is_single);

/* The same of messages, which are handed out lane by lane. */
void measure_sync_remote_note_pairs(struct measure_sync_graph *graph,
	const struct measure_sync_points *marks, const struct measure_pairs *pairs);

/* Marks have become records; or records have got other numbers. */
void measure_sync_remote_name(struct measure_sync_graph *graph, const uint32_t *names);

/* The group of an own record, or MEASURE_NONE. */
static inline uint32_t measure_sync_remote_group_of(
	const struct measure_sync_remote *far, uint32_t record)
{
	return far->group_of ? far->group_of[record] : UINT32_MAX;
}

/* Collective: brings the values of the others' sends here, or those of their receives that are not
 * relaxed; the states of receives that have none become MEASURE_SYNC_RELAXED. */
void measure_sync_remote_bring_sends(struct measure_sync_graph *graph);
void measure_sync_remote_bring_receives(struct measure_sync_graph *graph);

/* The latest of the sends of a group. */
int64_t measure_sync_remote_latest(
	const struct measure_sync_graph *graph, const struct measure_sync_remote_group *group);

#endif
