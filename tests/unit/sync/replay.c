/* SPDX-License-Identifier: BSD-3-Clause
 * Description: the controlled logical clock on small and on random graphs
 *
 * Graphs without an archive: four processes of two threads on two hosts. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../t_suite.h"
#include "base/random.h"
#include "sync/bounds.h"
#include "sync/clocks.h"
#include "sync/correction.h"
#include "sync/counts.h"
#include "sync/replay.h"
#include "sync/split.h"
#include "trace/store.h"

#define NR_PROCESSES 4
#define NR_LOCATIONS 8
#define NR_STEPS     400

static struct measure_location_group groups[NR_PROCESSES];
static struct measure_location_definition locations[NR_LOCATIONS];
static struct measure_trace trace;
static struct measure_offsets presync[NR_LOCATIONS];
static struct measure_sync_graph graph;
static struct measure_sync_correction corrections[NR_LOCATIONS];
static const struct measure_sync_latencies latencies = {2, 10, 50};
static const struct measure_sync_rate rate = {1, 1000};
static uint64_t positions[NR_LOCATIONS], clocks[NR_LOCATIONS];

static int set_up(void)
{
	for (uint32_t i = 0; i < NR_PROCESSES; i++)
		groups[i] = (struct measure_location_group){.tree_node = i / 2, .host = i / 2};
	for (uint32_t i = 0; i < NR_LOCATIONS; i++)
		locations[i] = (struct measure_location_definition){.id = i, .group = i / 2};
	trace.definitions.location_groups = groups;
	trace.definitions.nr_location_groups = NR_PROCESSES;
	trace.definitions.locations = locations;
	trace.definitions.nr_locations = NR_LOCATIONS;
	return 0;
}

static void start(enum measure_sync_domain domain)
{
	measure_sync_graph_start(
		&graph, &trace, presync, domain, &latencies, &measure_sync_job_of_one);
	memset(positions, 0, sizeof(positions));
	for (int i = 0; i < NR_LOCATIONS; i++)
		clocks[i] = 1000000;
}

static void end(void)
{
	for (uint32_t i = 0; i < graph.nr_domains; i++)
		measure_sync_correction_free(&corrections[i]);
	memset(corrections, 0, sizeof(corrections));
	measure_sync_graph_free(&graph);
}

static struct measure_point point_at(uint32_t location, uint64_t raw)
{
	measure_sync_graph_event(&graph, location, raw);
	return (struct measure_point){
		.time = raw, .raw = raw, .position = ++positions[location], .location = location};
}

static void tie(enum measure_relation relation, const struct measure_point *sends, size_t nr_sends,
	const struct measure_point *receives, size_t nr_receives)
{
	const struct measure_instance instance = {.relation = relation,
		.nr_sends = nr_sends,
		.nr_receives = nr_receives,
		.sends = sends,
		.receives = receives};

	measure_sync_part_instance(&graph.whole, &instance);
}

static void message(uint32_t from, uint64_t sent, uint32_t to, uint64_t received)
{
	const struct measure_point send = point_at(from, sent), receive = point_at(to, received);

	tie(MEASURE_RELATION_MESSAGE, &send, 1, &receive, 1);
}

static struct measure_sync_relaxed replay(unsigned nr_threads)
{
	struct measure_sync_relaxed relaxed;

	CU_ASSERT_EQUAL(measure_sync_graph_finish(&graph, nr_threads), MEASURE_NONE);
	measure_sync_values_of_input(&graph, nr_threads);
	measure_sync_split_relations(&graph, nr_threads);
	while (!measure_sync_forward(&graph, &rate, nr_threads, &relaxed))
		measure_sync_split_circles(&graph, nr_threads);
	return relaxed;
}

static void correct(enum measure_sync_backward_rule rule)
{
	measure_sync_backward(&graph, 1);
	for (uint32_t i = 0; i < graph.nr_domains; i++)
		measure_sync_correction_make(&graph, i, &rate, rule, &corrections[i]);
}

/* Corrected time of an event that need not be one of the graph. */
static int64_t time_of(uint32_t location, uint64_t raw, uint64_t position)
{
	struct measure_sync_reading reading = {0, 0};

	return (int64_t)measure_sync_correct(
		&corrections[graph.domains[location]], &reading, raw, location, position);
}

