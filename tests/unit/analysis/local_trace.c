/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a fold in the words of a process: definitions that it made more than once count as
 * one, whichever of them events name, and whenever the journal is read.
 */
#include "config.h"

#include "../t_suite.h"
#include "analysis/fold/local_trace.h"
#include "format/journal.h"

#include <CUnit/CUnit.h>
#include <string.h>

enum { T_F = 7 }; /* a region: they are not looked up */

static uint8_t journal[4096];
static size_t journal_size;
static struct measure_local_trace local;
static struct measure_profile profile;
static struct measure_fold fold;

/* A record at the end of the journal. */
#define T_DEFINE(name, ...)                                                                        \
	(journal_size += measure_def_##name##_frame(&(struct measure_def_##name){__VA_ARGS__},     \
		 journal + journal_size, sizeof(journal) - journal_size))

static void t_start(void)
{
	journal_size = 0;
	measure_local_trace_start(&local, 65536);
	measure_profile_start(&profile, &local.trace);
	measure_fold_start(&fold, &profile, NULL, 0);
	profile.first = 0;
}

static void t_end(void)
{
	measure_fold_end(&fold);
	measure_profile_free(&profile);
	measure_local_trace_free(&local);
}

static void t_read_journal(void)
{
	measure_local_trace_read(&local, journal, journal_size);
}

/* An event of one tick. */
static void t_feed(const struct measure_event *event, const struct measure_record *record)
{
	measure_fold_record(&fold, event, record, ++fold.last);
}

static void t_iterate(uint8_t kind, uint32_t parameter, uint64_t number)
{
	const struct measure_record record = {.nr_attributes = 0};
	const struct measure_event event = {.kind = kind, .ref = parameter, .number = number};

	measure_fold_enter(&fold, T_F, ++fold.last);
	t_feed(&event, &record);
	measure_fold_leave(&fold, T_F, ++fold.last);
}

static uint64_t t_visits(uint64_t iteration)
{
	const uint64_t *row = measure_profile_table_find(&profile.tables[MEASURE_TABLE_ITERATIONS],
		MEASURE_TABLE_ITERATIONS, measure_key_pair(1, iteration));

	return row ? measure_cell(row, ITERATIONS, VISITS) : 0;
}

/* Of two threads that begin their first iterations at the same time each defines the parameter;
 * both use that of either. */
static void t_defined_by_two_threads(void)
{
	for (uint32_t used = 0; used < 2; used++) {
		t_start();
		T_DEFINE(parameter, 0, "iteration", OTF2_PARAMETER_TYPE_UINT64);
		T_DEFINE(parameter, 1, "iteration", OTF2_PARAMETER_TYPE_UINT64);
		t_read_journal();
		t_iterate(MEASURE_EVENT_PARAMETER_UNSIGNED_INT, used, 3);
		CU_ASSERT_EQUAL(t_visits(3), 1);
		t_end();
	}
}

/* The program has parameters of its own, some by this name; what is not defined is none. */
static void t_iterations(void)
{
	t_start();
	T_DEFINE(parameter, 0, "iteration", OTF2_PARAMETER_TYPE_INT64);
	T_DEFINE(parameter, 1, "iterations", OTF2_PARAMETER_TYPE_UINT64);
	t_read_journal();
	t_iterate(MEASURE_EVENT_PARAMETER_INT, 0, 3);
	t_iterate(MEASURE_EVENT_PARAMETER_UNSIGNED_INT, 2, 3);
	T_DEFINE(parameter, 2, "iteration", OTF2_PARAMETER_TYPE_UINT64);
	t_read_journal();
	t_iterate(MEASURE_EVENT_PARAMETER_UNSIGNED_INT, 2, 3);
	t_iterate(MEASURE_EVENT_PARAMETER_INT, 0, 4);
	t_iterate(MEASURE_EVENT_PARAMETER_UNSIGNED_INT, 1, 5);
	t_iterate(MEASURE_EVENT_PARAMETER_UNSIGNED_INT, MEASURE_NONE, 5);
	CU_ASSERT_EQUAL(t_visits(3), 2);
	CU_ASSERT_EQUAL(t_visits(4), 1);
	CU_ASSERT_EQUAL(profile.tables[MEASURE_TABLE_ITERATIONS].nr, 2);
	t_end();
}

static void t_enter_with(uint32_t attribute, uint64_t bytes)
{
	const struct measure_record_attribute attributes[] = {
		{.id = attribute, .type = OTF2_TYPE_UINT64, .value.uint64 = bytes}};
	const struct measure_record record = {.nr_attributes = 1, .attributes = attributes};
	const struct measure_event event = {.kind = MEASURE_EVENT_ENTER, .ref = T_F};

	t_feed(&event, &record);
	measure_fold_leave(&fold, T_F, ++fold.last);
}

