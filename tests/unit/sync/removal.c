/* SPDX-License-Identifier: BSD-3-Clause
 * Description: prices of events come out of the times between them: parts of ticks, debts, waits,
 * flushes */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "sync/compensation/removal.h"
#include "trace/stream/record.h"

#define FUNCTION 0
#define CALL     1

static struct measure_region regions[] = {
	{.paradigm = OTF2_PARADIGM_COMPILER}, {.paradigm = OTF2_PARADIGM_MPI}};
static struct measure_location_definition locations[] = {{.nr_events = 100}};
/* a tick is 1 ns */
static struct measure_definitions definitions = {.regions = regions,
	.locations = locations,
	.nr_regions = 2,
	.nr_locations = 1,
	.clock = {.resolution = 1000000000}};
static struct measure_event_costs costs;
static struct measure_price_list list;
static struct measure_removal removal;

static void start(const char *enter, enum measure_compensation_method method)
{
	memset(&costs, 0, sizeof(costs));
	CU_ASSERT(measure_event_costs_parse_line(&costs, "FUNCTION_ENTER::none", enter));
	CU_ASSERT(measure_event_costs_parse_line(
		&costs, "MESSAGE::none", "1000:0:7:7:7 1000000000:0:7:7:7"));
	measure_price_list_free(&list);
	measure_price_list_make(&list, &costs, &definitions, method);
	removal = (struct measure_removal){.pricing = {.list = &list}};
}

static void begin(enum measure_event_kind kind, uint64_t time, uint64_t number)
{
	const struct measure_event event = {.kind = (uint8_t)kind,
		.ref = FUNCTION,
		.raw = time,
		.time = time,
		.number = number};

	measure_removal_begin(&removal, &event, time);
}

static int64_t local(uint64_t time)
{
	begin(MEASURE_EVENT_ENTER, time, 0);
	return measure_removal_local(&removal);
}

static void test_local(void)
{
	start("1000:2:8:10:10", MEASURE_COMPENSATION_FREQUENCY);
	CU_ASSERT_EQUAL(local(1000), 1000); /* where it begins */
	CU_ASSERT_EQUAL(local(1100), 90);
	CU_ASSERT_EQUAL(local(1200), 90);
	CU_ASSERT_EQUAL(removal.removed, 20);
}

/* A third of a tick three times is a tick. */
static void test_parts(void)
{
	int64_t sum = 0;

	start("1000:0:0.3333333:1:1", MEASURE_COMPENSATION_FREQUENCY);
	local(0);
	for (uint64_t i = 1; i <= 3001; i++)
		sum += local(10 * i);
	CU_ASSERT_EQUAL(removal.removed, 1000);
	CU_ASSERT_EQUAL(sum, 30010 - 1000);
}

static void test_debt(void)
{
	start("1000:2:8:10:10", MEASURE_COMPENSATION_FREQUENCY);
	local(1000);
	CU_ASSERT_EQUAL(local(1003), 1); /* 8 of 10 are owed */
	CU_ASSERT_EQUAL(local(1003), 0); /* and 10 for this one */
	CU_ASSERT_EQUAL(local(1103), 100 - 8 - 10 - 10);
	CU_ASSERT_EQUAL(removal.removed, 30);
}

static void test_kinds(void)
{
	start("1000:2:8:10:10", MEASURE_COMPENSATION_FREQUENCY);
	local(1000);
	begin(MEASURE_EVENT_MPI_SEND, 1000, 0);
	CU_ASSERT(!removal.is_new_tick);
	CU_ASSERT_EQUAL(measure_removal_local(&removal), 0);
	CU_ASSERT_EQUAL(local(1100), 100 - 8 - 7 - 2);
	regions[FUNCTION].paradigm = OTF2_PARADIGM_MPI; /* of which there are no costs */
	CU_ASSERT_EQUAL(local(1200), 100 - 8);
	CU_ASSERT_EQUAL(local(1300), 100);
	regions[FUNCTION].paradigm = OTF2_PARADIGM_COMPILER;
}

static void test_flush(void)
{
	start("1000:2:8:10:10", MEASURE_COMPENSATION_FREQUENCY);
	local(1000);
	begin(MEASURE_EVENT_BUFFER_FLUSH, 1020, 1520);
	CU_ASSERT_EQUAL(measure_removal_local(&removal), 12);
	CU_ASSERT_EQUAL(local(1620), 98);
}

