/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: offsets between clocks that are found from messages alone are right to within the
 * bounds that come with them, whatever the messages are like. Seeded; seed and number of rounds may
 * be given. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "sync/initial/estimate.h"
#include "../t_suite.h"

#define MAX_CLOCKS   8
#define MAX_MESSAGES 400
#define LENGTH       UINT64_C(10000000000) /* of a run, ticks */
#define LEAST        2000                  /* ticks that a message takes */

static uint64_t seed = 1;
static long nr_rounds = 300;

static uint64_t t_random(uint64_t limit)
{
	return measure_random(&seed) % limit;
}

/* Shows origin + true time * (1 + drift). */
struct t_clock {
	uint64_t origin;
	double drift;
};

static struct t_clock clocks[MAX_CLOCKS];
static struct measure_estimate_message messages[MAX_MESSAGES];
static struct measure_estimate estimates[MAX_CLOCKS];
static size_t nr_messages;

static uint64_t t_shown(uint32_t clock, uint64_t time)
{
	return clocks[clock].origin + time +
	       (uint64_t)(int64_t)rint(clocks[clock].drift * (double)time);
}

static void t_clocks(uint32_t nr, double drift)
{
	for (uint32_t i = 0; i < nr; i++) {
		clocks[i].origin = UINT64_C(1000000000000) + t_random(UINT64_C(1) << 62);
		clocks[i].drift = drift * ((double)t_random(2001) - 1000) / 1000;
		estimates[i] = (struct measure_estimate){
			.first = t_shown(i, 0), .last = t_shown(i, LENGTH)};
	}
	nr_messages = 0;
}

/* Takes LEAST and up to `more`. */
static void t_send(uint32_t from, uint32_t to, uint64_t time, uint64_t more)
{
	const uint64_t received = time + LEAST + 2 + t_random(more + 1);

	messages[nr_messages++] = (struct measure_estimate_message){
		from, to, t_shown(from, time), t_shown(to, received), LEAST};
}

static void t_make(uint32_t nr)
{
	CU_ASSERT_EQUAL_FATAL(
		measure_estimate_make(messages, nr_messages, false, estimates, nr), MEASURE_OK);
}

static void t_free(uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		free(estimates[i].function.items);
}

/* How wrong a clock's time is, against its reference. */
static double t_error(uint32_t clock, uint64_t time)
{
	const uint64_t found =
		measure_clock_function_apply(&estimates[clock].function, t_shown(clock, time));

	return (double)(int64_t)(found - t_shown(estimates[clock].reference, time));
}

static double t_worst(uint32_t clock)
{
	double worst = 0;

	for (int i = 0; i <= 20; i++)
		worst = fmax(worst, fabs(t_error(clock, LENGTH / 20 * (uint64_t)i)));
	return worst;
}

/* Right to within the bound, but for rounding: of the lines on the way, and of the clocks. */
static void t_check_bounds(uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		CU_ASSERT_EQUAL(estimates[i].function.nr, 2);
		CU_ASSERT(t_worst(i) <= estimates[i].bound + 4 * nr);
	}
}

/* Both ways, all the time: as good as half of what the quickest messages take. */
static void test_both_ways(void)
{
	for (long round = 0; round < nr_rounds; round++) {
		t_clocks(2, 100e-6);
		for (int i = 0; i < 100; i++) {
			t_send(0, 1, t_random(LENGTH - 100000), 5000);
			t_send(1, 0, t_random(LENGTH - 100000), 5000);
		}
		t_make(2);
		t_check_bounds(2);
		CU_ASSERT_EQUAL(estimates[1].reference, 0);
		CU_ASSERT_EQUAL(t_worst(0), 0);
		CU_ASSERT_EQUAL(estimates[0].bound, 0);
		CU_ASSERT(t_worst(1) < 6000);
		t_free(2);
	}
}

