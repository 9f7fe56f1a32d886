/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: functions of clocks from offset records of any kind: those of good records are what
 * readers make of them, those of bad ones never turn time back. Seeded; seed and number of rounds
 * may be given. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sync/initial/presync.h"
#include "../t_suite.h"

#define MAX_RECORDS 40
#define NR_PROBES   50

static uint64_t seed = 1;
static long nr_rounds = 2000;

/* A random number below `limit`. */
static uint64_t t_random(uint64_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % limit;
}

struct t_records {
	struct measure_clock_knot items[MAX_RECORDS];
	struct measure_clock_function list;
};

/* Seconds apart in ns, off by up to 1 s, drifting by up to 1000 ppm. */
static void t_make_good(struct t_records *records)
{
	uint64_t time = 1 + t_random(UINT64_C(1000000000000));
	int64_t offset = (int64_t)t_random(2000000000) - 1000000000;

	records->list =
		(struct measure_clock_function){records->items, 2 + t_random(MAX_RECORDS - 2), 0};
	for (size_t i = 0; i < records->list.nr; i++) {
		records->items[i] = (struct measure_clock_knot){time, offset, 0};
		time += 1000000 + t_random(UINT64_C(20000000000));
		offset += (int64_t)t_random(2000) - 1000;
	}
}

static void t_make_any(struct t_records *records)
{
	static const uint64_t limits[] = {4, 1000, UINT64_C(1) << 40, UINT64_MAX};
	const uint64_t limit = limits[t_random(4)];

	records->list = (struct measure_clock_function){records->items, t_random(MAX_RECORDS), 0};
	for (size_t i = 0; i < records->list.nr; i++)
		records->items[i] = (struct measure_clock_knot){
			t_random(limit), (int64_t)(t_random(limit) - limit / 2), 0};
}

static struct measure_clock_function t_function(const struct t_records *records,
	enum measure_presync kind, enum measure_presync_ends ends, size_t *nr_dropped)
{
	struct measure_clock_function function;

	CU_ASSERT_EQUAL_FATAL(
		measure_presync_make(&records->list, kind, ends, &function, nr_dropped),
		MEASURE_OK);
	return function;
}

static struct measure_clock_function t_good_function(
	const struct t_records *records, enum measure_presync kind, enum measure_presync_ends ends)
{
	size_t nr_dropped;
	const struct measure_clock_function function = t_function(records, kind, ends, &nr_dropped);

	CU_ASSERT_EQUAL(nr_dropped, 0);
	return function;
}

static uint64_t t_apply(const struct measure_clock_function *function, uint64_t raw)
{
	return measure_clock_function_apply(function, raw);
}

static uint64_t t_probe(const struct t_records *records)
{
	const uint64_t first = records->items[0].time;
	const uint64_t last = records->items[records->list.nr - 1].time;

	return first + t_random(last - first + 1);
}

static void test_none(void)
{
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_good(&records);
		const struct measure_clock_function function =
			t_good_function(&records, MEASURE_PRESYNC_NONE, MEASURE_PRESYNC_PROLONG);

		CU_ASSERT_EQUAL(function.nr, 0);
		CU_ASSERT_PTR_NULL(function.items);
	}
}

/* The very records: what comes out is what every reader shows. */
static void test_piecewise(void)
{
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_good(&records);
		struct measure_clock_function function = t_good_function(
			&records, MEASURE_PRESYNC_PIECEWISE, MEASURE_PRESYNC_PROLONG);

		CU_ASSERT_EQUAL_FATAL(function.nr, records.list.nr);
		CU_ASSERT_EQUAL(memcmp(function.items, records.items,
					function.nr * sizeof(*function.items)),
			0);
		for (size_t i = 0; i < function.nr; i++)
			CU_ASSERT_EQUAL(t_apply(&function, records.items[i].time),
				records.items[i].time + (uint64_t)records.items[i].offset);
		free(function.items);
	}
}

