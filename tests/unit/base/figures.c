/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: numbers are written as people write them, never with exponents */
#include "config.h"

#include <stdint.h>

#include "../t_suite.h"
#include "base/figures.h"

static void t_numbers(void)
{
	CU_ASSERT_STRING_EQUAL(measure_figure(0), "0");
	CU_ASSERT_STRING_EQUAL(measure_figure(999), "999");
	CU_ASSERT_STRING_EQUAL(measure_figure(1234567), "1,234,567");
	CU_ASSERT_STRING_EQUAL(measure_figure(UINT64_MAX), "18,446,744,073,709,551,615");
}

static void t_percent(void)
{
	char text[MEASURE_FIGURE_TEXT];

	CU_ASSERT_STRING_EQUAL(measure_figure_percent(0, text), "0.0 %");
	CU_ASSERT_STRING_EQUAL(measure_figure_percent(0.0314, text), "3.1 %");
	CU_ASSERT_STRING_EQUAL(measure_figure_percent(0.0996, text), "10 %");
	CU_ASSERT_STRING_EQUAL(measure_figure_percent(1.5, text), "150 %");
	CU_ASSERT_STRING_EQUAL(measure_figure_percent(123456.789, text), "12,345,679 %");
}

static void t_seconds(void)
{
	char text[MEASURE_FIGURE_TEXT];

	CU_ASSERT_STRING_EQUAL(measure_figure_seconds(-1, text), "-");
	CU_ASSERT_STRING_EQUAL(measure_figure_seconds(0, text), "0 s");
	CU_ASSERT_STRING_EQUAL(measure_figure_seconds(12.3e-9, text), "12 ns");
	CU_ASSERT_STRING_EQUAL(measure_figure_seconds(9.94e-6, text), "9.9 us");
	CU_ASSERT_STRING_EQUAL(measure_figure_seconds(0.9996, text), "1.0 s");
	CU_ASSERT_STRING_EQUAL(measure_figure_seconds(1234567, text), "1234567 s");
}

static void t_sizes(void)
{
	char text[MEASURE_FIGURE_TEXT];

	CU_ASSERT_STRING_EQUAL(measure_figure_size(1023, text), "1023 bytes");
	CU_ASSERT_STRING_EQUAL(measure_figure_size(2202009, text), "2.1 MiB");
	CU_ASSERT_STRING_EQUAL(measure_figure_size(UINT64_MAX, text), "16777216 TiB");
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"numbers", t_numbers},
		{"percent", t_percent},
		{"seconds", t_seconds},
		{"sizes", t_sizes},
		CU_TEST_INFO_NULL,
	};

	return t_suite("figures", NULL, NULL, tests);
}
