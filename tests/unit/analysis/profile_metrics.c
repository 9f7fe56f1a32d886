/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: values of metrics belong to the call paths in which they came about: counters add
 * up, gauges have means over time, also up to the end of the trace. */
#include "config.h"

#include "t_profile.h"
#include "../t_suite.h"

enum { COUNTER, GAUGE }; /* members */

static void t_write_values(
	uint64_t time, OTF2_MetricRef metric, uint8_t nr, uint64_t first, uint64_t second)
{
	static const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
	const OTF2_MetricValue values[] = {{.unsigned_int = first}, {.unsigned_int = second}};

	T_EVENT(Metric, 0, time, metric, nr, types, values);
}

/* What a member has on a path; all zero where there is nothing. */
static struct measure_profile_metric t_metric(const char *names, uint32_t member)
{
	const uint32_t path = t_path(names);

	for (size_t i = 0; i < t_profile.nr_metrics; i++)
		if (t_profile.metrics[i].path == path && t_profile.metrics[i].member == member)
			return t_profile.metrics[i];
	return (struct measure_profile_metric){.path = path};
}

static double t_mean(const char *names)
{
	const struct measure_profile_metric metric = t_metric(names, GAUGE);

	return metric.ticks ? metric.real / (double)metric.ticks : -1;
}

