/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The communicators of this process that are known by their MPI handle. Finding one takes no
 * lock and their number has no limit. Unknown ones (made before recording, or with members of
 * another world) are not found, and nothing is recorded of the traffic on them. */
#ifndef MEASURE_MPI_COMMUNICATORS_H
#define MEASURE_MPI_COMMUNICATORS_H

#include <mpi.h>

#include "../core/handles.h"
#include "adapter.h"
#include "identity.h"

struct measure_neighbours;

struct measure_communicator {
	struct measure_handle handle;
	measure_comm_t id;
	uint32_t rank; /* of this process in it; in an intercommunicator: in its own group */
	uint32_t
		size; /* of the group that ranks in calls name: in an intercommunicator the other */
	uint32_t local_size; /* of this process's group */
	bool is_inter;
	bool is_second;   /* of an intercommunicator: this process is in the group listed second */
	bool has_foreign; /* members of another world */
	struct measure_comm_key key;
	struct measure_child_counts children;
	struct measure_neighbours *neighbours;  /* NULL: it has no topology */
	struct measure_points *points;          /* NULL: it has not all ranks of the world */
	struct measure_communicator *next_made; /* of a prepared one: see p2p/completion.h */
	MPI_Comm made;
};

/* Which creations may not be mixed up: those that all members of the parent call come in
 * one order on every member; those with a tag do so only per tag. */
#define MEASURE_COMM_NO_TAG (-1)

/* NULL until MPI_Init has defined the world. */
extern struct measure_communicator *measure_communicator_world;

/* Finds any communicator but the world. NULL: unknown. Any handle value is safe. */
const struct measure_communicator *measure_communicator_lookup(MPI_Comm comm);

/* The communicator of a handle; NULL: unknown. */
static inline const struct measure_communicator *measure_communicator_find(MPI_Comm comm)
{
	if (comm == MPI_COMM_WORLD)
		return measure_communicator_world;
	return measure_communicator_lookup(comm);
}

/* Defines MPI_COMM_WORLD and MPI_COMM_SELF. `world` is the world's name, equal on all ranks. */
measure_status_t measure_communicator_open_world(struct measure_comm_key world);

/* Defines a world without MPI_COMM_WORLD, of which this process is one rank. */
void measure_communicator_open_process_set(
	struct measure_comm_key world, uint32_t rank, uint32_t size);

/* Defines a communicator that MPI has made from `parent`, which this process is a member of.
 * NULL: not recorded (parent unknown, members outside this world, no memory). has_events: its
 * making and freeing are recorded. */
const struct measure_communicator *measure_communicator_add(
	MPI_Comm parent, int tag, MPI_Comm comm, bool has_events);

/* Defines an intercommunicator that MPI_Intercomm_create or the like has made. No common parent
 * knows of it: its members count the ones they have made out of the same two groups with the
 * same tag. `bridge`: through which its leaders found together, known to them only. */
const struct measure_communicator *measure_communicator_add_inter(
	MPI_Comm bridge, int tag, MPI_Comm comm, bool has_events);

/* The same in two steps, for a duplicate that MPI has begun to make: defined when that begins,
 * as all members come to this in the same order, and found by its handle when it is complete.
 * `prepared` is given back by publish or discard; NULL: not recorded. */
struct measure_communicator *measure_communicator_prepare_duplicate(
	MPI_Comm parent, bool has_events);
void measure_communicator_publish(struct measure_communicator *prepared, MPI_Comm comm);
void measure_communicator_discard(struct measure_communicator *prepared);

/* Defines an intercommunicator to another world by a key that both sides were told. */
const struct measure_communicator *measure_communicator_add_side(
	MPI_Comm comm, struct measure_comm_key key, enum measure_comm_side side, bool has_events);

/* Identity of an object that all members of a communicator make together, and that is no
 * communicator itself, or one that others take part in. False: the communicator is unknown. */
enum measure_object { MEASURE_OBJECT_WINDOW, MEASURE_OBJECT_FILE, MEASURE_OBJECT_SPAWN };
bool measure_communicator_name_object(
	MPI_Comm comm, enum measure_object kind, struct measure_comm_key *key);

/* The id of one that MPI is to free; MEASURE_UNDEFINED: unknown, or none that can be freed. */
measure_comm_t measure_communicator_freeable(MPI_Comm comm);

/* After MPI has freed it; by now another one may have its handle. */
void measure_communicator_remove(MPI_Comm comm, measure_comm_t id);

#endif