/* Any number of messages, anywhere, with any delays. */
static void test_any(void)
{
	for (long round = 0; round < nr_rounds; round++) {
		const uint32_t nr = 1 + (uint32_t)t_random(MAX_CLOCKS);
		const size_t nr_sent = t_random(MAX_MESSAGES);

		t_clocks(nr, 200e-6);
		for (size_t i = 0; i < nr_sent; i++)
			t_send((uint32_t)t_random(nr), (uint32_t)t_random(nr),
				t_random(LENGTH - 100000000), UINT64_C(1) << t_random(26));
		t_make(nr);
		t_check_bounds(nr);
		t_free(nr);
	}
}

/* A chain: lines are joined, forwards and backwards, and the bounds add up. */
static void test_chain(void)
{
	static const uint32_t order[] = {3, 1, 4, 0, 2};

	for (long round = 0; round < nr_rounds; round++) {
		t_clocks(5, 50e-6);
		for (int i = 0; i < 160; i++) {
			const uint32_t link = (uint32_t)t_random(4);
			const bool is_back = t_random(2);

			t_send(order[link + is_back], order[link + !is_back],
				t_random(LENGTH - 100000), 3000);
		}
		t_make(5);
		t_check_bounds(5);
		for (uint32_t i = 0; i < 5; i++)
			CU_ASSERT_EQUAL(estimates[i].reference, 0);
		CU_ASSERT(estimates[3].bound >= estimates[1].bound);
		CU_ASSERT(estimates[1].bound >= estimates[4].bound);
		t_free(5);
	}
}

/* Of two ways the one that is known better. */
static void test_tree(void)
{
	t_clocks(3, 0);
	for (int i = 0; i < 50; i++) {
		const uint64_t time = LENGTH / 50 * (uint64_t)i;

		t_send(0, 1, time, 10);
		t_send(1, 0, time, 10);
		t_send(1, 2, time, 10);
		t_send(2, 1, time, 10);
		t_send(0, 2, time, 0);
		messages[nr_messages - 1].received += 1000000;
		t_send(2, 0, time, 0);
	}
	t_make(3);
	t_check_bounds(3);
	CU_ASSERT(estimates[2].bound < 100);
	t_free(3);
}

/* One way only: no message arrives too early, and as late as possible otherwise. */
static void test_one_way(void)
{
	for (int direction = 0; direction < 2; direction++) {
		t_clocks(2, 0);
		for (int i = 0; i < 20; i++)
			t_send(direction ? 1 : 0, direction ? 0 : 1, t_random(LENGTH / 2), 1000);
		t_make(2);
		CU_ASSERT_EQUAL(estimates[1].bound, HUGE_VAL);
		CU_ASSERT(t_worst(1) <= 1010);
		t_free(2);
	}
}

/* Clocks that show the same time, as far as their messages tell: nothing is changed, unless one
 * more is far behind. */
static void test_alike(void)
{
	t_clocks(3, 0);
	nr_messages = 0;
	for (uint64_t i = 0; i < 20; i++) {
		messages[nr_messages++] =
			(struct measure_estimate_message){0, 1, 100000 * i, 100000 * i + 900, 0};
		messages[nr_messages++] = (struct measure_estimate_message){
			1, 0, 100000 * i + 50000, 100000 * i + 50000 + 100, 0};
		messages[nr_messages++] =
			(struct measure_estimate_message){2, 0, 100000 * i, 100000 * i + 6000, 0};
		messages[nr_messages++] = (struct measure_estimate_message){
			0, 2, 100000 * i + 50000, 100000 * i + 46000, 0};
	}
	for (uint32_t i = 0; i < 3; i++) {
		estimates[i].first = 0;
		estimates[i].last = 2000000;
	}
	CU_ASSERT_EQUAL(
		measure_estimate_make(messages, nr_messages, true, estimates, 2), MEASURE_OK);
	CU_ASSERT_EQUAL(estimates[1].function.items[0].offset, 0);
	CU_ASSERT_EQUAL(estimates[1].function.items[1].offset, 0);
	CU_ASSERT_EQUAL(estimates[1].reference, 1);
	t_free(2);
	CU_ASSERT_EQUAL(
		measure_estimate_make(messages, nr_messages, true, estimates, 3), MEASURE_OK);
	CU_ASSERT_EQUAL(estimates[1].function.items[0].offset, -400);
	CU_ASSERT_EQUAL(estimates[2].reference, 0);
	CU_ASSERT_EQUAL(estimates[2].function.items[0].offset, 5000);
	CU_ASSERT(estimates[2].bound >= 1000 && estimates[2].bound < 1100);
	t_free(3);
}

