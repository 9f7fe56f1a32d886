/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations with calls of MPI, and with those of its profiling interface, which no adapter sees;
 * see subjects.h. The one process sends to itself. */
#include "config.h"

#include "subjects.h"

#include <mpi.h>
#include <unistd.h>

#include "measure.h"

#define PROBED 1 /* tag of a message that never comes */
#define SENT   2
#define STUCK  120 /* seconds: MPI does not start here */

static int sent, received;

static void call(void)
{
	int is_there;

	MPI_Iprobe(0, PROBED, MPI_COMM_SELF, &is_there, MPI_STATUS_IGNORE);
}

static void plain_call(void)
{
	int is_there;

	PMPI_Iprobe(0, PROBED, MPI_COMM_SELF, &is_there, MPI_STATUS_IGNORE);
}

/* A call with two messages, and one without. */
static void messages(void)
{
	MPI_Sendrecv(&sent, 1, MPI_INT, 0, SENT, &received, 1, MPI_INT, 0, SENT, MPI_COMM_SELF,
		MPI_STATUS_IGNORE);
	plain_call();
}

static void call_without_messages(void)
{
	PMPI_Sendrecv(&sent, 1, MPI_INT, 0, SENT, &received, 1, MPI_INT, 0, SENT, MPI_COMM_SELF,
		MPI_STATUS_IGNORE);
	call();
}

const struct subject measure_subjects[] = {
	{PAIR(CALL), call, plain_call, 2, 1, true},
	{SAME(MESSAGE), messages, call_without_messages, 2, 2, false},
};
const unsigned measure_nr_subjects = sizeof(measure_subjects) / sizeof(*measure_subjects);

bool measure_subjects_start(void)
{
	alarm(STUCK);
	return measure_recording() && MPI_Init(NULL, NULL) == MPI_SUCCESS;
}

void measure_subjects_end(void)
{
	MPI_Finalize();
}
