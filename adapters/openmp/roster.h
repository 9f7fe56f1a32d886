/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For both OpenMP adapters: who is in a team, as a communicator. The first record of a region names
 * its team before all of the team's threads have come, so a team is named in one of three ways:
 *
 * - a team of one is its master;
 * - a master outside of any region gets the same threads again, in the same order, while its
 *   teams do not grow (both run-time libraries keep them in a pool per master): the roster of the last team
 *   whose threads all came tells the members, and the communicator is made once;
 * - else the first thread to come reserves a communicator, and the last one describes it.
 *
 * The threads that a smaller team does not need are sent away for good, so a team that grows
 * again is of the third kind. Where OpenMP places are in use libgomp gives only a team of the
 * same size and binding the same threads. Each thread checks that it is the one expected. */
#ifndef MEASURE_OPENMP_ROSTER_H
#define MEASURE_OPENMP_ROSTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"

#define MEASURE_ROSTER_UNBOUND (-1) /* no places are in use */

struct measure_roster {
	uint32_t size;	  /* of the team it was made for */
	uint32_t nr_kept; /* threads still there: the smallest team since */
	int bind;	  /* omp_proc_bind_t of that team, or MEASURE_ROSTER_UNBOUND */
	atomic_uint nr_arrived;
	uint32_t *members; /* [size] location indices by thread number */
	/* [size] comms[n - 1]: the team of the first n; MEASURE_UNDEFINED: not needed so far */
	_Atomic(measure_comm_t) *comms;
};

/* The roster at `place`, for a team of `size` whose threads cannot be told, with its communicator
 * reserved: the first one of them to come makes it. NULL: no memory. */
struct measure_roster *measure_roster_shared(
	_Atomic(struct measure_roster *) *place, uint32_t size, int bind);
void measure_roster_free(struct measure_roster *roster);

/* A thread of the team a new roster is for has come; the last one describes the team.
 * Returns the communicator. Called once by each thread, concurrently. */
measure_comm_t measure_roster_arrive(struct measure_roster *roster, uint32_t number,
	uint32_t location);

/* All threads of the new roster have come. */
bool measure_roster_is_full(const struct measure_roster *roster);

/* The team of a new roster is over. Where the master was alone in it, whatever its size (LLVM's
 * library says so of teams on the host in place of a device), it is described as that. */
void measure_roster_end(struct measure_roster *roster);

/* The communicator of a next team of `size` with `bind` where its threads can be told from the
 * roster, else MEASURE_UNDEFINED. Thread-safe. */
measure_comm_t measure_roster_comm(struct measure_roster *roster, uint32_t size,
	int bind);

/* The team that has just ended was of `size`. Called by the master, as the next one. */
void measure_roster_shrink(struct measure_roster *roster, uint32_t size);

/* Takes over the communicators of teams that have the same members in both. */
void measure_roster_inherit(struct measure_roster *roster,
	const struct measure_roster *former);

/* Defines the team of the first `size` of `members`. */
void measure_roster_describe(measure_comm_t comm, uint32_t size, const uint32_t *members);

#endif
