/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which rank works on what. */
#include "config.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "sync/parallel/partition.h"

#include "../t_suite.h"

#define MOST 64

static struct measure_location_definition locations[MOST];
static uint32_t domains[MOST], order[MOST];

static struct measure_trace make(uint32_t nr, const uint32_t *groups, uint64_t nr_events)
{
	for (uint32_t i = 0; i < nr; i++) {
		locations[i] = (struct measure_location_definition){
			.group = groups[i], .nr_events = nr_events};
		domains[i] = order[i] = i;
	}
	return (struct measure_trace){.definitions = {.locations = locations, .nr_locations = nr},
		.reading_order = order};
}

static void check(const struct measure_trace *trace, uint32_t nr_ranks, const uint32_t *expected)
{
	uint32_t *ranks = measure_partition_make(trace, domains, nr_ranks);

	for (uint32_t i = 0; i < trace->definitions.nr_locations; i++)
		CU_ASSERT_EQUAL(ranks[i], expected[i]);
	measure_free(ranks);
}

static void test_even(void)
{
	const uint32_t groups[] = {0, 1, 2, 3, 4, 5};
	struct measure_trace trace = make(6, groups, 1000000);

	check(&trace, 1, (uint32_t[]){0, 0, 0, 0, 0, 0});
	check(&trace, 2, (uint32_t[]){0, 0, 0, 1, 1, 1});
	check(&trace, 3, (uint32_t[]){0, 0, 1, 1, 2, 2});
	check(&trace, 12, (uint32_t[]){1, 3, 5, 7, 9, 11});
}

static void test_processes_stay_whole(void)
{
	/* Threads are not defined one after another. */
	const uint32_t groups[] = {0, 1, 0, 1, MEASURE_NONE, MEASURE_NONE};
	struct measure_trace trace = make(6, groups, 1000000);

	check(&trace, 2, (uint32_t[]){0, 1, 0, 1, 1, 1});
	check(&trace, 6, (uint32_t[]){1, 3, 1, 3, 4, 5});
}

static void test_clocks_stay_whole(void)
{
	const uint32_t groups[] = {0, 1, 2, 3};
	struct measure_trace trace = make(4, groups, 1000000);

	domains[3] = domains[0];
	check(&trace, 2, (uint32_t[]){0, 1, 1, 0});
}

static void test_load_decides(void)
{
	const uint32_t groups[] = {0, 1, 2, 3};
	struct measure_trace trace = make(4, groups, 1000000);

	locations[0].nr_events = 3000000;
	check(&trace, 2, (uint32_t[]){0, 1, 1, 1});
	for (int i = 0; i < 4; i++)
		locations[i].nr_events = UINT64_MAX; /* a lie that must not overflow */
	check(&trace, 2, (uint32_t[]){0, 0, 1, 1});
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"equal processes", test_even},
		{"a process is never split", test_processes_stay_whole},
		{"what shares a clock is never split", test_clocks_stay_whole},
		{"events weigh", test_load_decides},
		CU_TEST_INFO_NULL,
	};

	return t_suite("shares", NULL, NULL, tests);
}