static uint64_t nr_left(void)
{
	struct measure_sync_counts counts;
	struct measure_sync_displacement displacement;
	uint64_t nr = 0;

	measure_sync_values_of_result(&graph, corrections, 2, &displacement);
	measure_sync_count(&graph, 1, &counts);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		nr += counts.relations[i].nr_violated;
	return nr;
}

static void test_decay(void)
{
	const struct measure_sync_rate none = {0, 1};

	CU_ASSERT_EQUAL(measure_sync_decayed(0, 5, &rate), 0);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 0, &rate), 10);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 1, &rate), 9);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 1000, &rate), 9);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, 1001, &rate), 8);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, INT64_MAX, &rate), 0);
	CU_ASSERT_EQUAL(measure_sync_decayed(10, INT64_MAX, &none), 10);
	CU_ASSERT_EQUAL(measure_sync_life(10, &rate), 10000);
	CU_ASSERT_EQUAL(measure_sync_life(10, &none), INT64_MAX);
}

/* A message that arrives 5000 ticks too early: the receiver's clock gains on it at a hundredth,
 * and loses it at a thousandth. */
static void test_message(void)
{
	start(MEASURE_SYNC_DOMAIN_PROCESS);
	message(0, 2000000, 4, 1995000);
	replay(1);
	CU_ASSERT_EQUAL_FATAL(graph.of[graph.domains[4]].nr, 1);
	CU_ASSERT_EQUAL(measure_sync_value(&graph, graph.of[graph.domains[4]].records), 2000050);
	correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(time_of(4, 1995000, 1), 2000050);
	CU_ASSERT_EQUAL(time_of(4, 1995000 - 101000, 0), 1995000 - 101000 + 4040);
	CU_ASSERT_EQUAL(time_of(4, 1995000 - 505000, 0), 1995000 - 505000);
	CU_ASSERT_EQUAL(time_of(4, 1000000, 0), 1000000);
	CU_ASSERT_EQUAL(time_of(4, 1995000 + 1000000, 2), 1995000 + 1000000 + 4050);
	CU_ASSERT_EQUAL(time_of(4, 9000000, 2), 9000000);
	CU_ASSERT_EQUAL(time_of(0, 2000000, 1), 2000000);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
}

/* Lines of two jumps add up; the first event stays. */
static void test_sum(void)
{
	start(MEASURE_SYNC_DOMAIN_PROCESS);
	point_at(4, 1900000);
	message(0, 2000000, 4, 1999950);
	message(0, 2001000, 4, 2000250);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_SUM);
	CU_ASSERT_EQUAL(time_of(4, 1900000, 1), 1900000);
	/* 100 at the first one; 700 at the second one, a ramp of 70000 ticks */
	CU_ASSERT_EQUAL(time_of(4, 2000250, 3), 2001050);
	CU_ASSERT(labs(time_of(4, 1999950, 2) - (2000050 + 697)) <= 1);
	CU_ASSERT(labs(time_of(4, 1970000, 1) - (1970000 + 397)) <= 2);
	CU_ASSERT_EQUAL(time_of(4, 1920000, 1), 1920000);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
	start(MEASURE_SYNC_DOMAIN_PROCESS);
	point_at(4, 1980000);
	message(0, 2000000, 4, 1999000);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_SUM);
	CU_ASSERT_EQUAL(time_of(4, 1980000, 1), 1980000);
	CU_ASSERT_EQUAL(time_of(4, 1989500, 1), 1989500 + 525);
	CU_ASSERT_EQUAL(time_of(4, 1999000, 2), 2000050);
	end();
}

/* The first event receives from two: it stays where the later one has put it. */
static void test_sum_of_two_receives(void)
{
	struct measure_point early, late, receive;

	start(MEASURE_SYNC_DOMAIN_PROCESS);
	early = point_at(0, 1999000);
	late = point_at(2, 2000000);
	receive = point_at(4, 1999000);
	tie(MEASURE_RELATION_RMA_POST, &early, 1, &receive, 1);
	tie(MEASURE_RELATION_RMA_POST, &late, 1, &receive, 1);
	message(0, 2001000, 4, 1999500);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_SUM);
	CU_ASSERT_EQUAL(time_of(4, 1999000, 1), 2000050);
	CU_ASSERT_EQUAL(time_of(4, 1999500, 2), 2001050);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
}

