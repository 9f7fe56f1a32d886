/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the controlled logical clock on small graphs, event by event. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../t_suite.h"
#include "sync/graph/split.h"
#include "t_graph.h"

static void test_decay(void)
{
	const struct measure_sync_rate none = {0, 1};

	CU_ASSERT_EQUAL(measure_sync_decayed(0, 5, &t_rate), 0);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 0, &t_rate), 10);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 1, &t_rate), 9);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 1000, &t_rate), 9);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 1001, &t_rate), 8);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, INT64_MAX, &t_rate), 0);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, INT64_MAX, &none), 10);
	CU_ASSERT_EQUAL(measure_sync_life(10, &t_rate), 10000);
	CU_ASSERT_EQUAL(measure_sync_life(10, &none), INT64_MAX);
}

/* A message that arrives 5000 ticks too early: the receiver's clock gains on it at a hundredth,
 * and loses it at a thousandth. */
static void test_message(void)
{
	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	t_message(0, 2000000, 4, 1995000);
	t_replay(1);
	CU_ASSERT_EQUAL_FATAL(t_graph.of[t_graph.domains[4]].nr, 1);
	CU_ASSERT_EQUAL(
		measure_sync_value(&t_graph, t_graph.of[t_graph.domains[4]].records), 2000050);
	t_correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000, 1), 2000050);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000 - 101000, 0), 1995000 - 101000 + 4040);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000 - 505000, 0), 1995000 - 505000);
	CU_ASSERT_EQUAL(t_time_of(4, 1000000, 0), 1000000);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000 + 1000000, 2), 1995000 + 1000000 + 4050);
	CU_ASSERT_EQUAL(t_time_of(4, 9000000, 2), 9000000);
	CU_ASSERT_EQUAL(t_time_of(0, 2000000, 1), 2000000);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
}

/* Lines of two jumps add up; the first event stays. */
static void test_sum(void)
{
	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	t_point_at(4, 1900000);
	t_message(0, 2000000, 4, 1999950);
	t_message(0, 2001000, 4, 2000250);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_SUM);
	CU_ASSERT_EQUAL(t_time_of(4, 1900000, 1), 1900000);
	/* 100 at the first one; 700 at the second one, a ramp of 70000 ticks */
	CU_ASSERT_EQUAL(t_time_of(4, 2000250, 3), 2001050);
	CU_ASSERT(labs(t_time_of(4, 1999950, 2) - (2000050 + 697)) <= 1);
	CU_ASSERT(labs(t_time_of(4, 1970000, 1) - (1970000 + 397)) <= 2);
	CU_ASSERT_EQUAL(t_time_of(4, 1920000, 1), 1920000);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	t_point_at(4, 1980000);
	t_message(0, 2000000, 4, 1999000);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_SUM);
	CU_ASSERT_EQUAL(t_time_of(4, 1980000, 1), 1980000);
	CU_ASSERT_EQUAL(t_time_of(4, 1989500, 1), 1989500 + 525);
	CU_ASSERT_EQUAL(t_time_of(4, 1999000, 2), 2000050);
	t_end();
}

/* The first event receives from two: it stays where the later one has put it. */
static void test_sum_of_two_receives(void)
{
	struct measure_point early, late, receive;

	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	early = t_point_at(0, 1999000);
	late = t_point_at(2, 2000000);
	receive = t_point_at(4, 1999000);
	t_tie(MEASURE_RELATION_RMA_POST, &early, 1, &receive, 1);
	t_tie(MEASURE_RELATION_RMA_POST, &late, 1, &receive, 1);
	t_message(0, 2001000, 4, 1999500);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_SUM);
	CU_ASSERT_EQUAL(t_time_of(4, 1999000, 1), 2000050);
	CU_ASSERT_EQUAL(t_time_of(4, 1999500, 2), 2001050);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
}

static void test_nothing_to_do(void)
{
	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	t_message(0, 2000000, 4, 2000050);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_HULL);
	for (uint32_t i = 0; i < t_graph.nr_domains; i++)
		CU_ASSERT_EQUAL(t_corrections[i].pieces[0].offsets.nr, 0);
	t_end();
}

/* On the way to the jump there is a send whose message was received at the earliest. */
static void test_send_on_the_way(void)
{
	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	t_message(4, 1990000, 2, 1990050 + 100);
	t_message(0, 2000000, 4, 1995000);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(t_time_of(4, 1990000, 1), 1990000 + 100);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000, 2), 2000050);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
}

/* A send and a jump at one tick: two offsets. */
static void test_step(void)
{
	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	t_message(4, 1995000, 2, 1995050);
	t_message(0, 2000000, 4, 1995000);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(t_corrections[t_graph.domains[4]].nr, 2);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000, 1), 1995000);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000, 2), 2000050);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	t_message(4, 1995000, 2, 1995050);
	t_message(0, 2000000, 4, 1995000);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_NONE);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000, 1), 1995000);
	CU_ASSERT_EQUAL(t_time_of(4, 1995000, 2), 2000050);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
}

