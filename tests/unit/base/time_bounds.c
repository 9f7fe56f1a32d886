/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: --from and --until: seconds and shares, to the nearest tick; what is neither, or
 * reversed, is refused */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "../t_suite.h"
#include "cli/cli.h"
#include "cli/option_values.h"

#define LENGTH UINT64_C(2000000000) /* two seconds */
#define SECOND UINT64_C(1000000000)

static uint64_t ticks_of(const char *value)
{
	struct measure_time_bound bound = {.is_given = false};

	CU_ASSERT_EQUAL(measure_take_time_bound("--from", value, &bound), -1);
	CU_ASSERT(bound.is_given);
	CU_ASSERT_EQUAL(bound.is_share, strchr(value, '%') != NULL);
	return measure_time_bound_ticks(&bound, LENGTH, SECOND);
}

static void values(void)
{
	CU_ASSERT_EQUAL(ticks_of("0"), 0);
	CU_ASSERT_EQUAL(ticks_of("1.5"), 1500000000);
	CU_ASSERT_EQUAL(ticks_of("1.5s"), 1500000000);
	CU_ASSERT_EQUAL(ticks_of("25%"), 500000000);
	CU_ASSERT_EQUAL(ticks_of("100%"), LENGTH);
	CU_ASSERT_EQUAL(ticks_of("7e9"), 7000000000 * SECOND);
	CU_ASSERT_EQUAL(ticks_of("1e30"), UINT64_MAX);
	CU_ASSERT_EQUAL(ticks_of("inf"), UINT64_MAX);
}

/* A double of any decimal may be a little less: times that were printed are found again. */
static void nearest(void)
{
	CU_ASSERT_EQUAL(ticks_of("0.000000003"), 3);
	CU_ASSERT_EQUAL(ticks_of("1.000000001"), 1000000001);
	for (unsigned i = 0; i < 1000; i++) {
		char text[32];

		snprintf(text, sizeof(text), "1.%09u", i * 999983);
		CU_ASSERT_EQUAL(ticks_of(text), SECOND + i * 999983);
	}
}

static void refused(void)
{
	static const char *const wrong[] = {
		"", "%", "s", "x", "5ms", "-1", "-5%", "100.1%", "1.5 s", "nan", "25%%"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct measure_time_bound bound;

		CU_ASSERT_EQUAL(
			measure_take_time_bound("--from", wrong[i], &bound), MEASURE_EXIT_CANNOT);
	}
}

static void reversed(void)
{
	const struct measure_time_bound none = {.is_given = false};
	const struct measure_time_bound one = {.is_given = true, .value = 1};
	const struct measure_time_bound two = {.is_given = true, .value = 2};
	const struct measure_time_bound share = {.is_given = true, .is_share = true, .value = 1};

	CU_ASSERT_EQUAL(measure_check_time_bounds(&none, &none), -1);
	CU_ASSERT_EQUAL(measure_check_time_bounds(&two, &none), -1);
	CU_ASSERT_EQUAL(measure_check_time_bounds(&one, &two), -1);
	CU_ASSERT_EQUAL(measure_check_time_bounds(&one, &one), -1);
	CU_ASSERT_EQUAL(measure_check_time_bounds(&two, &share), -1); /* not known yet */
	CU_ASSERT_EQUAL(measure_check_time_bounds(&two, &one), MEASURE_EXIT_CANNOT);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"values", values},
		{"nearest", nearest},
		{"refused", refused},
		{"reversed", reversed},
		CU_TEST_INFO_NULL,
	};

	return t_suite("time bounds", NULL, NULL, tests);
}
