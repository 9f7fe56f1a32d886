/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Polls MPI by each call that does so: NR times in vain, then until a message to itself is there.
 * Prints "CALL CALLS" for each. A second argument: "threads" polls on two threads, "kill" ends the
 * program in the middle by SIGKILL. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum poll { TEST, TESTALL, TESTANY, TESTSOME, GET_STATUS, IPROBE, IMPROBE, NR_POLLS };

static const char *const names[NR_POLLS] = {"MPI_Test", "MPI_Testall", "MPI_Testany",
	"MPI_Testsome", "MPI_Request_get_status", "MPI_Iprobe", "MPI_Improbe"};
static long calls[NR_POLLS];

/* What one thread polls for. */
struct polling {
	int tag;
	int data;
	MPI_Request request;
	MPI_Message message;
};

/* Whether it has found something. */
static int poll_once(struct polling *polling, enum poll how)
{
	int flag = 0, index;

	__atomic_fetch_add(&calls[how], 1, __ATOMIC_RELAXED);
	if (how == TEST)
		MPI_Test(&polling->request, &flag, MPI_STATUS_IGNORE);
	else if (how == TESTALL)
		MPI_Testall(1, &polling->request, &flag, MPI_STATUSES_IGNORE);
	else if (how == TESTANY)
		MPI_Testany(1, &polling->request, &index, &flag, MPI_STATUS_IGNORE);
	else if (how == TESTSOME)
		MPI_Testsome(1, &polling->request, &flag, &index, MPI_STATUSES_IGNORE);
	else if (how == GET_STATUS)
		MPI_Request_get_status(polling->request, &flag, MPI_STATUS_IGNORE);
	else if (how == IPROBE)
		MPI_Iprobe(0, polling->tag, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
	else
		MPI_Improbe(0, polling->tag, MPI_COMM_SELF, &flag, &polling->message,
			MPI_STATUS_IGNORE);
	return flag;
}

static int is_by_request(enum poll how)
{
	return how != IPROBE && how != IMPROBE;
}

static void complete(struct polling *polling, enum poll how)
{
	if (how == GET_STATUS)
		MPI_Wait(&polling->request, MPI_STATUS_IGNORE);
	else if (how == IPROBE)
		MPI_Recv(&polling->data, 1, MPI_INT, 0, polling->tag, MPI_COMM_SELF,
			MPI_STATUS_IGNORE);
	else if (how == IMPROBE)
		MPI_Mrecv(&polling->data, 1, MPI_INT, &polling->message, MPI_STATUS_IGNORE);
}

/* With `between`, something that is recorded comes before each poll. */
static void poll_for_one(struct polling *polling, enum poll how, long nr, int between)
{
	MPI_Request sending;
	int data = 0;

	if (is_by_request(how))
		MPI_Irecv(&polling->data, 1, MPI_INT, 0, polling->tag, MPI_COMM_SELF,
			&polling->request);
	for (long i = 0; i < nr; i++) {
		if (between)
			MPI_Barrier(MPI_COMM_SELF);
		poll_once(polling, how);
	}
	MPI_Isend(&data, 1, MPI_INT, 0, polling->tag, MPI_COMM_SELF, &sending);
	while (!poll_once(polling, how))
		;
	complete(polling, how);
	MPI_Wait(&sending, MPI_STATUS_IGNORE);
}

static long nr;

static void *poll_all(void *tag)
{
	struct polling polling = {.tag = *(int *)tag};

	for (int how = 0; how < NR_POLLS; how++)
		poll_for_one(&polling, how, nr, 0);
	return NULL;
}

static void poll_on_threads(void)
{
	int tags[] = {1, 2};
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, poll_all, &tags[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void report(void)
{
	for (int how = 0; how < NR_POLLS; how++)
		printf("%s %ld\n", names[how], calls[how]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";
	struct polling last = {.tag = 3};
	int provided, tag = 0;

	nr = atol(argv[1]);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (strcmp(mode, "threads") == 0 && provided == MPI_THREAD_MULTIPLE)
		poll_on_threads();
	else
		poll_all(&tag);
	poll_for_one(&last, TESTSOME, 1000, 1);
	if (strcmp(mode, "kill") == 0) {
		for (long i = 0; i < nr; i++)
			MPI_Iprobe(0, 4, MPI_COMM_SELF, &tag, MPI_STATUS_IGNORE);
		calls[IPROBE] += nr;
		report();
		raise(SIGKILL);
	}
	report();
	MPI_Finalize();
	return 0;
}
