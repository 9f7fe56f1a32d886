/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For both OpenMP adapters: who is in a team, as a communicator. The first record of a region names
 * its team before all of the team's threads have come, so a team is named in one of three ways:
 *
 * - a team of one is its master;
 * - a master outside of any region gets the same threads again, in the same order, while its
 *   teams do not grow (both run-time libraries keep them in a pool per master): the team_state of
 * the last team whose threads all came tells the members, and the communicator is made once;
 * - else the first thread to come reserves a communicator, and the last one describes it.
 *
 * The threads that a smaller team does not need are sent away for good, so a team that grows
 * again is of the third kind. Where OpenMP places are in use libgomp gives only a team of the
 * same size and binding the same threads. Each thread checks that it is the one expected. */
#ifndef MEASURE_OPENMP_TEAM_STATE_H
#define MEASURE_OPENMP_TEAM_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"

#define MEASURE_TEAM_STATE_UNBOUND (-1) /* no places are in use */

struct measure_team_state {
	uint32_t size;    /* of the team it was made for */
	uint32_t nr_kept; /* threads still there: the smallest team since */
	int bind;         /* omp_proc_bind_t of that team, or MEASURE_TEAM_STATE_UNBOUND */
	atomic_uint nr_arrived;
	uint32_t *members; /* [size] location indices by thread number */
	/* [size] comms[n - 1]: the team of the first n; MEASURE_UNDEFINED: not needed so far */
	_Atomic(measure_comm_t) *comms;
};

/* The team_state at `place`, for a team of `size` whose threads cannot be told, with its
 * communicator reserved: the first one of them to come makes it. NULL: no memory. */
struct measure_team_state *measure_team_state_shared(
	_Atomic(struct measure_team_state *) *place, uint32_t size, int bind);
void measure_team_state_free(struct measure_team_state *team_state);

/* A thread of the team a new team_state is for has come; the last one describes the team.
 * Returns the communicator. Called once by each thread, concurrently. */
measure_comm_t measure_team_state_arrive(
	struct measure_team_state *team_state, uint32_t number, uint32_t location);

/* All threads of the new team_state have come. */
bool measure_team_state_is_full(const struct measure_team_state *team_state);

/* The team of a new team_state is over. Where the master was alone in it, whatever its size (LLVM's
 * library says so of teams on the host in place of a device), it is described as that. */
void measure_team_state_end(struct measure_team_state *team_state);

/* The communicator of a next team of `size` with `bind` where its threads can be told from the
 * team_state, else MEASURE_UNDEFINED. Thread-safe. */
measure_comm_t measure_team_state_comm(
	struct measure_team_state *team_state, uint32_t size, int bind);

/* The team that has just ended was of `size`. Called by the master, as the next one. */
void measure_team_state_shrink(struct measure_team_state *team_state, uint32_t size);

/* Takes over the communicators of teams that have the same members in both. */
void measure_team_state_inherit(
	struct measure_team_state *team_state, const struct measure_team_state *former);

/* The communicator of the calling thread alone. *solo: MEASURE_UNDEFINED at first; the thread's
 * own. */
measure_comm_t measure_team_state_solo(measure_comm_t *solo);

/* Defines the team of the first `size` of `members`. */
void measure_team_state_describe(measure_comm_t comm, uint32_t size, const uint32_t *members);

#endif
