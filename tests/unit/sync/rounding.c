/* SPDX-License-Identifier: BSD-3-Clause
 * Description: where nothing is shifted, offsets give the presynchronised times to the tick */
#include "config.h"

#include <stdlib.h>

#include "../t_suite.h"
#include "base/hash.h"
#include "sync/clc/rounding.h"
#include "trace/common/containers.h"

#define NR_BREAKS 5
#define NR_CASES  2000
#define NR_TICKS  200

static uint64_t state = 1;

static uint64_t draw(uint64_t below)
{
	return measure_random(&state) % below;
}

static uint64_t time_of(const struct measure_clock_function *offsets, uint64_t raw)
{
	return measure_clock_function_apply(offsets, raw);
}

/* Rates of some per mille and less, down to none. */
static void make_presync(struct measure_clock_function *presync)
{
	const uint64_t distance = UINT64_C(1) << (18 + draw(16));
	const uint64_t most = 1 + (distance >> (8 + draw(14)));
	uint64_t time = 1000000000;

	for (size_t i = 0; i < presync->nr; i++) {
		presync->items[i] = (struct measure_clock_knot){
			time, 1000000 + (int64_t)draw(most) - (int64_t)most / 2, 0};
		time += distance + draw(distance);
	}
}

/* Never too early; too late by one tick, and hardly ever. */
static uint64_t count_late(const struct measure_clock_function *presync,
	const struct measure_clock_function *kept, uint64_t raw, int64_t shift)
{
	const uint64_t late = time_of(kept, raw) - time_of(presync, raw) - (uint64_t)shift;

	CU_ASSERT(late <= 1);
	return late;
}

static void test_random(void)
{
	uint64_t nr_late = 0;

	for (int i = 0; i < NR_CASES; i++) {
		struct measure_clock_knot items[NR_BREAKS];
		const struct measure_clock_function presync = {
			items, 2 + draw(NR_BREAKS - 1), NR_BREAKS};
		struct measure_clock_function kept = {0};
		const int64_t shift = (int64_t)draw(2) * 12345;
		uint64_t from, length, last;

		make_presync((struct measure_clock_function *)&presync);
		last = items[presync.nr - 1].time;
		from = items[0].time - 100000 + draw(last - items[0].time);
		length = 2 + draw(UINT64_C(1) << (1 + draw(33)));
		measure_rounding_add(&kept, from, measure_rounding_offset(&presync, from) + shift);
		measure_rounding_between(&presync, from, from + length, shift, &kept);
		measure_rounding_add(&kept, from + length,
			measure_rounding_offset(&presync, from + length) + shift);
		CU_ASSERT(kept.nr <= 2 + 5 * presync.nr);
		for (int k = 0; k < NR_TICKS; k++)
			nr_late += count_late(&presync, &kept, from + draw(length + 1), shift);
		/* around the points themselves */
		for (size_t k = 0; k < kept.nr; k++)
			for (int d = -2; d <= 2; d++) {
				const uint64_t raw = kept.items[k].time + (uint64_t)(int64_t)d;

				if (raw >= from && raw <= from + length)
					count_late(&presync, &kept, raw, shift);
			}
		measure_free(kept.items);
	}
	CU_ASSERT(nr_late < NR_CASES * NR_TICKS / 1000);
}

static void test_ceil(void)
{
	struct measure_clock_knot items[] = {{1000, 10, 0}, {2000, 11, 0}};
	const struct measure_clock_function line = {items, 2, 2}, none = {0};

	CU_ASSERT_EQUAL(measure_rounding_offset(&line, 1100), 10);
	CU_ASSERT_EQUAL(measure_rounding_ceil(&line, 1100), 11);
	CU_ASSERT_EQUAL(measure_rounding_ceil(&line, 1000), 10);
	CU_ASSERT_EQUAL(measure_rounding_ceil(&line, 900), 10);
	CU_ASSERT_EQUAL(measure_rounding_offset(&line, 400), 9);
	CU_ASSERT_EQUAL(measure_rounding_offset(&none, 400), 0);
	CU_ASSERT_EQUAL(measure_rounding_ceil(&none, 400), 0);
}

/* Without a rate two offsets are enough. */
static void test_level(void)
{
	struct measure_clock_knot items[] = {{1000, 10, 0}, {2000, 10, 0}};
	const struct measure_clock_function line = {items, 2, 2};
	struct measure_clock_function kept = {0};

	measure_rounding_between(&line, 1200, 1900, 7, &kept);
	CU_ASSERT_EQUAL(kept.nr, 0);
	measure_rounding_between(&line, 500, 5000, 7, &kept);
	CU_ASSERT_EQUAL(kept.nr, 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"random lines", test_random},
		{"ceil", test_ceil},
		{"level", test_level},
		CU_TEST_INFO_NULL,
	};

	return t_suite("keep", NULL, NULL, tests);
}
