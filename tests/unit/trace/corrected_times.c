/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the hash map keeps what it is given, corrected times are those that the OTF2 library
 * itself computes, and clocks that are given to a trace hold instead, from event to event. */
#include "config.h"

#include <stdlib.h>

#include "made_archive.h"
#include "trace/common/containers.h"
#include "trace/archive/trace.h"
#include "../t_suite.h"

#define NR_KEYS 5000

/* Keys that collide often; every third one is removed again. */
static void test_map(void)
{
	struct measure_map map = {0};

	CU_ASSERT_EQUAL(measure_map_get(&map, measure_key_of(1)), MEASURE_NONE);
	for (uint32_t i = 0; i < NR_KEYS; i++)
		measure_map_set(&map, measure_key_pair(i % 7, (uint64_t)i << 20), i);
	for (uint32_t i = 0; i < NR_KEYS; i += 3)
		measure_map_remove(&map, measure_key_pair(i % 7, (uint64_t)i << 20));
	for (uint32_t i = 0; i < NR_KEYS; i++) {
		uint32_t value = measure_map_get(&map, measure_key_pair(i % 7, (uint64_t)i << 20));

		if (value != (i % 3 ? i : MEASURE_NONE))
			CU_FAIL("a key is lost or came back");
	}
	CU_ASSERT_EQUAL(map.nr_used, NR_KEYS - (NR_KEYS + 2) / 3);
	CU_ASSERT_EQUAL(measure_map_intern(&map, measure_key_pair(1, 1 << 20), 99), 1);
	measure_map_clear(&map);
	CU_ASSERT_EQUAL(measure_map_get(&map, measure_key_pair(1, 1 << 20)), MEASURE_NONE);
	measure_map_free(&map);
}

struct t_times {
	uint64_t times[64];
	size_t nr;
};

static void keep_ours(void *data, const struct measure_event *event)
{
	struct t_times *times = data;

	times->times[times->nr++] = event->time;
}

static OTF2_CallbackCode keep_theirs(OTF2_LocationRef location, OTF2_TimeStamp time, void *data,
	OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct t_times *times = data;

	(void)attributes;
	(void)region;
	if (location == 0)
		times->times[times->nr++] = time;
	return OTF2_CALLBACK_SUCCESS;
}

/* Enters and Leaves of rank 0 as the library's global reader gives them. */
static void read_theirs(const char *directory, struct t_times *times)
{
	OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
	char anchor[200];
	OTF2_Reader *reader;
	OTF2_DefReader *local;
	uint64_t nr;

	snprintf(anchor, sizeof(anchor), "%s/traces.otf2", directory);
	reader = OTF2_Reader_Open(anchor);
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	OTF2_Reader_ReadAllGlobalDefinitions(reader, OTF2_Reader_GetGlobalDefReader(reader), &nr);
	OTF2_Reader_SelectLocation(reader, 0);
	OTF2_Reader_OpenDefFiles(reader);
	local = OTF2_Reader_GetDefReader(reader, 0);
	OTF2_Reader_ReadAllLocalDefinitions(reader, local, &nr);
	OTF2_Reader_CloseDefReader(reader, local);
	OTF2_Reader_CloseDefFiles(reader);
	OTF2_Reader_OpenEvtFiles(reader);
	OTF2_Reader_GetEvtReader(reader, 0);
	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, keep_theirs);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, keep_theirs);
	OTF2_Reader_RegisterGlobalEvtCallbacks(
		reader, OTF2_Reader_GetGlobalEvtReader(reader), callbacks, times);
	OTF2_Reader_ReadAllGlobalEvents(reader, OTF2_Reader_GetGlobalEvtReader(reader), &nr);
	OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_Close(reader);
}

static void keep_regions(void *data, const struct measure_event *event)
{
	if (event->kind == MEASURE_EVENT_ENTER || event->kind == MEASURE_EVENT_LEAVE)
		keep_ours(data, event);
}

static void test_offsets(void)
{
	static const struct t_offset offsets[] = {{T_RANK0, 115, 1000}, {T_RANK0, 162, 1017},
		{T_RANK0, 163, 1001}, {T_RANK0, 240, 877}, {T_RANK0, 310, 1000}};
	struct measure_findings findings = {.nr_kept_per_check = 1};
	struct t_times ours = {.nr = 0}, theirs = {.nr = 0};
	const char *directory = t_directory();
	struct t_archive archive;
	struct measure_trace *trace;
	uint64_t nr_read;

	t_archive_make(&archive);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		archive.offsets[archive.nr_offsets++] = offsets[i];
	CU_ASSERT_TRUE_FATAL(t_archive_write(&archive, directory));
	read_theirs(directory, &theirs);
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(directory, &findings, &trace), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_stream_read(trace, 0, keep_regions, &ours, &nr_read), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(ours.nr, theirs.nr);
	CU_ASSERT_TRUE(ours.nr > 10);
	for (size_t i = 0; i < ours.nr; i++)
		CU_ASSERT_EQUAL(ours.times[i], theirs.times[i]);
	CU_ASSERT_NOT_EQUAL(ours.times[0], 110);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	t_archive_free(&archive);
}