static void test_nothing_to_do(void)
{
	start(MEASURE_SYNC_DOMAIN_PROCESS);
	message(0, 2000000, 4, 2000050);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_HULL);
	for (uint32_t i = 0; i < graph.nr_domains; i++)
		CU_ASSERT_EQUAL(corrections[i].pieces[0].offsets.nr, 0);
	end();
}

/* On the way to the jump there is a send whose message was received at the earliest. */
static void test_send_on_the_way(void)
{
	start(MEASURE_SYNC_DOMAIN_PROCESS);
	message(4, 1990000, 2, 1990050 + 100);
	message(0, 2000000, 4, 1995000);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(time_of(4, 1990000, 1), 1990000 + 100);
	CU_ASSERT_EQUAL(time_of(4, 1995000, 2), 2000050);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
}

/* A send and a jump at one tick: two offsets. */
static void test_step(void)
{
	start(MEASURE_SYNC_DOMAIN_PROCESS);
	message(4, 1995000, 2, 1995050);
	message(0, 2000000, 4, 1995000);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(corrections[graph.domains[4]].nr, 2);
	CU_ASSERT_EQUAL(time_of(4, 1995000, 1), 1995000);
	CU_ASSERT_EQUAL(time_of(4, 1995000, 2), 2000050);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
	start(MEASURE_SYNC_DOMAIN_PROCESS);
	message(4, 1995000, 2, 1995050);
	message(0, 2000000, 4, 1995000);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_NONE);
	CU_ASSERT_EQUAL(time_of(4, 1995000, 1), 1995000);
	CU_ASSERT_EQUAL(time_of(4, 1995000, 2), 2000050);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
}

/* At one tick location 1 sends what must not be later, then jumps, then sends to location 0, which
 * comes first by its number. */
static void test_tie(void)
{
	for (int is_none = 0; is_none < 2; is_none++) {
		start(MEASURE_SYNC_DOMAIN_PROCESS);
		message(1, 1000000, 6, 1000050);
		message(4, 1005000, 1, 1000000);
		message(1, 1000000, 0, 1000000);
		replay(1);
		correct(is_none ? MEASURE_SYNC_BACKWARD_NONE : MEASURE_SYNC_BACKWARD_HULL);
		CU_ASSERT_EQUAL(time_of(1, 1000000, 1), 1000000);
		CU_ASSERT_EQUAL(time_of(1, 1000000, 2), 1005050);
		CU_ASSERT_EQUAL(time_of(0, 1000000, 0), 1000000);
		CU_ASSERT_EQUAL(time_of(0, 1000000, 1), 1005050);
		CU_ASSERT_EQUAL(nr_left(), 0);
		end();
	}
}

/* One event receives from two: the first send has room up to where the other has put the event,
 * whichever is known first. */
static void test_two_receives(void)
{
	for (int is_late_first = 0; is_late_first < 2; is_late_first++) {
		struct measure_point early, late, receive;
		const struct measure_sync_record *records;

		start(MEASURE_SYNC_DOMAIN_PROCESS);
		early = point_at(0, 1990000);
		late = point_at(2, 2000000);
		receive = point_at(4, 1990040);
		tie(MEASURE_RELATION_RMA_POST, is_late_first ? &late : &early, 1, &receive, 1);
		tie(MEASURE_RELATION_RMA_POST, is_late_first ? &early : &late, 1, &receive, 1);
		message(6, 2001000, 0, 1996000);
		replay(1);
		records = graph.of[graph.domains[4]].records;
		CU_ASSERT_EQUAL_FATAL(graph.of[graph.domains[4]].nr, 2);
		for (int i = 0; i < 2; i++) {
			CU_ASSERT_EQUAL(measure_sync_value(&graph, &records[i]), 2000050);
			CU_ASSERT_EQUAL(records[i].is_jump, i != is_late_first);
		}
		correct(MEASURE_SYNC_BACKWARD_HULL);
		CU_ASSERT_EQUAL(time_of(0, 1990000, 1), 1990000 + 5050 - 60);
		CU_ASSERT_EQUAL(time_of(4, 1990040, 1), 2000050);
		CU_ASSERT_EQUAL(nr_left(), 0);
		end();
	}
}

