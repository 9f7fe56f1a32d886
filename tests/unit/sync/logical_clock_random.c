/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the controlled logical clock on random graphs: forward as a slow and simple
 * search finds it, and afterwards nothing violated. */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "base/hash.h"
#include "sync/graph/bounds.h"
#include "t_graph.h"
#include "trace/common/containers.h"

#define NR_STEPS 400

static uint64_t clocks[T_LOCATIONS];
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
	point = t_point_at(location, raw - raw % 16 * (tick > 1));
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
	uint64_t last[T_LOCATIONS] = {0};

	state = seed;
	for (int i = 0; i < T_LOCATIONS; i++)
		clocks[i] = 1000000;
	for (int step = 0; step < NR_STEPS; step++) {
		struct measure_point sends[T_LOCATIONS], receives[T_LOCATIONS];
		bool is_for_all = draw(10) == 0;
		uint32_t first = draw(T_LOCATIONS), nr = is_for_all ? T_LOCATIONS : 2;
		uint64_t latest = 0;

		for (uint32_t i = 0; i < nr; i++) {
			sends[i] = next_point((first + i) % T_LOCATIONS, 0, by_process);
			keep_order(&sends[i], last);
			if (clocks[sends[i].location] > latest)
				latest = clocks[sends[i].location];
			if (!is_for_all)
				break;
		}
		for (uint32_t i = is_for_all ? 0 : 1; i < nr; i++) {
			receives[i] =
				next_point((first + (is_for_all ? i : 1 + draw(T_LOCATIONS - 1))) %
						   T_LOCATIONS,
					latest + 60, by_process);
			keep_order(&receives[i], last);
		}
		if (is_for_all)
			t_tie(step % 2 ? MEASURE_RELATION_BARRIER : MEASURE_RELATION_SCAN, sends,
				nr, receives, nr);
		else
			t_tie(MEASURE_RELATION_MESSAGE, sends, 1, &receives[1], 1);
	}
}

/* What a receive waits for. */
static const uint32_t *sends_of(const struct measure_sync_record *receive, uint32_t *nr)
{
	const struct measure_sync_instance *instance;

	*nr = 1;
	if (receive->is_pair)
		return &receive->link;
	instance = &t_graph.instances[receive->link];
	for (uint32_t r = 0; r < instance->nr_receives; r++)
		if (measure_sync_receives(&t_graph, instance)[r] ==
			measure_sync_index(&t_graph, receive))
			*nr = measure_sync_nr_awaited(&t_graph, instance, r);
	return measure_sync_sends(&t_graph, instance);
}

/* What its sends ask of a receive; `time`: not more. */
static int64_t bound_of(
	const struct measure_sync_record *receive, const int64_t *times, int64_t time)
{
	uint32_t nr;
	const uint32_t *sends = sends_of(receive, &nr);

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t from = t_graph.records[sends[i]].location;
		int64_t bound = times[sends[i]] + measure_sync_latency(&t_graph, &t_latencies, from,
							  receive->location);

		if (t_graph.domains[from] != t_graph.domains[receive->location] && bound > time)
			time = bound;
	}
	return time;
}

/* Puts c after b and b after a, until nothing moves: slow, and right. */
static void check_forward(void)
{
	int64_t *times = measure_zeroed(t_graph.nr_records, sizeof(*times));
	bool is_moving = true;

	while (is_moving) {
		int64_t since = 0, shift = 0;

		is_moving = false;
		for (size_t i = 0; i < t_graph.nr_records; i++) {
			const struct measure_sync_record *record = &t_graph.records[i];
			int64_t time, bound;

			if (record == t_graph.of[t_graph.domains[record->location]].records)
				since = shift = 0;
			time = record->time +
			       measure_sync_decayed(shift, record->time - since, &t_rate);
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
	CU_ASSERT_EQUAL(memcmp(times, t_graph.values, t_graph.nr_records * sizeof(*times)), 0);
	measure_free(times);
}

static void check_result(enum measure_sync_backward_rule rule)
{
	t_correct(rule);
	for (uint32_t d = 0; d < t_graph.nr_domains; d++) {
		struct measure_sync_reading reading = {.piece = 0};
		int64_t last = 0;

		for (size_t i = 0; i < t_graph.of[d].nr; i++) {
			const struct measure_sync_record *record = &t_graph.of[d].records[i];
			int64_t time = (int64_t)measure_sync_correct(&t_corrections[d], &reading,
				record->raw, record->location, record->position);

			CU_ASSERT(time >= record->time);
			CU_ASSERT(time >= last);
			last = time;
		}
	}
	CU_ASSERT_EQUAL(t_nr_left(), 0);
}

static void test_random(void)
{
	static const enum measure_sync_domain domains[] = {
		MEASURE_SYNC_DOMAIN_LOCATION, MEASURE_SYNC_DOMAIN_PROCESS};
	static const enum measure_sync_backward_rule rules[] = {
		MEASURE_SYNC_BACKWARD_HULL, MEASURE_SYNC_BACKWARD_SUM, MEASURE_SYNC_BACKWARD_NONE};

	for (uint64_t seed = 1; seed <= 60; seed++) {
		enum measure_sync_domain domain = domains[seed % 2];
		bool by_process = domain == MEASURE_SYNC_DOMAIN_PROCESS;
		struct measure_sync_relaxed relaxed;

		t_start(domain);
		make_random(seed, by_process);
		relaxed = t_replay(1 + seed % 4);
		for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
			CU_ASSERT_EQUAL(relaxed.nr[i], 0);
		check_forward();
		check_result(rules[seed / 2 % 3]);
		t_end();
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"random", test_random},
		CU_TEST_INFO_NULL,
	};

	return t_suite("replay_random", t_set_up, NULL, tests);
}
