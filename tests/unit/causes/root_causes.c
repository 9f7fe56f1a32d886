/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: delays and the critical path of small programs are those that their definitions
 * give; segments of the critical path cover the run, and costs of delays add up to the waits */
#include "config.h"

#include "../t_suite.h"
#include "../waits/t_waits.h"
#include "analysis/causes/root_causes.h"

static void work(uint32_t location, uint64_t from, uint64_t until)
{
	T_ENTER(location, from, T_WORK);
	T_LEAVE(location, until, T_WORK);
}

static void find_causes(void)
{
	t_read();
	measure_root_causes_find(&t_waits, 1);
}

/* The path of a region that is called from nowhere. */
static uint32_t path_of(uint32_t region)
{
	for (uint32_t i = 0; i < t_waits.profile.nr_paths; i++)
		if (t_waits.profile.paths[i].region == region &&
			t_waits.profile.paths[i].parent == 0)
			return i;
	CU_FAIL_FATAL("no such path");
	return 0;
}

/* Rank 0 computes long, rank 1 waits for it and computes, rank 2 waits for that. */
static void make_chain(void)
{
	t_begin();
	work(0, 0, 100);
	t_send(0, 100, 100, 101, 1);
	work(1, 0, 40);
	t_receive(1, 40, 101, 102, 0);
	work(1, 102, 122);
	t_send(1, 122, 122, 123, 2);
	work(2, 0, 10);
	t_receive(2, 10, 123, 124, 1);
	find_causes();
	CU_ASSERT_EQUAL(t_total(), 172);
}

/* ------------------------------------------------------------------- critical path --- */

static const struct measure_critical_row *critical_row(uint32_t region)
{
	const struct measure_critical_path *critical = &t_waits.root_causes->critical;

	for (size_t i = 0; i < critical->nr_rows; i++)
		if (critical->rows[i].path == path_of(region))
			return &critical->rows[i];
	CU_FAIL_FATAL("not on the critical path");
	return NULL;
}

static void is_segment(size_t index, uint32_t location, uint64_t from, uint64_t until)
{
	const struct measure_path_segment *segment = &t_waits.root_causes->critical.segments[index];

	CU_ASSERT_EQUAL(segment->location, location);
	CU_ASSERT_EQUAL(segment->from, T_START + from);
	CU_ASSERT_EQUAL(segment->until, T_START + until);
}

static void test_critical_path(void)
{
	const struct measure_critical_path *critical;

	make_chain();
	critical = &t_waits.root_causes->critical;
	CU_ASSERT_EQUAL_FATAL(critical->nr_segments, 3);
	is_segment(0, 0, 0, 100);
	is_segment(1, 1, 100, 122);
	is_segment(2, 2, 122, 124);
	CU_ASSERT_EQUAL(critical->nr_rows, 2);
	CU_ASSERT_EQUAL(critical_row(T_WORK)->ticks, 120);
	CU_ASSERT_EQUAL(critical_row(T_RECEIVE)->ticks, 4);
	CU_ASSERT_EQUAL(critical_row(T_WORK)->imbalance, 63);
	CU_ASSERT_EQUAL(critical_row(T_RECEIVE)->imbalance, 2);
	CU_ASSERT_EQUAL(critical_row(T_WORK)->impact, 188);
	CU_ASSERT_EQUAL(critical_row(T_RECEIVE)->impact, 8);
	CU_ASSERT_EQUAL(critical->locations[0], 100);
	CU_ASSERT_EQUAL(critical->locations[1], 22);
	CU_ASSERT_EQUAL(critical->locations[2], 2);
	CU_ASSERT_EQUAL(critical->nr_locations, 3);
	CU_ASSERT_EQUAL(critical->activities, 174);
	CU_ASSERT_EQUAL(critical->others, 2);
	CU_ASSERT_EQUAL(critical->impact, 196);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"critical path", test_critical_path},
		CU_TEST_INFO_NULL,
	};

	return t_suite("root_causes", NULL, NULL, tests);
}