static void test_linear(void)
{
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_good(&records);
		struct measure_clock_function function =
			t_good_function(&records, MEASURE_PRESYNC_LINEAR, MEASURE_PRESYNC_PROLONG);
		const struct measure_clock_knot first = records.items[0];
		const struct measure_clock_knot last = records.items[records.list.nr - 1];

		CU_ASSERT_EQUAL(function.nr, 2);
		CU_ASSERT_EQUAL(
			t_apply(&function, first.time), first.time + (uint64_t)first.offset);
		CU_ASSERT_EQUAL(t_apply(&function, last.time), last.time + (uint64_t)last.offset);
		for (int i = 0; i < NR_PROBES; i++) {
			const uint64_t raw = t_probe(&records);
			const long double part = (long double)(raw - first.time) /
						 (long double)(last.time - first.time);
			const long double exact = (long double)first.offset +
						  part * (long double)(last.offset - first.offset);
			const int64_t offset = (int64_t)(t_apply(&function, raw) - raw);

			CU_ASSERT(fabsl((long double)offset - exact) < 0.51L);
		}
		free(function.items);
	}
}

/* No other constant is nearer to the record that is farthest from it. */
static void test_const(void)
{
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_good(&records);
		struct measure_clock_function function =
			t_good_function(&records, MEASURE_PRESYNC_CONST, MEASURE_PRESYNC_PROLONG);
		const uint64_t raw = t_probe(&records);
		const int64_t offset = (int64_t)(t_apply(&function, raw) - raw);
		int64_t above = INT64_MIN;
		int64_t below = INT64_MIN;

		for (size_t i = 0; i < records.list.nr; i++) {
			const int64_t more = records.items[i].offset - offset;

			above = more > above ? more : above;
			below = -more > below ? -more : below;
		}
		CU_ASSERT(llabs(above - below) <= 1);
		CU_ASSERT_EQUAL(t_apply(&function, 0), (uint64_t)offset);
		free(function.items);
	}
}

static void test_clamp(void)
{
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_good(&records);
		struct measure_clock_function open = t_good_function(
			&records, MEASURE_PRESYNC_PIECEWISE, MEASURE_PRESYNC_PROLONG);
		struct measure_clock_function closed =
			t_good_function(&records, MEASURE_PRESYNC_PIECEWISE, MEASURE_PRESYNC_CLAMP);
		const struct measure_clock_knot first = records.items[0];
		const struct measure_clock_knot last = records.items[records.list.nr - 1];

		for (int i = 0; i < NR_PROBES; i++) {
			const uint64_t before = t_random(first.time);
			const uint64_t after = last.time + t_random(UINT64_C(1) << 40);
			const uint64_t between = t_probe(&records);

			CU_ASSERT_EQUAL(t_apply(&closed, before), before + (uint64_t)first.offset);
			CU_ASSERT_EQUAL(t_apply(&closed, after), after + (uint64_t)last.offset);
			CU_ASSERT_EQUAL(t_apply(&closed, between), t_apply(&open, between));
		}
		free(open.items);
		free(closed.items);
	}
}

/* At the ends of the counter there is no room for a guard. */
static void test_clamp_at_ends(void)
{
	struct t_records records = {.items = {{0, 5}, {UINT64_MAX, 7}}};

	records.list = (struct measure_clock_function){records.items, 2, 2};
	struct measure_clock_function function =
		t_good_function(&records, MEASURE_PRESYNC_PIECEWISE, MEASURE_PRESYNC_CLAMP);

	CU_ASSERT_EQUAL(function.nr, 2);
	CU_ASSERT_EQUAL(t_apply(&function, 0), 5);
	free(function.items);
}

static void test_single(void)
{
	struct t_records records = {.items = {{100, 42}}};
	struct measure_clock_function function;

	records.list = (struct measure_clock_function){records.items, 1, 1};
	for (int kind = MEASURE_PRESYNC_LINEAR; kind <= MEASURE_PRESYNC_PIECEWISE; kind++) {
		function = t_good_function(
			&records, (enum measure_presync)kind, MEASURE_PRESYNC_CLAMP);
		CU_ASSERT_EQUAL(function.nr, 0);
		CU_ASSERT_EQUAL(t_apply(&function, 7), 7);
		free(function.items);
	}
	function = t_good_function(&records, MEASURE_PRESYNC_CONST, MEASURE_PRESYNC_CLAMP);
	CU_ASSERT_EQUAL(t_apply(&function, 7), 49);
	free(function.items);
}

