/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is done once between MPI_Init and MPI_Finalize; see init.h. */
#include "config.h"

#include "../comm/communicators.h"
#include "../comm/identity.h"
#include "../comm/spawn.h"
#include "init.h"
#include "pmpi.h"
#include "requests.h"
#include "job_transport.h"

/* The first rank that is recorded names the world. Where that fails, communicators stay unknown. */
static void world_define(const struct measure_transport *transport)
{
	const bool is_defined = measure_communicator_world != NULL; /* by sessions */
	int size = 0;
	struct measure_comm_key key =
		is_defined ? measure_communicator_world->key : measure_identity_new_world();

	if (transport->broadcast(transport->context, &key, sizeof(key), 0) != MEASURE_OK)
		return;
	if (!measure_mpi_is_on)
		return;
	measure_mpi.Comm_size(MPI_COMM_WORLD, &size);
	if (!is_defined)
		measure_world_define(transport->world_rank, (uint32_t)size, key);
	measure_communicator_open_world(key);
}

void measure_world_open(void)
{
	const struct measure_transport *transport;
	int level = MPI_THREAD_SINGLE;

	measure_mpi.Query_thread(&level);
	measure_mpi_is_multiple |= level == MPI_THREAD_MULTIPLE;
	transport = measure_transport_open();
	if (!transport)
		return;
	world_define(transport);
	if (!measure_transport_is_true_for_all(measure_mpi_is_on)) {
		measure_transport_close();
		return;
	}
	measure_spawn_open_parent();
	measure_parallel_begin(transport);
	/* Nobody leaves MPI_Init before the last has entered it. MPI itself does not promise
	 * that, but the offset measurement needs it and checkers may then rely on it. */
	transport->barrier(transport->context);
}

void measure_world_close(void)
{
	const struct measure_transport *transport = measure_transport_get();

	if (transport) {
		measure_parallel_end(transport);
		/* As in MPI_Init: nobody leaves MPI_Finalize before the last has entered it. */
		transport->barrier(transport->context);
		measure_transport_close();
	}
	measure_identity_close_world();
}
