/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the calls of a program depended on, and what came of it: tables of calls, by location; the
 * candidates of each call, which are times until which it could not go on; and its waits. All that
 * explains waiting (causes, critical path, ideal network) works on these, and reads no events. */
#ifndef MEASURE_ANALYSIS_WAITS_DEPENDENCIES_H
#define MEASURE_ANALYSIS_WAITS_DEPENDENCIES_H

#include "call_table.h"

/* Until the last one of some sends had begun a receive could not be over. */
struct measure_candidate {
	uint64_t until;         /* begin of the last send */
	uint64_t limit;         /* the call has gone on by then at the latest */
	uint64_t position : 44; /* of the receive */
	uint64_t relation : 8;  /* enum measure_relation */
	uint64_t pattern : 8;   /* enum measure_wait_pattern */
	uint64_t : 4;
	uint32_t location, call;
	uint32_t cause;      /* location of the last send */
	uint32_t cause_call; /* of its table, or MEASURE_NONE */
	uint32_t instance;   /* MEASURE_NONE: there is no send but the last */
	uint32_t nr_sends;   /* of the instance: its first ones */
};
_Static_assert(sizeof(struct measure_candidate) == 48, "one of these per receive");

/* A send, as those who wait for it see it. */
struct measure_send_side {
	uint64_t begin; /* Enter of its call; its own time where it is in none, or a moment */
	uint32_t location, call;
};

/* More than one send; all who wait are candidates. */
struct measure_wait_instance {
	size_t first; /* side; of a prefix in order of ranks */
	uint32_t nr_sends;
	uint32_t comm; /* communicator or team, or MEASURE_NONE */
	uint8_t relation;
};

/* A call that could not go on. A call has one of these; a barrier with tasks two, one after the
 * other. */
struct measure_wait_state {
	uint64_t from;  /* Enter of the call, or when its wait before was over */
	uint64_t until; /* begin of what it has waited for; may be later than its Leave */
	uint64_t ticks; /* what of that was waiting; more than 0 */
	uint32_t location, call;
	uint32_t cause, cause_call; /* as that of a candidate */
	uint32_t instance;          /* the same */
	uint8_t relation, pattern;
};
_Static_assert(sizeof(struct measure_wait_state) == 48, "one of these per wait");

struct measure_dependencies {
	size_t nr_locations;
	struct measure_call_table *tables; /* by location */
	/* by location, in order of its calls; of each call, in that of positions */
	struct measure_candidate **candidates;
	size_t *nr_candidates; /* by location */
	MEASURE_GROWING(struct measure_wait_instance, instances);
	MEASURE_GROWING(struct measure_send_side, sides);
	/* of each location together, in order of its calls */
	struct measure_wait_state *waits;
	size_t *first_waits; /* by location, and the end */
};

void measure_dependencies_free(struct measure_dependencies *dependencies);

/* Of two times, or of two lengths. */
static inline uint64_t measure_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t measure_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif
