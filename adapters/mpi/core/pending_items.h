/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an MPI call is about to wait for; see lib/api/pending.h. */
#ifndef MEASURE_MPI_PENDING_ITEMS_H
#define MEASURE_MPI_PENDING_ITEMS_H

#include "../comm/communicators.h"

static inline uint32_t measure_pending_peer(int peer)
{
	return peer == MPI_ANY_SOURCE ? MEASURE_PENDING_ANY : (uint32_t)peer;
}

static inline uint32_t measure_pending_tag(int tag)
{
	return tag == MPI_ANY_TAG ? MEASURE_PENDING_ANY : (uint32_t)tag;
}

/* A message to or from a rank. Of an intercommunicator it is not told which rank that is. */
static inline struct measure_pending_item measure_pending_message(enum measure_pending_kind kind,
	const struct measure_communicator *communicator, uint32_t peer, uint32_t tag)
{
	return (struct measure_pending_item){
		.kind = (uint8_t)(communicator->is_inter ? MEASURE_PENDING_OTHER : kind),
		.comm = communicator->id,
		.peer = peer,
		.value = tag};
}

/* A receive from any rank or a good one. False: there is nothing to wait for, or it is not known.
 */
static inline bool measure_pending_receive(
	int source, int tag, MPI_Comm comm, struct measure_pending_item *item)
{
	const struct measure_communicator *communicator = measure_communicator_find(comm);

	if (!communicator || source == MPI_PROC_NULL)
		return false;
	*item = measure_pending_message(MEASURE_PENDING_RECEIVE, communicator,
		measure_pending_peer(source), measure_pending_tag(tag));
	return true;
}

#endif