/* The same where one of them is of another thread at this tick: nothing of the event comes before
 * that send, which must not be later. */
static void test_two_receives_at_tie(void)
{
	struct measure_point sends[2], receive, other;

	start(MEASURE_SYNC_DOMAIN_PROCESS);
	sends[0] = point_at(4, 1005000);
	sends[1] = point_at(1, 1000000);
	receive = point_at(0, 1000000);
	other = point_at(6, 1000050);
	tie(MEASURE_RELATION_MESSAGE, &sends[1], 1, &other, 1);
	tie(MEASURE_RELATION_MESSAGE, &sends[0], 1, &receive, 1);
	tie(MEASURE_RELATION_MESSAGE, &sends[1], 1, &receive, 1);
	replay(1);
	correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(time_of(1, 1000000, 1), 1000000);
	CU_ASSERT_EQUAL(time_of(0, 1000000, 1), 1005050);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
}

/* Each receives before it sends what the other receives. */
static void test_contradiction(void)
{
	struct measure_sync_relaxed relaxed;
	struct measure_point receive[2], send[2];

	start(MEASURE_SYNC_DOMAIN_PROCESS);
	for (uint32_t i = 0; i < 2; i++) {
		receive[i] = point_at(4 * i, 1000 + i);
		send[i] = point_at(4 * i, 2000 + i);
	}
	tie(MEASURE_RELATION_MESSAGE, &send[0], 1, &receive[1], 1);
	tie(MEASURE_RELATION_RMA_FENCE, &send[1], 1, &receive[0], 1);
	relaxed = replay(3);
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_RMA_FENCE], 1); /* as it need not hold */
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_MESSAGE], 0);
	correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(time_of(4, 1001, 1), 2050);
	end();
}

/* A scan's first rank need not wait for the others, and may send them a message before they come. */
static void test_scan(void)
{
	struct measure_sync_relaxed relaxed;
	struct measure_point sends[2], receives[2];

	start(MEASURE_SYNC_DOMAIN_PROCESS);
	sends[0] = point_at(0, 1000);
	receives[0] = point_at(0, 1100);
	message(0, 1200, 4, 1300);
	sends[1] = point_at(4, 1400);
	receives[1] = point_at(4, 1010);
	sends[1].rank = receives[1].rank = 1;
	receives[1].raw = 1500;
	tie(MEASURE_RELATION_SCAN, sends, 2, receives, 2);
	relaxed = replay(2);
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_SCAN], 0);
	CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_MESSAGE], 0);
	end();
}

/* ------------------------------------------------------------------ clocks come apart --- */

/* Locations 0 to 3 are processes 0 and 1 of node 0. */
static void test_reversed_inside(void)
{
	start(MEASURE_SYNC_DOMAIN_NODE);
	message(0, 2000, 2, 1500); /* between processes */
	message(1, 3000, 0, 2500); /* in one */
	message(1, 3000, 0, 3000);
	message(2, 4000, 3, 4010);
	message(4, 5000, 6, 5010);
	message(6, 9000, 0, 6000);
	replay(2);
	CU_ASSERT_EQUAL(graph.nr_domains, 4); /* 0; 1; 2 and 3; 4 to 7 */
	CU_ASSERT_EQUAL_FATAL(graph.nr_splits, 2);
	CU_ASSERT_TRUE(graph.splits[0].is_node);
	CU_ASSERT_EQUAL(graph.splits[0].nr_relations, 2);
	CU_ASSERT_FALSE(graph.splits[1].is_node);
	CU_ASSERT_EQUAL(graph.splits[1].nr_relations, 1);
	CU_ASSERT_EQUAL(graph.splits[1].a_location, 0);
	CU_ASSERT_NOT_EQUAL(graph.domains[0], graph.domains[1]);
	CU_ASSERT_EQUAL(graph.domains[2], graph.domains[3]);
	CU_ASSERT_EQUAL(graph.domains[4], graph.domains[7]);
	correct(MEASURE_SYNC_BACKWARD_HULL);
	CU_ASSERT_EQUAL(nr_left(), 0);
	end();
}

/* Each location is in order; but the first threads of two processes wait for the second ones of
 * the other, which come later. */