/* At one tick location 1 sends what must not be later, then jumps, then sends to location 0, which
 * comes first by its number. */
static void test_tie(void)
{
	for (int is_none = 0; is_none < 2; is_none++) {
		t_start(MEASURE_SYNC_DOMAIN_PROCESS);
		t_message(1, 1000000, 6, 1000050);
		t_message(4, 1005000, 1, 1000000);
		t_message(1, 1000000, 0, 1000000);
		t_replay(1);
		t_correct(is_none ? MEASURE_SYNC_BACKWARD_NONE : MEASURE_SYNC_BACKWARD_HULL);
		CU_ASSERT_EQUAL(t_time_of(1, 1000000, 1), 1000000);
		CU_ASSERT_EQUAL(t_time_of(1, 1000000, 2), 1005050);
		CU_ASSERT_EQUAL(t_time_of(0, 1000000, 0), 1000000);
		CU_ASSERT_EQUAL(t_time_of(0, 1000000, 1), 1005050);
		CU_ASSERT_EQUAL(t_nr_left(), 0);
		t_end();
	}
}

/* One event receives from two: the first send has room up to where the other has put the event,
 * whichever is known first. */
static void test_two_receives(void)
{
	for (int is_late_first = 0; is_late_first < 2; is_late_first++) {
		struct measure_point early, late, receive;
		const struct measure_sync_record *records;

		t_start(MEASURE_SYNC_DOMAIN_PROCESS);
		early = t_point_at(0, 1990000);
		late = t_point_at(2, 2000000);
		receive = t_point_at(4, 1990040);
		t_tie(MEASURE_RELATION_RMA_POST, is_late_first ? &late : &early, 1, &receive, 1);
		t_tie(MEASURE_RELATION_RMA_POST, is_late_first ? &early : &late, 1, &receive, 1);
		t_message(6, 2001000, 0, 1996000);
		t_replay(1);
		records = t_graph.of[t_graph.domains[4]].records;
		CU_ASSERT_EQUAL_FATAL(t_graph.of[t_graph.domains[4]].nr, 2);
		for (int i = 0; i < 2; i++) {
			CU_ASSERT_EQUAL(measure_sync_value(&t_graph, &records[i]), 2000050);
			CU_ASSERT_EQUAL(records[i].is_jump, i != is_late_first);
		}
		t_correct(MEASURE_SYNC_BACKWARD_HULL);
		CU_ASSERT_EQUAL(t_time_of(0, 1990000, 1), 1990000 + 5050 - 60);
		CU_ASSERT_EQUAL(t_time_of(4, 1990040, 1), 2000050);
		CU_ASSERT_EQUAL(t_nr_left(), 0);
		t_end();
	}
}

/* The same where one of them is of another thread at this tick: nothing of the event comes before
 * that send, which must not be later. */
static void test_two_receives_at_tie(void)
{
	struct measure_point sends[2], receive, other;

	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	sends[0] = t_point_at(4, 1005000);
	sends[1] = t_point_at(1, 1000000);
	receive = t_point_at(0, 1000000);
	other = t_point_at(6, 1000050);
	t_tie(MEASURE_RELATION_MESSAGE, &sends[1], 1, &other, 1);
	t_tie(MEASURE_RELATION_MESSAGE, &sends[0], 1, &receive, 1);
	t_tie(MEASURE_RELATION_MESSAGE, &sends[1], 1, &receive, 1);
	t_replay(1);
	t_correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(t_time_of(1, 1000000, 1), 1000000);
	CU_ASSERT_EQUAL(t_time_of(0, 1000000, 1), 1005050);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
}

/* Each receives before it sends what the other receives. */
static void test_contradiction(void)
{
	struct measure_sync_relaxed relaxed;
	struct measure_point receive[2], send[2];

	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	for (uint32_t i = 0; i < 2; i++) {
		receive[i] = t_point_at(4 * i, 1000 + i);
		send[i] = t_point_at(4 * i, 2000 + i);
	}
	t_tie(MEASURE_RELATION_MESSAGE, &send[0], 1, &receive[1], 1);
	t_tie(MEASURE_RELATION_RMA_FENCE, &send[1], 1, &receive[0], 1);
	relaxed = t_replay(3);
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_RMA_FENCE], 1); /* as it need not hold */
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_MESSAGE], 0);
	t_correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(t_time_of(4, 1001, 1), 2050);
	t_end();
}

/* A scan's first rank need not wait for the others, and may send them a message before they
 * come. */
static void test_scan(void)
{
	struct measure_sync_relaxed relaxed;
	struct measure_point sends[2], receives[2];

	t_start(MEASURE_SYNC_DOMAIN_PROCESS);
	sends[0] = t_point_at(0, 1000);
	receives[0] = t_point_at(0, 1100);
	t_message(0, 1200, 4, 1300);
	sends[1] = t_point_at(4, 1400);
	receives[1] = t_point_at(4, 1010);
	sends[1].rank = receives[1].rank = 1;
	receives[1].raw = 1500;
	t_tie(MEASURE_RELATION_SCAN, sends, 2, receives, 2);
	relaxed = t_replay(2);
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_SCAN], 0);
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_MESSAGE], 0);
	t_end();
}

