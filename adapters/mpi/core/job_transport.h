/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job as one: a private duplicate of MPI_COMM_WORLD, on which errors are returned, or, where
 * some ranks do not run under Measure, a communicator of the others; the transport over it; and synchronisation points: collectives in which all ranks of the world come
 * together. Those are counted per communicator, since only its collectives have one order on all
 * ranks, and the points that an adapter waits for are announced, with a transport of their own
 * (struct measure_points). */
#ifndef MEASURE_MPI_TRANSPORT_H
#define MEASURE_MPI_TRANSPORT_H

#include <mpi.h>

#include "adapter.h"

/* Right after PMPI_Init, on every rank that is recorded. NULL: MPI cannot. */
const struct measure_transport *measure_transport_open(void);
void measure_transport_close(void);

/* NULL: it is not open. It stays open where all ranks of the world record: what is to be agreed on
 * can be. */
const struct measure_transport *measure_transport_get(void);

/* It is open, and no rank of the world is without Measure: all can be asked. */
bool measure_transport_has_world(void);

/* Whether `is_true` is true on all ranks. A phase of the transport needs every rank. */
bool measure_transport_is_true_for_all(bool is_true);

/* The series of an intracommunicator that has the ranks of the world, in any order; NULL: it has
 * not, or there are no points in this job. free() it. */
struct measure_points *measure_sync_points_open(MPI_Comm comm);

/* After the end of a collective of the communicator of this key and series (NULL: none) that nobody
 * leaves before all have come. On all ranks the same, whether or not it was recorded. */
void measure_sync_point_pass(struct measure_comm_key key, struct measure_points *points);

#endif