static void test_circle(void)
{
	for (int is_apart = 0; is_apart < 2; is_apart++) {
		struct measure_sync_relaxed relaxed;

		start(is_apart ? MEASURE_SYNC_DOMAIN_LOCATION : MEASURE_SYNC_DOMAIN_PROCESS);
		message(1, 2000, 4, 1000);
		message(5, 2000, 0, 1000);
		message(2, 1000, 6, 1500);
		relaxed = replay(2);
		CU_ASSERT_EQUAL(relaxed.nr[MEASURE_RELATION_MESSAGE], 0);
		CU_ASSERT_EQUAL(graph.nr_splits, is_apart ? 0 : 2);
		CU_ASSERT_EQUAL(graph.nr_domains, is_apart ? NR_LOCATIONS : 6);
		for (size_t i = 0; i < graph.nr_splits; i++)
			CU_ASSERT(graph.splits[i].is_in_circle && !graph.splits[i].is_node);
		correct(MEASURE_SYNC_BACKWARD_HULL);
		CU_ASSERT_EQUAL(time_of(4, 1000, 1), 2050);
		CU_ASSERT_EQUAL(time_of(6, 1500, 1), 1500);
		CU_ASSERT_EQUAL(nr_left(), 0);
		end();
	}
}

/* A location whose clock offsets differ leaves its process alone. */
static void test_other_offsets(void)
{
	struct measure_offset items[] = {{0, 100}, {1, 100}};

	presync[3] = (struct measure_offsets){items, 2, 2};
	start(MEASURE_SYNC_DOMAIN_NODE);
	CU_ASSERT_EQUAL_FATAL(graph.nr_splits, 2);
	CU_ASSERT_TRUE(graph.splits[0].has_offsets && graph.splits[0].is_node);
	CU_ASSERT_TRUE(graph.splits[1].has_offsets && !graph.splits[1].is_node);
	CU_ASSERT_EQUAL(graph.nr_domains, 4);
	CU_ASSERT_EQUAL(graph.domains[0], graph.domains[1]);
	CU_ASSERT_EQUAL(graph.domains[4], graph.domains[7]);
	end();
	memset(presync, 0, sizeof(presync));
}

/* ------------------------------------------------------------------------- random --- */

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	return (uint32_t)(measure_random(&state) % below);
}

static int64_t skew_of(uint32_t location, bool by_process)
{
	return 3000 * (int64_t)(by_process ? location / 2 : location);
}

/* True times increase; clocks of one tick or of several, wrong by domain. */
static struct measure_point next_point(uint32_t location, uint64_t not_before, bool by_process)
{
	const uint32_t tick = 1 + 15 * (state >> 32 & 1);
	struct measure_point point;
	uint64_t raw;

	if (clocks[location] < not_before)
		clocks[location] = not_before;
	clocks[location] += draw(40);
	raw = clocks[location] + skew_of(location, by_process);
	point = point_at(location, raw - raw % 16 * (tick > 1));
	point.rank = location;
	return point;
}

/* Tick lengths change from event to event: raw times of a location must not decrease. */
static void keep_order(struct measure_point *point, uint64_t *last)
{
	if (point->raw < last[point->location])
		point->raw = last[point->location];
	last[point->location] = point->raw;
}

static void make_random(uint64_t seed, bool by_process)
{
	uint64_t last[NR_LOCATIONS] = {0};

	state = seed;
	for (int step = 0; step < NR_STEPS; step++) {
		struct measure_point sends[NR_LOCATIONS], receives[NR_LOCATIONS];
		bool is_for_all = draw(10) == 0;
		uint32_t first = draw(NR_LOCATIONS), nr = is_for_all ? NR_LOCATIONS : 2;
		uint64_t latest = 0;

		for (uint32_t i = 0; i < nr; i++) {
			sends[i] = next_point((first + i) % NR_LOCATIONS, 0, by_process);
			keep_order(&sends[i], last);
			if (clocks[sends[i].location] > latest)
				latest = clocks[sends[i].location];
			if (!is_for_all)
				break;
		}
		for (uint32_t i = is_for_all ? 0 : 1; i < nr; i++) {
			receives[i] = next_point((first + (is_for_all ? i : 1 + draw(NR_LOCATIONS - 1))) %
							NR_LOCATIONS,
				latest + 60, by_process);
			keep_order(&receives[i], last);
		}
		if (is_for_all)
			tie(step % 2 ? MEASURE_RELATION_BARRIER : MEASURE_RELATION_SCAN, sends, nr,
				receives, nr);
		else
			tie(MEASURE_RELATION_MESSAGE, sends, 1, &receives[1], 1);
	}
}

