/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Identity of communicators without communication: a hash over the parent's identity, the
 * members, the tag, and how many such children the parent had before. All members of a new
 * communicator have made the same ones before it, so all compute the same key. */
#ifndef MEASURE_MPI_IDENTITY_H
#define MEASURE_MPI_IDENTITY_H

#include <mpi.h>

#include "adapter.h"

/* World ranks of a communicator's members, in its rank order. An intercommunicator has two
 * groups: first comes the one whose rank 0 has the lower rank in the world, so that both sides
 * list them alike. */
struct measure_members {
	uint32_t nr;
	uint32_t *ranks;
	uint32_t nr_others; /* 0: an intracommunicator */
	uint32_t *others;
	bool is_second;   /* this process is among the others */
	bool is_relative; /* ranks are not those in the world; see measure_members_within() */
};

/* Keeps / frees the world's group, which ranks are translated to. */
measure_status_t measure_identity_open_world(void);
void measure_identity_adopt_world(MPI_Group group);
void measure_identity_close_world(void);

/* MEASURE_ERROR_NOT_FOUND: some members are of another world. */
measure_status_t measure_members_get(MPI_Comm comm, struct measure_members *members);
/* The same where some are of another world, as ranks in the communicator `from` that this one was
 * made of; of an intercommunicator those in its second group are counted on from the first. */
measure_status_t measure_members_within(
	MPI_Comm comm, MPI_Comm from, bool is_second_of_from, struct measure_members *members);

measure_status_t measure_members_of_own_side(MPI_Comm comm, struct measure_members *members);
measure_status_t measure_members_of_group(MPI_Group group, struct measure_members *members);
void measure_members_free(struct measure_members *members);

/* Hash of members and tag. */
uint64_t measure_identity_kinship(const struct measure_members *members, int tag);

struct measure_comm_key measure_identity_of_self(struct measure_comm_key world, uint32_t rank);
struct measure_comm_key measure_identity_of_child(
	struct measure_comm_key parent, uint64_t kinship, uint64_t nr_before);

/* A name for this world, different from every other world's. Only one rank makes it; the
 * others are told. */
struct measure_comm_key measure_identity_new_world(void);

/* One for the world of this job, that every rank can make for itself. Only for want of a better
 * one: nobody can be asked. */
struct measure_comm_key measure_identity_of_job(void);

/* How many communicators of one kinship (same members, same tag) a communicator has had as
 * children: a small map from kinship to count, O(1). The caller keeps threads apart. All zero: no
 * children yet. */
struct measure_child_counts {
	struct measure_child_count {
		uint64_t kinship;
		uint64_t count; /* 0: empty slot */
	} * slots;
	uint32_t nr_slots; /* power of two, or 0 */
	uint32_t nr_used;
};

/* Counts one more child; `nr_before` is how many there were. False: no memory. */
bool measure_child_counts_add(
	struct measure_child_counts *counts, uint64_t kinship, uint64_t *nr_before);
void measure_child_counts_free(struct measure_child_counts *counts);

#endif
