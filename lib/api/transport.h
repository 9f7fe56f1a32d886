/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What clock measurement and unification need of a parallel job: nothing more than this
 * table. The MPI adapter fills one over a private duplicate of the world communicator with
 * errors returned (of those ranks that are recorded, where others are not); the tests fill one over pipes. */
#ifndef MEASURE_API_TRANSPORT_H
#define MEASURE_API_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

struct measure_transport {
	uint32_t rank;
	uint32_t size;
	void *context; /* belongs to whoever filled the table */

	/* Blocking point-to-point; both sides name the same number of bytes. */
	measure_status_t (*send)(void *context, const void *data, size_t bytes, uint32_t receiver);
	measure_status_t (*receive)(void *context, void *data, size_t bytes, uint32_t sender);

	/* Collective over all ranks, same bytes everywhere. Gather: `all` has size * bytes on
	 * root and is ignored elsewhere. */
	measure_status_t (*broadcast)(void *context, void *data, size_t bytes, uint32_t root);
	measure_status_t (*gather)(void *context, const void *data, size_t bytes, void *all,
		uint32_t root);
	measure_status_t (*barrier)(void *context);

	/* In the world of the job, some of whose ranks may be missing here. */
	uint32_t world_rank;
};

#endif