static void t_allocations(void)
{
	const uint64_t *values;

	t_start();
	T_DEFINE(attribute, 0, "ALLOCATION_SIZE", "", OTF2_TYPE_UINT64);
	T_DEFINE(attribute, 1, "DEALLOCATION_SIZE", "", OTF2_TYPE_UINT64);
	T_DEFINE(attribute, 2, "ALLOCATION_SIZE", "", OTF2_TYPE_UINT64);
	T_DEFINE(attribute, 3, "DEALLOCATION_SIZE", "", OTF2_TYPE_UINT64);
	t_read_journal();
	t_enter_with(0, 1);
	t_enter_with(2, 10);
	t_enter_with(1, 100);
	t_enter_with(3, 1000);
	t_enter_with(4, 10000); /* none */
	values = measure_profile_table_find(&profile.tables[MEASURE_TABLE_VALUES],
		MEASURE_TABLE_VALUES, measure_key_pair(1, 0));
	CU_ASSERT_PTR_NOT_NULL_FATAL(values);
	CU_ASSERT_EQUAL(measure_cell(values, VALUES, ALLOCATIONS), 2);
	CU_ASSERT_EQUAL(measure_cell(values, VALUES, BYTES_ALLOCATED), 11);
	CU_ASSERT_EQUAL(measure_cell(values, VALUES, BYTES_RELEASED), 1100);
	t_end();
}

/* A metric with the next id, and a class of it and, if there is one, another metric. */
static void t_define_class(uint32_t id, const char *name, OTF2_MetricOccurrence occurrence,
	uint32_t nr, uint32_t other)
{
	const uint32_t members[] = {id, other};

	T_DEFINE(metric, id, name, "", "1", OTF2_METRIC_TYPE_USER, OTF2_METRIC_ACCUMULATED_START,
		OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0);
	T_DEFINE(metric_class, id, occurrence, {nr, members});
	t_read_journal();
}

/* Of a class by its id; its other values are 0. */
static void t_record_value(uint32_t id, uint64_t value)
{
	const uint64_t items[] = {value, 0};
	const struct measure_record record = {.items = items};
	const struct measure_event event = {.kind = MEASURE_EVENT_METRIC,
		.ref = measure_definition_index(&local.trace.definitions, MEASURE_KIND_METRIC, id),
		.peer = 2};

	t_feed(&event, &record);
}

/* A program records a counter at two places, each with a class of its own. */
static void t_metrics(void)
{
	t_start();
	t_define_class(0, "level", OTF2_METRIC_ASYNCHRONOUS, 1, 0);
	t_define_class(1, "heat", OTF2_METRIC_ASYNCHRONOUS, 1, 0);
	t_define_class(2, "level", OTF2_METRIC_ASYNCHRONOUS, 1, 0);
	t_record_value(2, 100);
	t_record_value(1, 1000);
	t_record_value(0, 103);
	t_record_value(1, 1010);
	t_record_value(2, 107);
	CU_ASSERT_EQUAL_FATAL(profile.nr_metrics, 2);
	CU_ASSERT_EQUAL(profile.metrics[0].member, 0);
	CU_ASSERT_EQUAL(profile.metrics[0].count, 2);
	CU_ASSERT_EQUAL(profile.metrics[0].integer, 7);
	CU_ASSERT_EQUAL(profile.metrics[1].member, MEASURE_LOCAL_MEMBERS);
	CU_ASSERT_EQUAL(profile.metrics[1].integer, 10);
	t_end();
}

/* Classes that are not equal have values of their own: their sums are one if the metric is. What is
 * not defined has none. */
static void t_metrics_of_several_classes(void)
{
	t_start();
	t_define_class(0, "level", OTF2_METRIC_ASYNCHRONOUS, 1, 0);
	t_define_class(1, "level", OTF2_METRIC_SYNCHRONOUS, 1, 0);
	t_define_class(2, "heat", OTF2_METRIC_ASYNCHRONOUS, 2, 1);
	t_define_class(4, "level", OTF2_METRIC_ASYNCHRONOUS, 2, 3);
	for (uint32_t id = 0; id < 6; id++)
		t_record_value(id, 100);
	for (uint32_t id = 0; id < 6; id++)
		t_record_value(id, 101 + id);
	CU_ASSERT_EQUAL_FATAL(profile.nr_metrics, 2);
	CU_ASSERT_EQUAL(profile.metrics[0].member, 0);
	CU_ASSERT_EQUAL(profile.metrics[0].count, 4);
	CU_ASSERT_EQUAL(profile.metrics[0].integer, 1 + 2 + 0 + 5);
	CU_ASSERT_EQUAL(profile.metrics[1].member, 2 * MEASURE_LOCAL_MEMBERS);
	CU_ASSERT_EQUAL(profile.metrics[1].integer, 3);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"defined by two threads", t_defined_by_two_threads},
		{"iterations", t_iterations},
		{"allocations", t_allocations},
		{"metrics", t_metrics},
		{"metrics of several classes", t_metrics_of_several_classes},
		CU_TEST_INFO_NULL,
	};

	return t_suite("local_trace", NULL, NULL, tests);
}
