/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which relations are looked for: those that relations.def has ON, and what the user wants. */
#ifndef MEASURE_TRACE_RELATIONS_RELATION_SELECTION_H
#define MEASURE_TRACE_RELATIONS_RELATION_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/match/match.h"

struct measure_selection {
	bool is_on[MEASURE_NR_RELATIONS];
	uint64_t rendezvous; /* bytes from which on MPI_Send waits for the receive, if that is on */
};

void measure_selection_default(struct measure_selection *selection);

/* "+name,-name": switches relations on and off, in this order. A name is a word of relations.def,
 * small, with - for spaces; "all" is all of them. False: *wrong is where the list has something
 * else. */
bool measure_selection_parse(
	struct measure_selection *selection, const char *list, const char **wrong);

/* "65536": sends of so many bytes and more wait for their receives. False: it is no number. */
bool measure_selection_set_rendezvous(struct measure_selection *selection, const char *bytes);

#endif
