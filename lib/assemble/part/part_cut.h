/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many messages and collectives of a location are among the events that a part does not keep.
 * Readers match the k-th send of a lane with its k-th receive, and the k-th collective of each
 * member: what is kept on one side must begin where it begins on the other one
 * (assemble/align/cut_align.h). `N.cut` has it beside the events that are kept. */
#ifndef MEASURE_ASSEMBLE_PART_PART_CUT_H
#define MEASURE_ASSEMBLE_PART_PART_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/profile/pack.h"
#include "base/likely.h"
#include "status.h"
#include "trace/common/containers.h"
#include "trace/stream/stream.h"

enum measure_cut_kind {
	MEASURE_CUT_NOTHING,
	MEASURE_CUT_SEND,
	MEASURE_CUT_RECEIVE,
	MEASURE_CUT_COLLECTIVE,
	MEASURE_CUT_WINDOW, /* a collective on one */
	MEASURE_CUT_KINDS
};

/* What a record is to those before and behind it. */
enum measure_cut_role {
	MEASURE_CUT_OTHER,
	MEASURE_CUT_ALONE,
	MEASURE_CUT_POST, /* begins a request */
	MEASURE_CUT_DONE, /* ends it */
	MEASURE_CUT_TEST, /* of one that goes on */
	MEASURE_CUT_BEGIN,
	MEASURE_CUT_END /* of the last one that has begun */
};

struct measure_cut_step {
	uint8_t role;   /* enum measure_cut_role */
	uint8_t kind;   /* what it names the lane of, enum measure_cut_kind */
	uint8_t is_rma; /* begins and ends of collectives: on windows */
};

extern const struct measure_cut_step measure_cut_steps[MEASURE_NR_EVENT_KINDS];

/* Messages with one tag from or to one rank of a communicator; collectives of one communicator or
 * window, with neither. All in the words of the process. */
struct measure_cut_lane {
	uint32_t space; /* communicator or window */
	uint32_t peer, tag;
	uint32_t kind;
	uint64_t nr;
};

struct measure_cut {
	MEASURE_GROWING(struct measure_cut_lane, lanes);
	struct measure_map ids; /* of them */
	struct measure_cut_begins {
		MEASURE_GROWING_ITEMS(uint64_t); /* depths of collectives that go on */
	} begins[2];                             /* on communicators, on windows */
	uint64_t depth;                          /* of open regions, as readers count them */
	uint64_t nr_enters;   /* of open regions, before the events that are kept */
	uint64_t last;        /* time of the last record that matters here */
	int64_t nr_open;      /* requests that were begun, less those that were ended */
	uint64_t nr_messages; /* lanes of messages */
	bool has_overflowed;  /* there are more of these than are counted */
	bool is_unknown;      /* events are missing */
};

/* All zero: nothing was seen yet. */
void measure_cut_free(struct measure_cut *cut);

struct measure_key measure_cut_key(
	enum measure_cut_kind kind, uint32_t space, uint32_t peer, uint32_t tag);

/* A region was left while collectives go on. */
void measure_cut_leave(struct measure_cut *cut);
void measure_cut_record(struct measure_cut *cut, const struct measure_event *event);

/* The next event of the location. */
static inline void measure_cut_take(struct measure_cut *cut, const struct measure_event *event)
{
	if (event->kind == MEASURE_EVENT_ENTER) {
		cut->depth++;
	} else if (event->kind == MEASURE_EVENT_LEAVE) {
		cut->depth -= cut->depth > 0;
		if (unlikely(cut->begins[0].nr + cut->begins[1].nr > 0))
			measure_cut_leave(cut);
	} else if (unlikely(measure_cut_steps[event->kind].role != MEASURE_CUT_OTHER)) {
		measure_cut_record(cut, event);
	}
}

/* Appends it. */
void measure_cut_save(const struct measure_cut *cut, measure_profile_pack_t *pack);

/* All zero before, and to be freed also where it is damaged: false. */
bool measure_cut_restore(struct measure_cut *cut, const void *data, size_t size);

/* `N.cut`. MEASURE_ERROR_NOT_FOUND: there is none, all events are kept. */
measure_status_t measure_cut_store(int part_fd, uint32_t location, const struct measure_cut *cut);
measure_status_t measure_cut_load(int part_fd, uint32_t location, struct measure_cut *cut);

#endif
