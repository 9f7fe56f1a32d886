/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of all kinds between four ranks, with a part of the work that is another one's on each.
 * What each message is in its lane it tells by its length: of a wrong match the lengths differ. So
 * does each collective. Arguments: a seed, steps, how many messages the last rank lags behind the
 * first one, and `more` for a second thread that talks, too, and for a window; or `orderly`, so
 * that what is complete when the program is killed was begun before what is not. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NR_RANKS 4
#define NR_TAGS  8
#define MOST     2039 /* bytes; small enough that no send waits, and prime */
#define NR_OPEN  24   /* requests */

enum { FLOOD = 7 }; /* a tag */

/* One communicator. */
struct talk {
	MPI_Comm comm;
	int rank, size, nr_peers;
	bool is_inter;
	unsigned sent[NR_RANKS][NR_TAGS], received[NR_RANKS][NR_TAGS], nr_collectives;
};

static struct talk world, half, inter;
static char buffers[2 * NR_OPEN][MOST], receive_buffer[MOST];
static uint64_t shared, own; /* states of random numbers: of all ranks, of this one */
static volatile int sink;
static int lag, nr_behind;
static bool is_orderly;

static unsigned draw(uint64_t *state, unsigned limit)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(*state >> 33) % limit;
}

__attribute__((noinline)) static void tiny(int n)
{
	sink += n;
}

static void work(void)
{
	for (unsigned i = draw(&own, 40U * (unsigned)(world.rank + 1)); i > 0; i--)
		tiny((int)i);
}

static void open_talk(struct talk *talk, MPI_Comm comm, bool is_inter)
{
	*talk = (struct talk){.comm = comm, .is_inter = is_inter};
	MPI_Comm_rank(comm, &talk->rank);
	MPI_Comm_size(comm, &talk->size);
	talk->nr_peers = talk->size;
	if (is_inter)
		MPI_Comm_remote_size(comm, &talk->nr_peers);
}

static int next_length(struct talk *talk, int peer, int tag)
{
	return (int)(talk->sent[peer][tag]++ % MOST);
}

