/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: tables of things by their MPI handle: many at once, removed and added again in any
 * order, found without a lock while others come and go. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/handles.h"
#include "../t_suite.h"

#define NR_MANY    5000u
#define NR_STAY    60u
#define NR_ROUNDS  5000000u
#define NR_READERS 3

struct thing {
	struct measure_handle handle;
	uint64_t payload;
};

static struct thing *add(struct measure_handles *table, uint64_t value)
{
	const struct thing filled = {.payload = ~value};
	struct measure_handle *added;

	measure_handles_lock(table);
	added = measure_handle_add_locked(table, &filled.handle, value);
	measure_handles_unlock(table);
	return (struct thing *)added;
}

static void drop(struct measure_handles *table, uint64_t value)
{
	measure_handles_lock(table);
	measure_handle_remove_locked(table, measure_handle_find_locked(table, value));
	measure_handles_unlock(table);
}

static bool is_there(struct measure_handles *table, uint64_t value)
{
	const struct thing *found = (const struct thing *)measure_handle_lookup(table, value);

	return found && found->payload == ~value;
}

/* As addresses are: multiples of a power of two. */
static uint64_t value_of(uint64_t i)
{
	return 0x7f0000000000u + i * 256;
}

static void test_many(void)
{
	static struct measure_handles table = MEASURE_HANDLES(struct thing);
	uint64_t nr_wrong = 0;

	CU_ASSERT_PTR_NULL(measure_handle_lookup(&table, 0));
	for (uint64_t i = 0; i < NR_MANY; i++)
		CU_ASSERT_PTR_NOT_NULL_FATAL(add(&table, value_of(i)));
	for (uint64_t i = 0; i < NR_MANY; i += 3)
		drop(&table, value_of(i));
	for (uint64_t i = 0; i < NR_MANY; i++)
		nr_wrong += is_there(&table, value_of(i)) != (i % 3 != 0);
	for (uint64_t i = 0; i < NR_MANY; i += 3)
		CU_ASSERT_PTR_NOT_NULL_FATAL(add(&table, value_of(i)));
	for (uint64_t i = 0; i < NR_MANY; i++)
		nr_wrong += !is_there(&table, value_of(i));
	CU_ASSERT_EQUAL(nr_wrong, 0);
	CU_ASSERT_EQUAL(table.nr_used, NR_MANY);
}

static struct measure_handles shared = MEASURE_HANDLES(struct thing);
static atomic_bool is_over;
static _Atomic uint64_t nr_added, nr_dropped, nr_lost;

/* Sixteen each have the same place in a table, as the inverse of what home_slot() multiplies by
 * makes it: removing one moves many. */
static uint64_t crowded(uint64_t i)
{
	return ((i / 16) << 32 | (i % 16)) * 0xf1de83e19937733du;
}

static void *look(void *unused)
{
	uint64_t i, begin;

	(void)unused;
	while (!atomic_load(&is_over)) {
		begin = atomic_load(&nr_dropped);
		for (i = begin; i < atomic_load(&nr_added); i++)
			if (!measure_handle_lookup(&shared, crowded(i)) &&
				i >= atomic_load(&nr_dropped))
				atomic_fetch_add(&nr_lost, 1);
	}
	return NULL;
}

/* What is there is found at any moment, though entries move and the table grows. Those that were
 * added beside others move when these go. */
static void test_threads(void)
{
	pthread_t readers[NR_READERS];

	for (int i = 0; i < NR_READERS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&readers[i], NULL, look, NULL), 0);
	for (uint64_t i = 0; i < NR_ROUNDS; i++) {
		add(&shared, crowded(i));
		atomic_store(&nr_added, i + 1);
		if (i < NR_STAY)
			continue;
		atomic_store(&nr_dropped, i + 1 - NR_STAY);
		drop(&shared, crowded(i - NR_STAY));
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < NR_READERS; i++)
		pthread_join(readers[i], NULL);
	CU_ASSERT_EQUAL(nr_lost, 0);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"many, in any order", test_many},
		{"found while others come and go", test_threads},
		CU_TEST_INFO_NULL,
	};

	return t_suite("handles", NULL, NULL, tests);
}