/* With the window full, 8 events in 80 ticks are 10^8 per second; half-way of the logarithm between
 * the points is half-way of the cost. */
static void test_rate(void)
{
	start("10000000:0:4:4:4 1000000000:0:2:2:2", MEASURE_COMPENSATION_FREQUENCY);
	for (uint64_t i = 0; i < 20; i++)
		local(10 * i);
	CU_ASSERT_EQUAL(removal.price.after, 3 * MEASURE_PRICE_TICK);
	for (uint64_t i = 0; i < 20; i++)
		local(1000 + 1000 * i);
	CU_ASSERT_EQUAL(removal.price.after, 4 * MEASURE_PRICE_TICK);
	start("10000000:0:4:4:4 1000000000:0:2:2:2", MEASURE_COMPENSATION_CLASSIC);
	for (uint64_t i = 0; i < 20; i++)
		local(1000 * i);
	CU_ASSERT_EQUAL(removal.price.after, 2 * MEASURE_PRICE_TICK);
}

/* An event at 1100, 100 ticks after the one before: what it waited for was there `rest` ticks
 * before its own price. */
static int64_t receive(int64_t rest)
{
	local(1000);
	begin(MEASURE_EVENT_ENTER, 1100, 0);
	return measure_removal_receive(&removal, rest, measure_removal_is_own(&removal, rest));
}

static void test_receive(void)
{
	/* it waited: its own price remains to be paid, and what it owed is forgotten */
	start("1000:2.5:8.25:10:10", MEASURE_COMPENSATION_FREQUENCY);
	CU_ASSERT_EQUAL(receive(20), 20);
	CU_ASSERT_EQUAL(removal.removed, 2);
	CU_ASSERT_EQUAL(removal.hidden, 8 * MEASURE_PRICE_TICK + MEASURE_PRICE_TICK / 4);
	CU_ASSERT_EQUAL(removal.owed, MEASURE_PRICE_TICK / 2 + removal.price.after);
	/* all had been there: as without; the rest of a tick is owed */
	start("1000:2.5:8.25:10:10", MEASURE_COMPENSATION_FREQUENCY);
	CU_ASSERT_EQUAL(receive(98), 90);
	CU_ASSERT_EQUAL(removal.removed, 10);
	CU_ASSERT_EQUAL(removal.owed, 3 * MEASURE_PRICE_TICK / 4 + removal.price.after);
	/* the same ticks, but a part of one later than the location */
	start("1000:2.5:8.75:10:10", MEASURE_COMPENSATION_FREQUENCY);
	CU_ASSERT_EQUAL(receive(89), 89);
	CU_ASSERT_EQUAL(removal.owed, MEASURE_PRICE_TICK / 2 + removal.price.after);
	/* what came later than its price allows */
	start("1000:2.5:8.25:10:10", MEASURE_COMPENSATION_FREQUENCY);
	CU_ASSERT_EQUAL(receive(-3), 0);
}

/* 300 ns of the process for its 100 events: 3 each, wherever there are costs. */
static void test_memory(void)
{
	static char name[] = "MEASURE::HELD_CPU_NS", *strings[] = {name};
	struct measure_property property = {.kind = MEASURE_KIND_LOCATION_GROUP,
		.type = OTF2_TYPE_UINT64,
		.value = {.uint64 = 300}};

	definitions.strings = strings;
	definitions.nr_strings = 1;
	definitions.properties = &property;
	definitions.nr_properties = 1;
	start("1000:2:8:10:10", MEASURE_COMPENSATION_FREQUENCY);
	local(1000);
	CU_ASSERT_EQUAL(local(1100), 100 - 10 - 3);
	start("1000:2:8:10:10", MEASURE_COMPENSATION_CLASSIC);
	local(1000);
	CU_ASSERT_EQUAL(local(1100), 100 - 10);
	definitions.nr_properties = 0;
}

int main(void)
{
	CU_TestInfo tests[] = {{"events in a row", test_local}, {"parts of ticks", test_parts},
		{"longer than the time between", test_debt}, {"kinds of records", test_kinds},
		{"flushes", test_flush}, {"rates", test_rate}, {"waits", test_receive},
		{"event memory", test_memory}, CU_TEST_INFO_NULL};

	return t_suite("removal", NULL, NULL, tests);
}
