/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: every clock runs forward at its frequency, and the simulated one deviates by what
 * it was told. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock/clock.h"
#include "clock/simulated.h"
#include "format/journal_records.h"
#include "../t_suite.h"

static measure_status_t t_start(const char *specification, uint32_t rank)
{
	struct measure_clock_choice choice = {specification, rank, 0};

	return measure_clock_start(&choice);
}

static void test_real_clocks(void)
{
	static const char *const names[] = {"auto", "monotonic_raw", "monotonic", "realtime"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		CU_ASSERT_EQUAL_FATAL(t_start(names[i], 0), MEASURE_OK);
		uint64_t before = measure_clock_now();
		double frequency = measure_clock_frequency();
		CU_ASSERT(measure_clock_now() > before);
		CU_ASSERT(frequency > 1e6 && frequency < 1e10);
		CU_ASSERT(!measure_clock_is_exact() || frequency == 1e9);
	}
}

static void test_triple(void)
{
	struct measure_def_clock_triple first, second;

	t_start("monotonic_raw", 0);
	measure_clock_triple(&first);
	measure_clock_triple(&second);
	CU_ASSERT(second.ticks > first.ticks);
	CU_ASSERT(llabs((long long)first.ticks - first.monotonic_raw) <= (long long)first.bound);
	CU_ASSERT(first.realtime > INT64_C(1500000000) * 1000000000);
}

static void test_bad_specifications(void)
{
	static const char *const bad[] = {"sundial", "simulated:offset", "simulated:offset=1h",
		"simulated:colour=red", "simulated:clock=sundial", "simulated:step=1ms", "tsc2"};
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		CU_ASSERT_EQUAL(measure_clock_check(bad[i], &why), MEASURE_ERROR_USAGE);
		CU_ASSERT_PTR_NOT_NULL(why);
		CU_ASSERT_EQUAL(t_start(bad[i], 0), MEASURE_ERROR_USAGE);
	}
	CU_ASSERT_EQUAL(
		measure_clock_check("simulated:offset=-3us,drift=50ppm,seed=1", &why), MEASURE_OK);
}

static void test_simulated(void)
{
	struct measure_def_clock_truth truth = {0};

	CU_ASSERT_EQUAL(t_start("simulated:offset=1ms,drift=50ppm,clock=monotonic_raw", 3),
		MEASURE_OK);
	CU_ASSERT_TRUE_FATAL(measure_clock_truth(&truth));
	CU_ASSERT_DOUBLE_EQUAL(truth.offset, 3e6, 1e-3);
	CU_ASSERT_DOUBLE_EQUAL(truth.drift, 150e-6, 1e-12);
	CU_ASSERT_EQUAL(truth.origin, measure_clock_origin());
	uint64_t three = measure_clock_domain();
	t_start("simulated:offset=1ms,drift=50ppm,clock=monotonic_raw", 2);
	CU_ASSERT_NOT_EQUAL(measure_clock_domain(), three);
}

static void test_bend(void)
{
	static struct measure_simulated bent;

	CU_ASSERT_EQUAL(measure_simulated_parse(&bent, "offset=1ms,drift=50,step=-2ms@10", 2),
		MEASURE_OK);
	bent.frequency = 1e9;
	bent.origin = 1000;
	CU_ASSERT_EQUAL(measure_simulated_bend(&bent, 1000), 1000 + 2000000);
	CU_ASSERT_EQUAL(measure_simulated_bend(&bent, 1000 + UINT64_C(5000000000)),
		1000 + UINT64_C(5000000000) + 2000000 + 500000);
	CU_ASSERT_EQUAL(measure_simulated_bend(&bent, 1000 + UINT64_C(10000000000)),
		1000 + UINT64_C(10000000000) + 2000000 + 1000000 - 4000000);

	CU_ASSERT_EQUAL(measure_simulated_parse(&bent, "offset=1ms,walk=1ppm,seed=7", 0),
		MEASURE_OK);
	bent.frequency = 1e9;
	CU_ASSERT_EQUAL(measure_simulated_bend(&bent, 123456789), 123456789);
}

/* Keeper and process walk alike, and the walk has no jumps. */
static void test_walk(void)
{
	static struct measure_simulated one, other;

	measure_simulated_parse(&one, "walk=1ppm,seed=7", 1);
	measure_simulated_parse(&other, "walk=1ppm,seed=7", 1);
	one.frequency = other.frequency = 1e9;
	uint64_t second = 1000000000, before = 0;
	for (uint64_t ticks = 0; ticks < 20 * second; ticks += second / 4) {
		uint64_t now = measure_simulated_bend(&one, ticks);
		CU_ASSERT_EQUAL(now, measure_simulated_bend(&other, ticks));
		if (ticks > 0)
			CU_ASSERT(fabs((double)(now - before) - 0.25e9) < 0.25e9 * 20e-6);
		before = now;
	}
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"real clocks", test_real_clocks},
		{"triple", test_triple},
		{"bad specifications", test_bad_specifications},
		{"simulated", test_simulated},
		{"bend", test_bend},
		{"walk", test_walk},
		CU_TEST_INFO_NULL,
	};

	return t_suite("clock", NULL, NULL, tests);
}