static void t_check_any(
	const struct t_records *records, enum measure_presync kind, enum measure_presync_ends ends)
{
	size_t nr_dropped;
	struct measure_clock_function function = t_function(records, kind, ends, &nr_dropped);

	CU_ASSERT(function.nr != 1);
	CU_ASSERT(function.nr <= function.capacity);
	CU_ASSERT(nr_dropped <= records->list.nr);
	for (size_t i = 1; i < function.nr; i++) {
		CU_ASSERT(function.items[i].time > function.items[i - 1].time);
		CU_ASSERT(measure_clock_knot_corrected(&function.items[i]) >=
			  measure_clock_knot_corrected(&function.items[i - 1]));
	}
	free(function.items);
}

static void test_any(void)
{
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_any(&records);
		for (int kind = MEASURE_PRESYNC_NONE; kind <= MEASURE_PRESYNC_PIECEWISE; kind++) {
			t_check_any(&records, (enum measure_presync)kind, MEASURE_PRESYNC_PROLONG);
			t_check_any(&records, (enum measure_presync)kind, MEASURE_PRESYNC_CLAMP);
		}
	}
}

/* Steep but possible: a clock that nearly stands still, and one that leaps. Every single tick. */
static void test_order(void)
{
	struct t_records records = {
		.items = {{100, 0, 0}, {150, -49, 0}, {160, 90, 0}, {300, -40, 0}}};

	records.list = (struct measure_clock_function){records.items, 4, 4};
	for (int ends = MEASURE_PRESYNC_PROLONG; ends <= MEASURE_PRESYNC_CLAMP; ends++) {
		struct measure_clock_function function = t_good_function(
			&records, MEASURE_PRESYNC_PIECEWISE, (enum measure_presync_ends)ends);
		uint64_t last = 0;
		struct measure_clock_reading reading = {.number = 0};

		for (uint64_t raw = 0; raw < 400; raw++) {
			const uint64_t time = measure_clock_function_read(&function, &reading, raw);

			CU_ASSERT(time >= last);
			last = time;
		}
		free(function.items);
	}
}

/* Times that are all later by the same are corrected the same. */
static void test_shift(void)
{
	const uint64_t shift = UINT64_C(1) << 45;
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		struct measure_clock_function function, shifted;

		t_make_good(&records);
		const uint64_t raw = t_probe(&records);

		function =
			t_good_function(&records, MEASURE_PRESYNC_PIECEWISE, MEASURE_PRESYNC_CLAMP);
		for (size_t i = 0; i < records.list.nr; i++)
			records.items[i].time += shift;
		shifted =
			t_good_function(&records, MEASURE_PRESYNC_PIECEWISE, MEASURE_PRESYNC_CLAMP);
		CU_ASSERT_EQUAL(t_apply(&shifted, raw + shift), t_apply(&function, raw) + shift);
		free(function.items);
		free(shifted.items);
	}
}

/* However steep the lines are: clock offsets may be far off. */
static void test_invert(void)
{
	struct t_records records;

	for (long round = 0; round < nr_rounds; round++) {
		uint64_t raw = UINT64_C(1000000000), time = raw + t_random(1000000);
		const uint64_t start = raw;

		records.list = (struct measure_clock_function){records.items, 2 + t_random(10), 0};
		for (size_t i = 0; i < records.list.nr; i++) {
			records.items[i] =
				(struct measure_clock_knot){raw, (int64_t)(time - raw), 0};
			raw += 1 + t_random(1000000);
			time += 1 + t_random(1000000);
		}
		for (int probe = 0; probe < NR_PROBES; probe++) {
			time = measure_clock_function_apply(
				&records.list, start + t_random(raw - start));
			CU_ASSERT_EQUAL(measure_clock_function_apply(&records.list,
						measure_clock_function_invert(&records.list, time)),
				time);
		}
	}
}

int main(int argc, char **argv)
{
	static CU_TestInfo tests[] = {
		{"none", test_none},
		{"piecewise", test_piecewise},
		{"linear", test_linear},
		{"const", test_const},
		{"clamp", test_clamp},
		{"clamp at the ends of the counter", test_clamp_at_ends},
		{"single record", test_single},
		{"any records", test_any},
		{"order of time", test_order},
		{"shift", test_shift},
		{"invert", test_invert},
		CU_TEST_INFO_NULL,
	};

	if (argc > 1)
		nr_rounds = strtol(argv[1], NULL, 10);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 10) | 1;
	return t_suite("presync", NULL, NULL, tests);
}
