/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values between the ranks of a job, and the question whether all have arrived. Under a launcher of
 * MPI, with the name of the module as argument, ranks pass tokens on, each as often as it says,
 * from two threads; every pass adds one to a sum that is known beforehand. Alone: a job of one. */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "sync/parallel/exchange.h"
#include "trace/common/containers.h"

#define NR_TOKENS 20000 /* of each rank: some fill messages */
#define NR_ROUNDS 3

struct player {
	struct measure_sync_job job;
	struct measure_exchange exchange;
	uint64_t nr_passes;
	struct measure_exchange_value *waiting;
	size_t nr, room;
};

static void pass(struct player *player, struct measure_exchange_value token)
{
	if (token.value == 0)
		return;
	token.value--;
	token.name = token.name * 6364136223846793005u + 1442695040888963407u;
	measure_exchange_put(&player->exchange,
		(uint32_t)((player->job.rank + 1 + (token.name >> 33) % (player->job.size - 1)) %
			   player->job.size),
		&token);
}

static void take(void *data, const struct measure_exchange_value *value)
{
	struct player *player = data;

	player->nr_passes++;
	player->waiting =
		measure_grow(player->waiting, player->nr, &player->room, sizeof(*player->waiting));
	player->waiting[player->nr++] = *value;
}

static void *begin(void *data)
{
	struct player *player = data;

	for (uint64_t i = 0; i < NR_TOKENS; i++)
		pass(player, (struct measure_exchange_value){i, (int64_t)(i % 17)});
	return NULL;
}

/* Two threads begin at once; then the job's thread goes on with what comes. */
static void play(struct player *player)
{
	pthread_t thread;

	pthread_create(&thread, NULL, begin, player);
	begin(player);
	pthread_join(thread, NULL);
	while (player->nr || measure_exchange_turn(&player->exchange, true, take, player) ||
		!measure_exchange_is_over(&player->exchange)) {
		if (player->nr)
			pass(player, player->waiting[--player->nr]);
		else
			sched_yield();
	}
}

static bool are_passes_right(const struct player *player)
{
	uint64_t expected = 0, passes = measure_sync_job_sum(&player->job, player->nr_passes);

	for (uint64_t i = 0; i < NR_TOKENS; i++)
		expected += 2 * player->job.size * (i % 17);
	if (passes != NR_ROUNDS * expected && player->job.rank == 0)
		printf("%llu passes, %llu expected\n", (unsigned long long)passes,
			(unsigned long long)NR_ROUNDS * expected);
	return passes == NR_ROUNDS * expected;
}

/* Rank r sends r * 1000 + s bytes of value r to rank s. */
static bool is_swap_right(const struct measure_sync_job *job)
{
	struct measure_sync_job_part *out = measure_zeroed(job->size, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(job->size, sizeof(*in));
	bool is_right = true;

	for (uint32_t r = 0; r < job->size; r++) {
		out[r].size = job->rank * 1000 + r;
		out[r].data = measure_zeroed(out[r].size, 1);
		for (size_t i = 0; i < out[r].size; i++)
			((char *)out[r].data)[i] = (char)job->rank;
	}
	measure_sync_job_swap(job, out, in);
	for (uint32_t r = 0; r < job->size; r++) {
		is_right &= in[r].size == (r == job->rank ? 0 : r * 1000 + job->rank);
		for (size_t i = 0; i < in[r].size; i++)
			is_right &= ((char *)in[r].data)[i] == (char)r;
		measure_free(in[r].data);
		measure_free(out[r].data);
	}
	measure_free(in);
	measure_free(out);
	return is_right;
}

static bool are_collectives_right(const struct measure_sync_job *job)
{
	uint64_t value = job->rank + 7, from_last = job->rank;
	uint64_t most = job->rank ? UINT64_MAX : 1, least = job->rank ? 1 : UINT64_MAX;

	job->ops->combine(&most, 1, MEASURE_SYNC_JOB_MOST);
	job->ops->combine(&least, 1, MEASURE_SYNC_JOB_LEAST);
	if (job->size > 1 && (most != UINT64_MAX || least != 1))
		return false;
	job->ops->broadcast(&from_last, sizeof(from_last), job->size - 1);
	return measure_sync_job_least(job, value) == 7 && from_last == job->size - 1 &&
	       measure_sync_job_sum(job, 2) == 2 * (uint64_t)job->size;
}

int main(int argc, char **argv)
{
	struct player player = {.job = measure_sync_job_of_one};
	const char *problem = argc > 1 ? measure_sync_job_open(&player.job, argv[1]) : NULL;
	bool is_right;

	if (problem) {
		printf("%s: %s\n", argv[1], problem);
		return 1;
	}
	measure_exchange_start(&player.exchange, &player.job);
	for (int round = 0; round < NR_ROUNDS && player.job.size > 1; round++)
		play(&player);
	is_right = player.job.size == 1
			   ? !measure_exchange_turn(&player.exchange, true, take, &player) &&
				     measure_exchange_is_over(&player.exchange)
			   : are_passes_right(&player);
	is_right &= is_swap_right(&player.job) && are_collectives_right(&player.job);
	if (!is_right)
		printf("rank %u: wrong\n", player.job.rank);
	measure_exchange_end(&player.exchange);
	measure_free(player.waiting);
	measure_sync_job_close(&player.job);
	return !is_right;
}
