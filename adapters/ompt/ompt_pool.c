/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which teams are in use: see ompt_team.h. Members leave a team only when they are needed again,
 * some of them long after it. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_team.h"

#define MAX_SHARES 256
#define ALL_TEAMS  ((1u << MEASURE_OMPT_TEAMS) - 1)

static struct measure_ompt_pool *pool_new(uint32_t size)
{
	int saved_errno = errno;
	struct measure_ompt_pool *pool;
	uint32_t nr_shares = 4;
	size_t bytes;

	while (nr_shares < size && nr_shares < MAX_SHARES)
		nr_shares *= 2;
	bytes = sizeof(*pool) + (nr_shares + 1) * sizeof(pool->shares[0]);
	pool = aligned_alloc(MEASURE_OMPT_LINE, bytes);
	errno = saved_errno;
	if (!pool)
		return NULL;
	memset(pool, 0, bytes);
	pool->nr_shares = nr_shares;
	pool->free = ALL_TEAMS;
	for (uint32_t i = 0; i < MEASURE_OMPT_TEAMS; i++)
		pool->teams[i].pool = pool;
	return pool;
}

/* The free ones that tell this before all others. */
static struct measure_ompt_team *pool_find(
	struct measure_ompt_pool *pool, const struct measure_ompt_notice *notice)
{
	struct measure_ompt_team *any = NULL;

	for (uint32_t bits = pool->free; bits; bits &= bits - 1) {
		any = &pool->teams[__builtin_ctz(bits)];
		if (memcmp(&any->notice, notice, sizeof(*notice)) == 0)
			break;
	}
	return any;
}

/* Takes a line of the cache from each member. */
static void pool_look(struct measure_ompt_pool *pool)
{
	uint32_t busy = pool->forked;

	for (uint32_t i = 0; i <= pool->nr_shares; i++)
		for (uint32_t team = 0; team < MEASURE_OMPT_TEAMS; team++)
			/* pairs with the release in measure_ompt_team_go() */
			if (atomic_load_explicit(
				    &pool->shares[i].nr_inside[team], memory_order_acquire) > 0)
				busy |= 1u << team;
	pool->free = ALL_TEAMS & ~busy;
}

struct measure_ompt_team *measure_ompt_team_take(
	struct measure_ompt_thread *thread, const struct measure_ompt_notice *notice, uint32_t size)
{
	struct measure_ompt_pool *pool;
	struct measure_ompt_team *team = NULL;
	uint32_t bit;

	if (size > MAX_SHARES)
		size = MAX_SHARES;
	for (pool = thread->pools; pool; pool = pool->next) {
		if (pool->nr_shares < size)
			continue;
		if (!pool->free)
			pool_look(pool);
		if (pool->free)
			break;
	}
	if (!pool) {
		pool = pool_new(size);
		if (!pool)
			return NULL;
		pool->next = thread->pools;
		thread->pools = pool;
	}
	team = pool_find(pool, notice);
	bit = 1u << (team - pool->teams);
	pool->free &= ~bit;
	pool->forked |= bit;
	if (memcmp(&team->notice, notice, sizeof(*notice)) != 0)
		team->notice = *notice;
	return team;
}

void measure_ompt_team_drop(struct measure_ompt_team *team)
{
	team->pool->forked &= ~(1u << (team - team->pool->teams));
}

/* More than one member writes to the last share only. */
static void share_add(struct measure_ompt_team *team, uint32_t number, uint16_t change)
{
	struct measure_ompt_pool *pool = team->pool;
	ptrdiff_t index = team - pool->teams;
	_Atomic uint16_t *nr_inside;

	if (number >= pool->nr_shares) {
		atomic_fetch_add_explicit(&pool->shares[pool->nr_shares].nr_inside[index], change,
			memory_order_release);
		return;
	}
	nr_inside = &pool->shares[number].nr_inside[index];
	atomic_store_explicit(nr_inside,
		(uint16_t)(atomic_load_explicit(nr_inside, memory_order_relaxed) + change),
		memory_order_release);
}

void measure_ompt_team_come(struct measure_ompt_team *team, uint32_t number)
{
	share_add(team, number, 1);
}

void measure_ompt_team_go(struct measure_ompt_team *team, uint32_t number)
{
	share_add(team, number, (uint16_t)-1);
}
