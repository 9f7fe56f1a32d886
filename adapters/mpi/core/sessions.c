/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI sessions. A session of our own lies behind those of the program: its groups tell who is
 * who, also after the program has ended the session that it asked by. */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>

#include "../comm/communicators.h"
#include "../comm/identity.h"
#include "init.h"
#include "pmpi.h"
#include "requests.h"

#ifdef HAVE_PMPI_Session_init

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Session own_session = MPI_SESSION_NULL;
static uint32_t nr_open;

static bool mpi_is_initialized(void)
{
	int is_begun = 0;
	int is_ended = 0;

	measure_mpi.Initialized(&is_begun);
	measure_mpi.Finalized(&is_ended);
	return is_begun && !is_ended;
}

/* MPI_Init that comes later finds the world defined. */
static void session_define_world(MPI_Group group)
{
	const struct measure_comm_key key = measure_identity_of_job();
	int rank = MPI_UNDEFINED;
	int size = 0;

	measure_mpi.Group_rank(group, &rank);
	measure_mpi.Group_size(group, &size);
	if (rank == MPI_UNDEFINED)
		return;
	measure_world_define((uint32_t)rank, (uint32_t)size, key);
	measure_communicator_open_process_set(key, (uint32_t)rank, (uint32_t)size);
}

static void session_open_world(void)
{
	MPI_Group group;

	if (mpi_is_initialized())
		return;
	measure_mpi_is_multiple = true; /* each session says for itself: expect the worst */
	if (measure_mpi.Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &own_session) != MPI_SUCCESS)
		return;
	if (measure_mpi.Group_from_session_pset(own_session, "mpi://WORLD", &group) != MPI_SUCCESS)
		return;
	if (!measure_communicator_world)
		session_define_world(group);
	measure_identity_adopt_world(group);
}

static void session_close_world(void)
{
	if (own_session != MPI_SESSION_NULL) {
		measure_identity_close_world();
		measure_mpi.Session_finalize(&own_session);
	}
	own_session = MPI_SESSION_NULL;
}

void measure_session_init_after(measure_region_t region, int result)
{
	if (measure_mpi_is_on && result == MPI_SUCCESS) {
		pthread_mutex_lock(&lock);
		if (nr_open++ == 0)
			session_open_world();
		pthread_mutex_unlock(&lock);
	}
	measure_plain_after(region);
}

void measure_session_finalize_after(measure_region_t region, int result)
{
	bool is_last = false;

	if (measure_mpi_is_on && result == MPI_SUCCESS) {
		pthread_mutex_lock(&lock);
		is_last = nr_open > 0 && --nr_open == 0;
		if (is_last)
			session_close_world();
		pthread_mutex_unlock(&lock);
	}
	measure_plain_after(region);
	if (is_last && !mpi_is_initialized())
		measure_calls_switch_off();
}

bool measure_sessions_are_open(void)
{
	return nr_open > 0;
}

#endif