/* First one way, then the other: the slope is open, and the flattest line is taken. */
static void test_apart(void)
{
	t_clocks(2, 0);
	for (int i = 0; i < 20; i++) {
		t_send(0, 1, t_random(LENGTH / 4), 1000);
		t_send(1, 0, LENGTH / 2 + t_random(LENGTH / 4), 1000);
	}
	t_make(2);
	t_check_bounds(2);
	CU_ASSERT(t_worst(1) <= 1010);
	t_free(2);
}

/* Clocks that nothing leads to stay as they are. */
static void test_no_way(void)
{
	t_clocks(4, 100e-6);
	for (int i = 0; i < 20; i++) {
		t_send(2, 3, t_random(LENGTH / 2), 1000);
		t_send(3, 2, t_random(LENGTH / 2), 1000);
		t_send(1, 1, t_random(LENGTH / 2), 1000);
	}
	messages[0].receiver = 77; /* no such clock */
	t_make(4);
	t_check_bounds(4);
	CU_ASSERT_EQUAL(estimates[1].reference, 1);
	CU_ASSERT_EQUAL(estimates[3].reference, 2);
	CU_ASSERT_EQUAL(estimates[1].function.items[0].offset, 0);
	t_free(4);
}

/* A clock that was set while it ran: no line fits, and that is what is said. */
static void test_contradiction(void)
{
	t_clocks(2, 0);
	for (int i = 0; i < 100; i++) {
		t_send(0, 1, LENGTH / 100 * (uint64_t)i, 100);
		t_send(1, 0, LENGTH / 100 * (uint64_t)i, 100);
		if (i >= 50) {
			messages[nr_messages - 2].received += 50000000;
			messages[nr_messages - 1].sent += 50000000;
		}
	}
	t_make(2);
	CU_ASSERT_EQUAL(estimates[1].bound, HUGE_VAL);
	CU_ASSERT(t_error(1, 0) < 50000000);
	CU_ASSERT(t_error(1, LENGTH) > -50000000);
	t_free(2);
}

static void test_nothing(void)
{
	t_make(0);
	t_clocks(3, 100e-6);
	t_make(3);
	t_check_bounds(3);
	t_free(3);
	t_clocks(1, 0);
	estimates[0].first = estimates[0].last = UINT64_MAX;
	t_make(1);
	CU_ASSERT(estimates[0].function.items[1].time > estimates[0].function.items[0].time);
	t_free(1);
}

/* There and back; and one after the other is both. */
static void test_lines(void)
{
	for (long round = 0; round < nr_rounds; round++) {
		const struct measure_clock_line line = {1000000 + t_random(LENGTH),
			(int64_t)t_random(LENGTH), ((double)t_random(2001) - 1000) * 1e-7};
		const struct measure_clock_line back = measure_clock_line_invert(&line);
		const struct measure_clock_line both = measure_clock_line_join(&line, &back);
		const uint64_t time = t_random(2 * LENGTH);
		const uint64_t there = time + (uint64_t)measure_clock_line_at(&line, time);
		const uint64_t again = there + (uint64_t)measure_clock_line_at(&back, there);

		CU_ASSERT(llabs((int64_t)(again - time)) <= 1);
		CU_ASSERT(llabs(measure_clock_line_at(&both, time)) <= 1);
	}
}

int main(int argc, char **argv)
{
	static CU_TestInfo tests[] = {
		{"lines", test_lines},
		{"both ways", test_both_ways},
		{"any messages", test_any},
		{"chain", test_chain},
		{"tree", test_tree},
		{"one way", test_one_way},
		{"one way after the other", test_apart},
		{"alike", test_alike},
		{"no way", test_no_way},
		{"contradiction", test_contradiction},
		{"nothing", test_nothing},
		CU_TEST_INFO_NULL,
	};

	if (argc > 1)
		nr_rounds = strtol(argv[1], NULL, 10);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 10);
	return t_suite("estimate", NULL, NULL, tests);
}