static void check(struct talk *talk, MPI_Status *status)
{
	int bytes;

	MPI_Get_count(status, MPI_CHAR, &bytes);
	if ((unsigned)bytes != talk->received[status->MPI_SOURCE][status->MPI_TAG]++ % MOST) {
		fprintf(stderr, "the program is wrong\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
}

static void send_one(struct talk *talk, int peer, int tag)
{
	MPI_Send(receive_buffer, next_length(talk, peer, tag), MPI_CHAR, peer, tag, talk->comm);
}

static void receive(struct talk *talk, int peer, int tag)
{
	MPI_Status status;

	MPI_Recv(receive_buffer, MOST, MPI_CHAR, peer, tag, talk->comm, &status);
	check(talk, &status);
}

static void ring(struct talk *talk)
{
	const int tag = (int)draw(&shared, 3);
	const int to = (talk->rank + 1) % talk->nr_peers;
	const int from = (talk->rank + talk->nr_peers - 1) % talk->nr_peers;

	send_one(talk, talk->is_inter ? talk->rank : to, tag);
	work();
	receive(talk, talk->is_inter ? talk->rank : from, tag);
}

static void master_and_workers(void)
{
	const int tag = 4;

	if (world.rank > 0) {
		for (int i = 0; i < 3; i++)
			send_one(&world, 0, tag + i % 2);
		receive(&world, 0, 6);
		return;
	}
	for (int i = 0; i < 9; i++) {
		MPI_Status status;

		MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, world.comm, &status);
		if (i % 3 == 0)
			MPI_Recv(receive_buffer, MOST, MPI_CHAR, MPI_ANY_SOURCE, tag + i % 2,
				world.comm, &status);
		else
			MPI_Recv(receive_buffer, MOST, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG,
				world.comm, &status);
		check(&world, &status);
		work();
		if (i == 8)
			for (int peer = 1; peer < NR_RANKS; peer++)
				send_one(&world, peer, 6);
	}
}

/* Those of rank `peer` are many; receives complete in another order than they were posted in. */
static void outstanding(struct talk *talk)
{
	const int distance = 1 + (int)draw(&shared, (unsigned)talk->size - 1);
	const int to = (talk->rank + distance) % talk->size;
	const int from = (talk->rank + talk->size - distance) % talk->size;
	MPI_Request requests[2 * NR_OPEN];
	MPI_Status statuses[2 * NR_OPEN];
	int indices[2 * NR_OPEN], nr_done, order[NR_OPEN], tags[NR_OPEN];

	for (int i = 0; i < NR_OPEN; i++) {
		tags[i] = (int)draw(&shared, 4);
		MPI_Irecv(buffers[i], MOST, MPI_CHAR, from, tags[i], talk->comm, &requests[i]);
	}
	work();
	for (int i = 0; i < NR_OPEN; i++)
		MPI_Isend(buffers[NR_OPEN + i], next_length(talk, to, tags[i]), MPI_CHAR, to,
			tags[i], talk->comm, &requests[NR_OPEN + i]);
	for (int i = 0; i < NR_OPEN; i++)
		order[i] = -1;
	for (int left = 2 * NR_OPEN; left > 0; left -= nr_done) {
		MPI_Waitsome(2 * NR_OPEN, requests, &nr_done, indices, statuses);
		for (int i = 0; i < nr_done; i++)
			if (indices[i] < NR_OPEN)
				MPI_Get_count(&statuses[i], MPI_CHAR, &order[indices[i]]);
		work();
	}
	for (int i = 0; i < NR_OPEN; i++)
		if ((unsigned)order[i] != talk->received[from][tags[i]]++ % MOST)
			MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Receives that stay open over many steps, completed the last one first. */
static MPI_Request late[6];
static int nr_late;

static void start_late(void)
{
	const int to = (world.rank + 2) % NR_RANKS;

	if (nr_late == 6) {
		for (int i = 0; i < 6; i++)
			send_one(&world, to, 3);
		for (int i = 5; i >= 0; i--) {
			MPI_Wait(&late[is_orderly ? 5 - i : i], MPI_STATUS_IGNORE);
			world.received[to][3]++;
		}
		nr_late = 0;
	}
	MPI_Irecv(buffers[nr_late], MOST, MPI_CHAR, to, 3, world.comm, &late[nr_late]);
	nr_late++;
}

/* The last rank receives so many of them later. */
static void flood(void)
{
	for (int i = 0; i < 20; i++) {
		if (world.rank == 0)
			send_one(&world, NR_RANKS - 1, FLOOD);
		if (world.rank == NR_RANKS - 1 && ++nr_behind > lag) {
			receive(&world, 0, FLOOD);
			nr_behind--;
		}
	}
}

static void drain(void)
{
	for (; world.rank == NR_RANKS - 1 && nr_behind > 0; nr_behind--)
		receive(&world, 0, FLOOD);
}

/* Their sizes and roots tell one from another. */
static void collective(struct talk *talk)
{
	const int nr = (int)(talk->nr_collectives++ % (MOST / 2));

	if (talk->is_inter)
		MPI_Allgather(buffers[0], 1, MPI_CHAR, buffers[1], 1, MPI_CHAR, talk->comm);
	else if (nr % 4 == 0)
		MPI_Barrier(talk->comm);
	else if (nr % 4 == 1)
		MPI_Allreduce(MPI_IN_PLACE, buffers[0], nr, MPI_CHAR, MPI_BOR, talk->comm);
	else if (nr % 4 == 2)
		MPI_Bcast(buffers[0], nr, MPI_CHAR, nr / 4 % talk->size, talk->comm);
	else
		MPI_Reduce(buffers[0], buffers[1], nr, MPI_CHAR, MPI_BOR, nr / 4 % talk->size,
			talk->comm);
}

static MPI_Request going_on[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

/* They are complete some steps later. */
static void nonblocking_collectives(void)
{
	const int nr = (int)(world.nr_collectives++ % MOST);

	MPI_Waitall(2, going_on, MPI_STATUSES_IGNORE);
	MPI_Iallreduce(buffers[40], buffers[41], nr, MPI_CHAR, MPI_BOR, world.comm, &going_on[0]);
	MPI_Ibarrier(world.comm, &going_on[1]);
	if (is_orderly)
		MPI_Waitall(2, going_on, MPI_STATUSES_IGNORE);
}

/* For its collectives. */
static MPI_Win window = MPI_WIN_NULL;

static void persistent(void)
{
	static MPI_Request requests[2];
	static int nr = 0;
	MPI_Status statuses[2];

	if (nr % 16 == 0) {
		if (nr > 0)
			for (int i = 0; i < 2; i++)
				MPI_Request_free(&requests[i]);
		MPI_Recv_init(buffers[0], MOST, MPI_CHAR, (world.rank + 3) % NR_RANKS, 5,
			world.comm, &requests[0]);
		MPI_Send_init(buffers[1], nr % MOST, MPI_CHAR, (world.rank + 1) % NR_RANKS, 5,
			world.comm, &requests[1]);
	}
	nr++;
	MPI_Startall(2, requests);
	work();
	MPI_Waitall(2, requests, statuses);
}

static void step(void)
{
	switch (draw(&shared, 11)) {
	case 0:
		ring(&world);
		break;
	case 1:
		master_and_workers();
		break;
	case 2:
		outstanding(&half);
		break;
	case 3:
		flood();
		break;
	case 4:
		collective(&world);
		break;
	case 5:
		collective(&half);
		ring(&half);
		break;
	case 6:
		ring(&inter);
		collective(&inter);
		break;
	case 7:
		nonblocking_collectives();
		break;
	case 8:
		persistent();
		break;
	case 9:
		if (window != MPI_WIN_NULL)
			MPI_Win_fence(0, window);
		break;
	default:
		start_late();
		break;
	}
}

/* On a communicator of its own, until every rank has come to its end; a receive that it has posted
 * the main thread waits for. */
static MPI_Request handed_over;

static void *talk_beside(void *data)
{
	struct talk *beside = data;
	const int to = (beside->rank + 1) % NR_RANKS, from = (beside->rank + 3) % NR_RANKS;
	static char sent[MOST], received[MOST];

	for (int i = 0; i < 1000; i++) {
		MPI_Request requests[2];

		MPI_Irecv(received, MOST, MPI_CHAR, from, i % 3, beside->comm, &requests[0]);
		MPI_Isend(sent, next_length(beside, to, i % 3), MPI_CHAR, to, i % 3, beside->comm,
			&requests[1]);
		usleep(1500);
		for (int k = beside->rank * 10; k > 0; k--)
			tiny(k);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
		if (i % 7 == 0)
			MPI_Bcast(sent, i % MOST, MPI_CHAR, i % NR_RANKS, beside->comm);
	}
	MPI_Irecv(received, MOST, MPI_CHAR, from, 5, beside->comm, &handed_over);
	MPI_Send(sent, 1, MPI_CHAR, to, 5, beside->comm);
	return NULL;
}

int main(int argc, char **argv)
{
	const bool has_more = argc > 4 && strcmp(argv[4], "more") == 0;
	const int seed = argc > 1 ? atoi(argv[1]) : 1;
	const int nr_steps = argc > 2 ? atoi(argv[2]) : 1000;
	struct talk beside;
	pthread_t thread;
	MPI_Comm comm;
	int given;

	is_orderly = argc > 4 && strcmp(argv[4], "orderly") == 0;
	lag = argc > 3 ? atoi(argv[3]) : 100;
	MPI_Init_thread(&argc, &argv, has_more ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &given);
	open_talk(&world, MPI_COMM_WORLD, false);
	if (world.size != NR_RANKS)
		MPI_Abort(MPI_COMM_WORLD, 1);
	shared = (uint64_t)seed;
	own = (uint64_t)seed * NR_RANKS + (uint64_t)world.rank;
	MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, 0, &comm);
	open_talk(&half, comm, false);
	MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, 1 - world.rank % 2, 0, &comm);
	open_talk(&inter, comm, true);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	open_talk(&beside, comm, false);
	if (has_more && (given != MPI_THREAD_MULTIPLE ||
				pthread_create(&thread, NULL, talk_beside, &beside) != 0))
		MPI_Abort(MPI_COMM_WORLD, 1);
	if (has_more)
		MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	for (int i = 0; i < nr_steps; i++) {
		step();
		work();
	}
	drain();
	while (nr_late < 6)
		start_late();
	start_late();
	MPI_Cancel(&late[0]);
	MPI_Wait(&late[0], MPI_STATUS_IGNORE);
	MPI_Waitall(2, going_on, MPI_STATUSES_IGNORE);
	if (has_more) {
		pthread_join(thread, NULL);
		MPI_Wait(&handed_over, MPI_STATUS_IGNORE);
	}
	if (window != MPI_WIN_NULL)
		MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