/* ------------------------------------------------------------------ clocks come apart --- */

/* Locations 0 to 3 are processes 0 and 1 of node 0. */
static void test_reversed_inside(void)
{
	t_start(MEASURE_SYNC_DOMAIN_NODE);
	t_message(0, 2000, 2, 1500); /* between processes */
	t_message(1, 3000, 0, 2500); /* in one */
	t_message(1, 3000, 0, 3000);
	t_message(2, 4000, 3, 4010);
	t_message(4, 5000, 6, 5010);
	t_message(6, 9000, 0, 6000);
	t_replay(2);
	CU_ASSERT_EQUAL(t_graph.nr_domains, 4); /* 0; 1; 2 and 3; 4 to 7 */
	CU_ASSERT_EQUAL_FATAL(t_graph.nr_splits, 2);
	CU_ASSERT_TRUE(t_graph.splits[0].is_node);
	CU_ASSERT_EQUAL(t_graph.splits[0].nr_relations, 2);
	CU_ASSERT_FALSE(t_graph.splits[1].is_node);
	CU_ASSERT_EQUAL(t_graph.splits[1].nr_relations, 1);
	CU_ASSERT_EQUAL(t_graph.splits[1].a_location, 0);
	CU_ASSERT_NOT_EQUAL(t_graph.domains[0], t_graph.domains[1]);
	CU_ASSERT_EQUAL(t_graph.domains[2], t_graph.domains[3]);
	CU_ASSERT_EQUAL(t_graph.domains[4], t_graph.domains[7]);
	t_correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(t_nr_left(), 0);
	t_end();
}

/* Each location is in order; but the first threads of two processes wait for the second ones of
 * the other, which come later. */
static void test_circle(void)
{
	for (int is_apart = 0; is_apart < 2; is_apart++) {
		struct measure_sync_relaxed relaxed;

		t_start(is_apart ? MEASURE_SYNC_DOMAIN_LOCATION : MEASURE_SYNC_DOMAIN_PROCESS);
		t_message(1, 2000, 4, 1000);
		t_message(5, 2000, 0, 1000);
		t_message(2, 1000, 6, 1500);
		relaxed = t_replay(2);
		CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_MESSAGE], 0);
		CU_ASSERT_EQUAL(t_graph.nr_splits, is_apart ? 0 : 2);
		CU_ASSERT_EQUAL(t_graph.nr_domains, is_apart ? T_LOCATIONS : 6);
		for (size_t i = 0; i < t_graph.nr_splits; i++)
			CU_ASSERT(t_graph.splits[i].is_in_circle && !t_graph.splits[i].is_node);
		t_correct(MEASURE_SYNC_BACKWARD_HULL);
		CU_ASSERT_EQUAL(t_time_of(4, 1000, 1), 2050);
		CU_ASSERT_EQUAL(t_time_of(6, 1500, 1), 1500);
		CU_ASSERT_EQUAL(t_nr_left(), 0);
		t_end();
	}
}

/* A location whose clock offsets differ leaves its process alone. */
static void test_other_offsets(void)
{
	struct measure_clock_knot items[] = {{0, 100, 0}, {1, 100, 0}};

	t_presync[3] = (struct measure_clock_function){items, 2, 2};
	t_start(MEASURE_SYNC_DOMAIN_NODE);
	CU_ASSERT_EQUAL_FATAL(t_graph.nr_splits, 2);
	CU_ASSERT_TRUE(t_graph.splits[0].has_offsets && t_graph.splits[0].is_node);
	CU_ASSERT_TRUE(t_graph.splits[1].has_offsets && !t_graph.splits[1].is_node);
	CU_ASSERT_EQUAL(t_graph.nr_domains, 4);
	CU_ASSERT_EQUAL(t_graph.domains[0], t_graph.domains[1]);
	CU_ASSERT_EQUAL(t_graph.domains[4], t_graph.domains[7]);
	t_end();
	memset(t_presync, 0, sizeof(t_presync));
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"decay", test_decay},
		{"message", test_message},
		{"sum", test_sum},
		{"sum of two receives", test_sum_of_two_receives},
		{"nothing to do", test_nothing_to_do},
		{"send on the way", test_send_on_the_way},
		{"step", test_step},
		{"tie", test_tie},
		{"two receives", test_two_receives},
		{"two receives at a tie", test_two_receives_at_tie},
		{"contradiction", test_contradiction},
		{"scan", test_scan},
		{"reversed inside", test_reversed_inside},
		{"circle", test_circle},
		{"other offsets", test_other_offsets},
		CU_TEST_INFO_NULL,
	};

	return t_suite("replay", t_set_up, NULL, tests);
}