/* ------------------------------------------------------------- clocks that are given --- */

struct t_raws {
	struct measure_event events[64];
	size_t nr;
};

static void keep_events(void *data, const struct measure_event *event)
{
	struct t_raws *raws = data;

	raws->events[raws->nr++] = *event;
}

/* Two knots make it constant. */
static struct measure_clock_function constant(struct measure_clock_knot knots[2], int64_t offset)
{
	knots[0] = (struct measure_clock_knot){0, offset, 0};
	knots[1] = (struct measure_clock_knot){1, offset, 0};
	return (struct measure_clock_function){knots, 2, 2};
}

/* The first event at the tick of the one before it: a step between them needs its position. */
static size_t find_same_tick(const struct t_raws *raws, size_t from)
{
	for (size_t i = from; i < raws->nr; i++)
		if (raws->events[i].raw == raws->events[i - 1].raw)
			return i;
	CU_FAIL_FATAL("no two events of one tick");
	return 0;
}

static int64_t offset_of(
	const struct t_raws *raws, size_t i, const struct measure_clock_step *steps, size_t split)
{
	if (raws->events[i].raw > steps[1].raw)
		return 7000;
	return i >= split ? 300 : 1000;
}

static void test_clocks(void)
{
	struct measure_clock_knot knots[3][2];
	const struct measure_clock_function before = constant(knots[0], 1000),
					    behind = constant(knots[1], 300),
					    last = constant(knots[2], 7000);
	struct measure_event_clock clocks[T_NR_LOCATIONS] = {
		{&last, NULL, 0}, {&last, NULL, 0}, {&last, NULL, 0}};
	struct measure_findings findings = {.nr_kept_per_check = 1};
	struct t_raws plain = {.nr = 0}, corrected = {.nr = 0};
	const char *directory = t_directory();
	struct measure_clock_step steps[2];
	struct t_archive archive;
	struct measure_trace *trace;
	uint64_t nr_read;
	size_t split;

	t_archive_make(&archive);
	for (size_t i = 0; i < archive.nr_events; i++) /* three events at each tick */
		archive.events[i].event.time -= archive.events[i].event.time % 20;
	CU_ASSERT_TRUE_FATAL(t_archive_write(&archive, directory));
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(directory, &findings, &trace), MEASURE_OK);
	measure_stream_read(trace, T_RANK0, keep_events, &plain, &nr_read);
	split = find_same_tick(&plain, 4);
	steps[0] = (struct measure_clock_step){
		plain.events[split].raw, plain.events[split].position, &behind};
	steps[1] = (struct measure_clock_step){plain.events[split + 4].raw, UINT64_MAX, &last};
	clocks[T_RANK0] = (struct measure_event_clock){&before, steps, 2};
	trace->clocks = clocks;
	measure_stream_read(trace, T_RANK0, keep_events, &corrected, &nr_read);
	CU_ASSERT_EQUAL_FATAL(corrected.nr, plain.nr);
	for (size_t i = 0; i < plain.nr; i++) {
		const struct measure_event *event = &corrected.events[i];
		const uint64_t expected = event->raw + (uint64_t)offset_of(&plain, i, steps, split);

		CU_ASSERT_EQUAL(event->raw, plain.events[i].raw);
		CU_ASSERT_EQUAL(event->kind, plain.events[i].kind);
		CU_ASSERT_EQUAL(event->ref, plain.events[i].ref);
		CU_ASSERT_EQUAL(event->time, expected);
		CU_ASSERT_EQUAL(
			measure_event_time(trace, T_RANK0, event->raw, event->position), expected);
	}
	CU_ASSERT_EQUAL(measure_event_time(trace, T_RANK1, 5, 1), 7005);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	t_archive_free(&archive);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"hash map", test_map},
		{"clock offsets as OTF2 applies them", test_offsets},
		{"clocks that are given", test_clocks},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("reading", NULL, NULL, tests);

	t_clean();
	return failed;
}
