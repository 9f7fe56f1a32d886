/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: delays and the critical path of small programs are those that their definitions
 * give; segments of the critical path cover the run, and costs of delays add up to the waits */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../t_suite.h"
#include "../waits/t_waits.h"
#include "analysis/causes/apportion.h"
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

/* ------------------------------------------------------------------------- delays --- */

/* What a location has cost by being in a region, whatever the pattern. */
static uint64_t cost(uint32_t location, uint32_t region, bool is_long)
{
	const struct measure_delays *delays = &t_waits.root_causes->delays;
	uint64_t ticks = 0;

	for (size_t i = 0; i < delays->nr_rows; i++)
		if (delays->rows[i].location == location && delays->rows[i].path == path_of(region))
			ticks += is_long ? delays->rows[i].long_term : delays->rows[i].short_term;
	return ticks;
}

/* Of the waits of a pattern on a location. */
static const struct measure_wait_costs *costs_of(
	enum measure_wait_pattern pattern, uint32_t location)
{
	return &t_waits.root_causes->delays.costs[t_row(pattern, location) - t_waits.rows];
}

static void adds_up(void)
{
	const struct measure_delays *delays = &t_waits.root_causes->delays;

	CU_ASSERT_EQUAL(measure_delays_total(delays) + delays->unattributed, t_total());
}

static void test_delays(void)
{
	const struct measure_wait_costs *costs;

	make_chain();
	CU_ASSERT_EQUAL(cost(0, T_WORK, false), 60);
	CU_ASSERT_EQUAL(cost(0, T_WORK, true), 60);
	CU_ASSERT_EQUAL(cost(1, T_WORK, false), 50);
	CU_ASSERT_EQUAL(cost(1, T_RECEIVE, false), 2);
	CU_ASSERT_EQUAL(t_waits.root_causes->delays.nr_rows, 3);
	CU_ASSERT_EQUAL(t_waits.root_causes->delays.unattributed, 0);
	adds_up();
	costs = costs_of(MEASURE_WAIT_LATE_SENDER, 1);
	CU_ASSERT_EQUAL(costs->direct, 60);
	CU_ASSERT_EQUAL(costs->indirect, 0);
	CU_ASSERT_EQUAL(costs->propagating, 60);
	CU_ASSERT_EQUAL(costs->terminal, 0);
	costs = costs_of(MEASURE_WAIT_LATE_SENDER, 2);
	CU_ASSERT_EQUAL(costs->direct, 52);
	CU_ASSERT_EQUAL(costs->indirect, 60);
	CU_ASSERT_EQUAL(costs->propagating, 0);
	CU_ASSERT_EQUAL(costs->terminal, 112);
	t_end();
}

