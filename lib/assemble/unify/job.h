/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who is who: gives the processes of a run their places. Ranks of the MPI world come first, in
 * order, so that a process's id is its rank; ranks that left no part get a place without
 * one. Then come further worlds (spawned jobs), then those of which only the others' messages
 * tell, then processes without a rank, then those that others have made, each behind its creator.
 * What is left out (process_tree.h) has none. */
#ifndef MEASURE_ASSEMBLE_UNIFY_JOB_H
#define MEASURE_ASSEMBLE_UNIFY_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process_tree.h"
#include "assemble/part/part.h"
#include "base/array.h"
#include "status.h"

struct measure_topologies;

struct measure_world {
	uint64_t key_high;
	uint64_t key_low;
	uint32_t size;
	uint32_t first; /* its rank 0 is this process */
	bool is_spawned; /* by a process of another one */
	bool is_absent;  /* no process of it is here; its key is that of a communicator to it */
};

struct measure_process {
	const struct measure_part *part; /* NULL: a rank that left none */
	uint32_t id;			 /* of its location group */
	uint32_t world;			 /* index, MEASURE_NO_ID: none */
	uint32_t rank;			 /* in that world; without one: the launcher's, or none */
};

struct measure_job {
	MEASURE_ARRAY(struct measure_world) worlds; /* the main one first */
	MEASURE_ARRAY(struct measure_process) processes;
	uint32_t nr_missing; /* ranks without a part */
	const struct measure_part *parts; /* that it was made of, those left out too */
	size_t nr_parts;
	struct measure_process_tree *lineage; /* of these */
	uint32_t *ids;                    /* of the processes of these */
	const struct measure_topologies *topologies; /* of their nodes; NULL: not known */
};

/* The process of this run that has made this one, or was before it in the same process;
 * MEASURE_NO_ID: none, or it comes behind this one, as a script that has started a rank does. */
uint32_t measure_job_creator(const struct measure_job *job, const struct measure_process *child);

measure_status_t measure_job_make(const struct measure_part *parts, size_t nr_parts,
	struct measure_job *job);
/* The world that the processes on the other side of an intercommunicator are of, where none of
 * them is here; MEASURE_NO_ID: they are here, or it is none to another world. */
uint32_t measure_job_find_absent(const struct measure_job *job, const struct measure_def_comm *def);

void measure_job_free(struct measure_job *job);

#endif