/* Case P6: main 88, f 72; 8.0 and 5.5. */
static void t_shared_out(void)
{
	t_begin();
	t_write_values(0, T_FIELDS, 2, 100, 4);
	T_ENTER(0, 0, T_MAIN);
	T_ENTER(0, 20, T_F);
	t_write_values(50, T_FIELDS, 2, 200, 10);
	T_LEAVE(0, 60, T_F);
	T_LEAVE(0, 100, T_MAIN);
	t_write_values(100, T_FIELDS, 2, 260, 6);
	t_read();
	CU_ASSERT_EQUAL(t_metric("main", COUNTER).integer, 88);
	CU_ASSERT_EQUAL(t_metric("main/f", COUNTER).integer, 72);
	CU_ASSERT(t_metric("main", COUNTER).is_spread);
	CU_ASSERT_DOUBLE_EQUAL(t_mean("main"), 8.0, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(t_mean("main/f"), 5.5, 1e-9);
	CU_ASSERT_EQUAL(t_metric("main/f", GAUGE).ticks, 40);
	CU_ASSERT_DOUBLE_EQUAL(t_metric("main/f", GAUGE).min, 4, 0);
	CU_ASSERT_DOUBLE_EQUAL(t_metric("main/f", GAUGE).max, 10, 0);
	t_end();
}

/* Values at each Enter and Leave; a counter that goes back was reset. */
static void t_strict(void)
{
	t_begin();
	t_write_values(0, T_COUNTERS, 1, 10, 0);
	T_ENTER(0, 0, T_MAIN);
	t_write_values(20, T_COUNTERS, 1, 15, 0);
	T_ENTER(0, 20, T_F);
	t_write_values(30, T_COUNTERS, 1, 115, 0);
	T_LEAVE(0, 30, T_F);
	t_write_values(40, T_COUNTERS, 1, 3, 0);
	T_ENTER(0, 40, T_F);
	t_write_values(50, T_COUNTERS, 1, 7, 0);
	T_LEAVE(0, 50, T_F);
	t_write_values(60, T_COUNTERS, 1, 8, 0);
	T_LEAVE(0, 60, T_MAIN);
	t_read();
	CU_ASSERT_EQUAL(t_metric("main", COUNTER).integer, 6);
	CU_ASSERT_EQUAL(t_metric("main", COUNTER).count, 2);
	CU_ASSERT_EQUAL(t_metric("main/f", COUNTER).integer, 104);
	CU_ASSERT_FALSE(t_metric("main/f", COUNTER).is_spread);
	t_end();
}

/* The last value holds to the end of the trace, where the regions are that are open there. */
static void t_last_value(void)
{
	t_begin();
	t_write_values(0, T_STRICT_GAUGES, 1, 5, 0);
	T_ENTER(0, 0, T_MAIN);
	t_write_values(10, T_STRICT_GAUGES, 1, 7, 0);
	T_ENTER(0, 10, T_F);
	T_EVENT(ProgramEnd, 0, 40, 0);
	t_read();
	CU_ASSERT_DOUBLE_EQUAL(t_mean("main"), 5, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(t_mean("main/f"), 7, 1e-9);
	CU_ASSERT_EQUAL(t_metric("main/f", GAUGE).ticks, 30);
	CU_ASSERT_EQUAL(t_profile.nr_metrics, 2);
	t_end();
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	t_write_values(10, T_FIELDS, 2, 1, 7);
	T_ENTER(0, 30, T_F);
	T_EVENT(ProgramEnd, 0, 40, 0);
	t_read();
	CU_ASSERT_DOUBLE_EQUAL(t_mean("main"), 7, 1e-9);
	CU_ASSERT_EQUAL(t_metric("main", GAUGE).ticks, 20);
	CU_ASSERT_EQUAL(t_metric("main/f", GAUGE).ticks, 10);
	t_end();
}

/* From 30 to 70: a counter has what came about there, a gauge what it was there. */
static void t_window(void)
{
	t_begin();
	t_set_window(30, 70);
	T_ENTER(0, 0, T_MAIN);
	for (uint64_t i = 0; i <= 10; i++)
		t_write_values(10 * i, T_FIELDS, 2, 100 + 10 * i, i);
	T_LEAVE(0, 100, T_MAIN);
	t_read();
	CU_ASSERT_EQUAL(t_metric("main", COUNTER).integer, 40);
	CU_ASSERT_EQUAL(t_metric("main", GAUGE).ticks, 40);
	CU_ASSERT_DOUBLE_EQUAL(t_mean("main"), 4.5, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(t_metric("main", GAUGE).min, 3, 0);
	CU_ASSERT_DOUBLE_EQUAL(t_metric("main", GAUGE).max, 6, 0);
	CU_ASSERT_EQUAL(t_profile.nr_metrics, 2);
	t_end();
}

/* A region that is defined twice is one, with one sum. */
static void t_regions_defined_twice(void)
{
	uint64_t time = 0, counter = 0;

	t_begin();
	for (uint64_t i = 1; i < 5; i++) {
		t_write_values(time, T_FIELDS, 2, counter, i);
		T_ENTER(0, time, i % 2 ? T_G : T_G_AGAIN);
		counter += 100 * i;
		t_write_values(time + 10, T_FIELDS, 2, counter, 10 * i);
		T_LEAVE(0, time + 10, i % 2 ? T_G : T_G_AGAIN);
		time += 20;
	}
	t_read();
	CU_ASSERT_EQUAL(t_metric("g", COUNTER).integer, 1000);
	CU_ASSERT_EQUAL(t_metric("g", COUNTER).count, 4);
	CU_ASSERT_EQUAL(t_metric("g", GAUGE).ticks, 40);
	CU_ASSERT_DOUBLE_EQUAL(t_mean("g"), 2.5, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(t_metric("g", GAUGE).min, 1, 0);
	CU_ASSERT_DOUBLE_EQUAL(t_metric("g", GAUGE).max, 4, 0);
	for (size_t i = 0; i < t_profile.nr_metrics; i++)
		for (size_t other = 0; other < i; other++)
			CU_ASSERT(t_profile.metrics[i].path != t_profile.metrics[other].path ||
				  t_profile.metrics[i].member != t_profile.metrics[other].member);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"shared out", t_shared_out},
		{"strict", t_strict},
		{"last value", t_last_value},
		{"window", t_window},
		{"regions defined twice", t_regions_defined_twice},
		CU_TEST_INFO_NULL,
	};

	return t_suite("profile_metrics", NULL, NULL, tests);
}