static void come(uint32_t location, uint64_t enter, uint64_t leave)
{
	t_collective(location, enter, leave, T_MPI_BARRIER, OTF2_COLLECTIVE_OP_BARRIER,
		OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

/* The last one is to blame for what it has done more than each of the others. */
static void test_barrier(void)
{
	t_begin();
	work(0, 0, 100);
	work(1, 0, 60);
	work(2, 0, 40);
	T_ENTER(2, 40, T_MAIN);
	T_LEAVE(2, 70, T_MAIN);
	work(3, 0, 100);
	come(0, 100, 102);
	come(1, 60, 101);
	come(2, 70, 103);
	come(3, 100, 101);
	find_causes();
	CU_ASSERT_EQUAL(t_total(), 70);
	CU_ASSERT_EQUAL(cost(0, T_WORK, false), 70);
	CU_ASSERT_EQUAL(t_waits.root_causes->delays.nr_rows, 1);
	adds_up();
	t_end();
}

/* After a barrier only what has been done since then is compared: though rank 1 had worked longer
 * before it, rank 0 is to blame. */
static void test_since_barrier(void)
{
	t_begin();
	work(0, 0, 10);
	work(1, 0, 90);
	for (uint32_t i = 0; i < 4; i++)
		come(i, i == 1 ? 90 : 10, 100 + i);
	T_ENTER(0, 110, T_MAIN);
	T_LEAVE(0, 150, T_MAIN);
	t_send(0, 150, 150, 151, 1);
	T_ENTER(1, 110, T_MAIN);
	T_LEAVE(1, 120, T_MAIN);
	t_receive(1, 120, 151, 152, 0);
	find_causes();
	T_WAITED(LATE_SENDER, 1, 30);
	/* 1 tick outside of regions, and 30 in main, in this order */
	CU_ASSERT_EQUAL(cost(0, T_MAIN, false), 30);
	CU_ASSERT_EQUAL(cost(1, T_WORK, false), 240);
	adds_up();
	t_end();
}

/* Those who did not wait for each other were together in the barrier, too: until the first of the
 * two left it. What rank 0 waited before does not matter any more. */
static void test_since_barrier_of_others(void)
{
	const struct measure_wait_costs *costs;

	t_begin();
	work(0, 0, 10);
	work(1, 0, 90);
	work(2, 0, 60);
	for (uint32_t i = 0; i < 4; i++)
		come(i, i == 1 ? 90 : i == 2 ? 60 : 10, i == 2 ? 120 : 100);
	work(0, 100, 120);
	T_ENTER(0, 120, T_MAIN);
	T_LEAVE(0, 150, T_MAIN);
	t_send(0, 150, 150, 151, 2);
	T_ENTER(2, 120, T_MAIN);
	T_LEAVE(2, 130, T_MAIN);
	t_receive(2, 130, 151, 152, 0);
	find_causes();
	T_WAITED(LATE_SENDER, 2, 20);
	CU_ASSERT_EQUAL(cost(0, T_MAIN, false), 10);
	CU_ASSERT_EQUAL(cost(0, T_WORK, false), 10);
	costs = costs_of(MEASURE_WAIT_LATE_SENDER, 2);
	CU_ASSERT_EQUAL(costs->direct, 20);
	CU_ASSERT_EQUAL(costs->indirect, 0);
	adds_up();
	t_end();
}

/* Shares add up to the whole. */
static void test_apportion(void)
{
	static const uint64_t weights[2][3] = {{1, 1, 1}, {3, 5, 2}};
	static const uint64_t shares[2][3] = {{33, 33, 34}, {2, 3, 2}};
	static const uint64_t wholes[] = {100, 7}, sums[] = {3, 10};

	for (int i = 0; i < 2; i++) {
		struct measure_apportion apportion = measure_apportion_start(wholes[i], sums[i]);

		for (int k = 0; k < 3; k++)
			CU_ASSERT_EQUAL(
				measure_apportion_next(&apportion, weights[i][k]), shares[i][k]);
	}
}

/* ------------------------------------------------------------------------- threads --- */

/* A thread that begins late makes another one wait: that is for the thread that has begun it late.
 */
static void test_late_thread(void)
{
	t_begin();
	work(T_A, 0, 100);
	T_EVENT(ThreadCreate, T_A, 100, T_TEAM, 1);
	T_EVENT(ThreadBegin, T_B, 100, T_TEAM, 1);
	work(T_B, 100, 300);
	T_EVENT(ThreadEnd, T_B, 300, T_TEAM, 1);
	T_ENTER(T_A, 110, T_JOIN);
	T_EVENT(ThreadWait, T_A, 300, T_TEAM, 1);
	T_LEAVE(T_A, 310, T_JOIN);
	find_causes();
	T_WAITED(JOIN, T_A, 190);
	CU_ASSERT_EQUAL_FATAL(t_waits.root_causes->critical.nr_segments, 3);
	is_segment(0, T_A, 0, 100);
	is_segment(1, T_B, 100, 300);
	is_segment(2, T_A, 300, 310);
	CU_ASSERT_EQUAL(cost(T_B, T_WORK, false), 190);
	adds_up();
	t_end();
}

/* -------------------------------------------------------------------------- random --- */

static uint64_t clocks[4];

static uint64_t random_ticks(uint64_t most)
{
	return (uint64_t)rand() % (most + 1);
}

static void compute(uint32_t rank)
{
	const uint64_t end = clocks[rank] + random_ticks(50);
	const bool is_nested = rand() % 2;

	T_ENTER(rank, clocks[rank], T_MAIN);
	if (is_nested)
		work(rank, clocks[rank] + random_ticks(end - clocks[rank]), end);
	T_LEAVE(rank, end, T_MAIN);
	clocks[rank] = end + random_ticks(3);
}

static void send_message(uint32_t from, uint32_t to)
{
	const uint64_t sent = clocks[from] + random_ticks(2);
	const uint64_t received = (clocks[to] > sent ? clocks[to] : sent) + random_ticks(5);

	t_send(from, clocks[from], sent, sent + 1, to);
	t_receive(to, clocks[to], received, received + 1, from);
	clocks[from] = sent + 1;
	clocks[to] = received + 1;
}

static void meet(void)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < 4; i++)
		last = clocks[i] > last ? clocks[i] : last;
	for (uint32_t i = 0; i < 4; i++) {
		const uint64_t leave = last + random_ticks(5);

		come(i, clocks[i], leave);
		clocks[i] = leave;
	}
}

