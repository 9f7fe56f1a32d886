/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Equal records once; see record_pool.h. Several sets, so that threads seldom wait for each other.
 */
#include "config.h"

#include "record_pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/intern.h"

#define NR_SHELVES 64

struct measure_record_pool {
	struct pool_shelf {
		pthread_mutex_t lock;
		struct measure_intern records;
	} shelves[NR_SHELVES];
};

struct measure_record_pool *measure_record_pool_open(void)
{
	struct measure_record_pool *pool = calloc(1, sizeof(*pool));

	for (size_t i = 0; pool && i < NR_SHELVES; i++)
		pthread_mutex_init(&pool->shelves[i].lock, NULL);
	return pool;
}

void measure_record_pool_close(struct measure_record_pool *pool)
{
	for (size_t i = 0; pool && i < NR_SHELVES; i++) {
		measure_intern_free(&pool->shelves[i].records);
		pthread_mutex_destroy(&pool->shelves[i].lock);
	}
	free(pool);
}

const uint8_t *measure_record_pool_keep(
	struct measure_record_pool *pool, const uint8_t *bytes, size_t size)
{
	const uint64_t hash = measure_hash(MEASURE_HASH_START, bytes, size);
	struct pool_shelf *shelf = &pool->shelves[(hash >> 40) % NR_SHELVES];
	const uint8_t *kept = NULL;
	uint32_t id;

	pthread_mutex_lock(&shelf->lock);
	if (measure_intern_put(&shelf->records, bytes, size, &id, NULL) == MEASURE_OK)
		kept = measure_intern_key(&shelf->records, id);
	pthread_mutex_unlock(&shelf->lock);
	return kept;
}