/* What a receive waits for. */
static const uint32_t *sends_of(const struct measure_sync_record *receive, uint32_t *nr)
{
	const struct measure_sync_instance *instance;

	*nr = 1;
	if (receive->is_pair)
		return &receive->link;
	instance = &graph.instances[receive->link];
	for (uint32_t r = 0; r < instance->nr_receives; r++)
		if (measure_sync_receives(&graph, instance)[r] ==
			measure_sync_index(&graph, receive))
			*nr = measure_sync_nr_awaited(&graph, instance, r);
	return measure_sync_sends(&graph, instance);
}

/* What its sends ask of a receive; `time`: not more. */
static int64_t bound_of(
	const struct measure_sync_record *receive, const int64_t *times, int64_t time)
{
	uint32_t nr;
	const uint32_t *sends = sends_of(receive, &nr);

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t from = graph.records[sends[i]].location;
		int64_t bound = times[sends[i]] +
				measure_sync_latency(&graph, &latencies, from, receive->location);

		if (graph.domains[from] != graph.domains[receive->location] && bound > time)
			time = bound;
	}
	return time;
}

/* Puts c after b and b after a, until nothing moves: slow, and right. */
static void check_forward(void)
{
	int64_t *times = measure_zeroed(graph.nr_records, sizeof(*times));
	bool is_moving = true;

	while (is_moving) {
		int64_t since = 0, shift = 0;

		is_moving = false;
		for (size_t i = 0; i < graph.nr_records; i++) {
			const struct measure_sync_record *record = &graph.records[i];
			int64_t time, bound;

			if (record == graph.of[graph.domains[record->location]].records)
				since = shift = 0;
			time = record->time +
			       measure_sync_decayed(shift, record->time - since, &rate);
			bound = record->is_send ? time : bound_of(record, times, time);
			if (bound > time) {
				time = bound;
				since = record->time;
				shift = time - record->time;
			}
			is_moving |= times[i] != time;
			times[i] = time;
		}
	}
	CU_ASSERT_EQUAL(memcmp(times, graph.values, graph.nr_records * sizeof(*times)), 0);
	measure_free(times);
}

static void check_result(enum measure_sync_backward_rule rule)
{
	correct(rule);
	for (uint32_t d = 0; d < graph.nr_domains; d++) {
		struct measure_sync_reading reading = {0, 0};
		int64_t last = 0;

		for (size_t i = 0; i < graph.of[d].nr; i++) {
			const struct measure_sync_record *record = &graph.of[d].records[i];
			int64_t time = (int64_t)measure_sync_correct(&corrections[d], &reading,
				record->raw, record->location, record->position);

			CU_ASSERT(time >= record->time);
			CU_ASSERT(time >= last);
			last = time;
		}
	}
	CU_ASSERT_EQUAL(nr_left(), 0);
}

static void test_random(void)
{
	static const enum measure_sync_domain domains[] = {
		MEASURE_SYNC_DOMAIN_LOCATION, MEASURE_SYNC_DOMAIN_PROCESS};

	static const enum measure_sync_backward_rule rules[] = {MEASURE_SYNC_BACKWARD_HULL,
		MEASURE_SYNC_BACKWARD_SUM, MEASURE_SYNC_BACKWARD_NONE};

	for (uint64_t seed = 1; seed <= 60; seed++) {
		enum measure_sync_domain domain = domains[seed % 2];
		bool by_process = domain == MEASURE_SYNC_DOMAIN_PROCESS;
		struct measure_sync_relaxed relaxed;

		start(domain);
		make_random(seed, by_process);
		relaxed = replay(1 + seed % 4);
		for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
			CU_ASSERT_EQUAL(relaxed.nr[i], 0);
		check_forward();
		check_result(rules[seed / 2 % 3]);
		end();
	}
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
		{"random", test_random},
		CU_TEST_INFO_NULL,
	};

	return t_suite("replay", set_up, NULL, tests);
}