static void broadcast(uint32_t root)
{
	uint64_t root_leave = 0;

	for (uint32_t i = 0; i < 4; i++) {
		const uint64_t begin =
			i == root || clocks[i] > clocks[root] ? clocks[i] : clocks[root];
		const uint64_t leave = begin + 2 + random_ticks(5);

		t_collective(i, clocks[i], leave, T_BCAST, OTF2_COLLECTIVE_OP_BCAST, root,
			i == root ? 8 : 0, i == root ? 0 : 8);
		if (i == root)
			root_leave = leave;
		else
			clocks[i] = leave;
	}
	clocks[root] = root_leave;
}

static void make_random(unsigned seed)
{
	srand(seed);
	t_begin();
	for (uint32_t i = 0; i < 4; i++)
		clocks[i] = random_ticks(20);
	for (int i = 0; i < 60; i++) {
		const uint32_t rank = (uint32_t)rand() % 4;
		const int step = rand() % 12;

		compute(rank);
		if (step < 9)
			send_message(rank, (rank + 1 + (uint32_t)rand() % 3) % 4);
		else if (step < 11)
			meet();
		else
			broadcast(rank);
	}
}

/* Segments follow each other from the first event to the last. */
static void covers_run(void)
{
	const struct measure_critical_path *critical = &t_waits.root_causes->critical;
	uint64_t at = critical->first, ticks = 0;

	CU_ASSERT_EQUAL(critical->first, t_waits.profile.first);
	CU_ASSERT_EQUAL(critical->last, t_waits.profile.last);
	for (size_t i = 0; i < critical->nr_segments; i++) {
		CU_ASSERT_EQUAL(critical->segments[i].from, at);
		CU_ASSERT(critical->segments[i].until > at);
		at = critical->segments[i].until;
	}
	CU_ASSERT_EQUAL(at, critical->last);
	for (size_t i = 0; i < critical->nr_rows; i++)
		ticks += critical->rows[i].ticks;
	CU_ASSERT_EQUAL(ticks, critical->last - critical->first);
	CU_ASSERT(critical->activities + critical->others + critical->impact ==
		  (unsigned __int128)ticks * critical->nr_locations);
}

static void splits_waits(void)
{
	const struct measure_wait_costs *costs = t_waits.root_causes->delays.costs;

	for (size_t i = 0; i < t_waits.nr_rows; i++) {
		if (measure_wait_patterns[t_waits.rows[i].pattern].part != MEASURE_WAIT_ADDED)
			continue;
		CU_ASSERT_EQUAL(costs[i].direct + costs[i].indirect + costs[i].unattributed,
			t_waits.rows[i].ticks);
		CU_ASSERT_EQUAL(costs[i].propagating + costs[i].terminal, t_waits.rows[i].ticks);
	}
}

/* As printed: one thread and three find the same. */
static void is_same_with_threads(void)
{
	static char texts[2][1 << 20];
	static const unsigned threads[] = {1, 3};

	for (int i = 0; i < 2; i++) {
		FILE *file = fmemopen(texts[i], sizeof(texts[i]), "w");

		CU_ASSERT_PTR_NOT_NULL_FATAL(file);
		t_read_with(threads[i]);
		measure_root_causes_find(&t_waits, threads[i]);
		measure_root_causes_print_json(&t_waits, file);
		fclose(file);
	}
	CU_ASSERT(strlen(texts[0]) > 100);
	CU_ASSERT_STRING_EQUAL(texts[0], texts[1]);
}

static void test_random(void)
{
	uint64_t waited = 0;

	for (unsigned seed = 1; seed <= 20; seed++) {
		make_random(seed);
		is_same_with_threads();
		CU_ASSERT_EQUAL(t_waits.root_causes->delays.unattributed, 0);
		waited += t_total();
		adds_up();
		splits_waits();
		covers_run();
		t_end();
	}
	CU_ASSERT(waited > 10000);
}

/* Prepared, they leave the profile as it is, which others read meanwhile. */
static void test_prepared(void)
{
	const struct measure_profile_path *paths;
	size_t nr;

	make_random(1);
	t_read_with(1);
	measure_root_causes_prepare(&t_waits);
	paths = t_waits.profile.paths;
	nr = t_waits.profile.nr_paths;
	measure_root_causes_find(&t_waits, 1);
	CU_ASSERT_EQUAL(t_waits.profile.nr_paths, nr);
	CU_ASSERT_PTR_EQUAL(t_waits.profile.paths, paths);
	t_end();
}

/* Of a long range, the same as of all its ticks one by one. */
static void is_sum_of_ticks(
	const struct measure_timelines *timelines, uint64_t from, uint64_t until)
{
	struct measure_path_times whole, sum;

	measure_path_times_start(&whole, timelines);
	measure_path_times_start(&sum, timelines);
	measure_timeline_paths(timelines, 1, from, until, &whole);
	for (uint64_t i = from; i < until; i++)
		measure_timeline_paths(timelines, 1, i, i + 1, &sum);
	CU_ASSERT_EQUAL(whole.nr_paths, sum.nr_paths);
	for (size_t i = 0; i < whole.nr_paths; i++)
		CU_ASSERT_EQUAL(whole.ticks[whole.paths[i]], sum.ticks[whole.paths[i]]);
	measure_path_times_free(&whole);
	measure_path_times_free(&sum);
}

static void test_long_ranges(void)
{
	const struct measure_timeline *timeline;

	srand(1);
	t_begin();
	for (uint32_t i = 0; i < 4; i++)
		clocks[i] = 10;
	for (int i = 0; i < 600; i++) {
		compute(0);
		compute(1);
		send_message(0, 1);
	}
	find_causes();
	timeline = &t_waits.root_causes->timelines.locations[1];
	CU_ASSERT(timeline->nr_marks > 10);
	for (int i = 0; i < 30; i++) {
		const uint64_t from = timeline->begin - 5 + random_ticks(clocks[1]);

		is_sum_of_ticks(&t_waits.root_causes->timelines, from,
			from + random_ticks(timeline->end + 5 - from));
	}
	is_sum_of_ticks(&t_waits.root_causes->timelines, timeline->begin, timeline->end);
	adds_up();
	covers_run();
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"critical path", test_critical_path},
		{"delays", test_delays},
		{"barrier", test_barrier},
		{"since a barrier", test_since_barrier},
		{"since a barrier of others", test_since_barrier_of_others},
		{"apportion", test_apportion},
		{"late thread", test_late_thread},
		{"random", test_random},
		{"prepared", test_prepared},
		{"long ranges", test_long_ranges},
		CU_TEST_INFO_NULL,
	};

	return t_suite("root_causes", NULL, NULL, tests);
}
