/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: clock functions are applied as OTF2's reader applies clock offsets, their inverses
 * lead back, and lines are joined and fitted. Seeded; seed and number of rounds may be given. */
#include "config.h"

#include <math.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "clock/clock_function.h"
#include "../t_suite.h"

#define MAX_KNOTS 40
#define NR_PROBES 64
#define NR_CLOCKS 300 /* in the archive that OTF2 reads */
#define LENGTH    UINT64_C(10000000000)
#define NR_BOUNDS 100

static uint64_t seed = 1;
static long nr_rounds = 2000;

static uint64_t t_random(uint64_t limit)
{
	return measure_random(&seed) % limit;
}

struct t_function {
	struct measure_clock_knot items[MAX_KNOTS];
	struct measure_clock_function list;
};

/* A clock that runs on: it is off by up to `most` ticks of `step` from knot to knot. */
static void t_make(struct t_function *function, size_t nr, uint64_t start, uint64_t step)
{
	uint64_t time = start;
	int64_t offset = (int64_t)t_random(UINT64_C(1) << 40) - (INT64_C(1) << 39);

	for (size_t i = 0; i < nr; i++) {
		function->items[i] = (struct measure_clock_knot){time, offset, 0};
		time += step + t_random(step);
		offset += (int64_t)t_random(step) - (int64_t)(step / 2);
	}
	function->list = (struct measure_clock_function){function->items, nr, MAX_KNOTS};
}

static void t_make_random(struct t_function *function)
{
	t_make(function, 2 + t_random(MAX_KNOTS - 2), (UINT64_C(1) << 41) + t_random(LENGTH),
		UINT64_C(2) << t_random(36));
}

/* A time from shortly before the first knot to shortly after the last one. */
static uint64_t t_probe(const struct t_function *function)
{
	const uint64_t first = function->items[0].time;
	const uint64_t length = function->items[function->list.nr - 1].time - first;

	return first - length / 8 + t_random(length + length / 4 + 1);
}

/* ---------------------------------------------------------------------- applying --- */

/* What the words of the header say, in long doubles. */
static void test_apply(void)
{
	struct t_function function;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_random(&function);
		const uint64_t time = t_probe(&function);
		size_t number = 0;

		while (number + 2 < function.list.nr && time > function.items[number + 1].time)
			number++;
		CU_ASSERT_EQUAL(measure_clock_function_find(&function.list, time), number);
		const struct measure_clock_knot *from = &function.items[number], *to = from + 1;
		const long double slope = (long double)(to->offset - from->offset) /
					  (long double)(to->time - from->time);
		const long double offset = (long double)from->offset +
					   slope * ((long double)time - (long double)from->time);
		const int64_t found =
			(int64_t)(measure_clock_function_apply(&function.list, time) - time);
		CU_ASSERT(fabsl(offset - (long double)found) < 0.51L);
	}
}

/* Both lines that end in a knot give what it says, and time never turns back. */
static void test_continuous(void)
{
	struct t_function function;

	for (long round = 0; round < nr_rounds; round++) {
		struct measure_clock_reading reading = {.number = 0};
		uint64_t last = 0;

		t_make_random(&function);
		for (size_t i = 0; i < function.list.nr; i++) {
			const struct measure_clock_knot *knot = &function.items[i];
			const uint64_t corrected = knot->time + (uint64_t)knot->offset;

			CU_ASSERT_EQUAL(measure_clock_function_apply(&function.list, knot->time),
				corrected);
			if (i + 1 < function.list.nr) {
				const struct measure_clock_line line =
					measure_clock_line_between(knot, knot + 1);
				CU_ASSERT_EQUAL(
					measure_clock_line_at(&line, knot->time), knot->offset);
				CU_ASSERT_EQUAL(
					measure_clock_line_at(&line, knot[1].time), knot[1].offset);
			}
			for (uint64_t time = knot->time - 2; time < knot->time + 3; time++) {
				const uint64_t found =
					measure_clock_function_apply(&function.list, time);
				struct measure_clock_reading before = reading;
				CU_ASSERT_EQUAL(
					measure_clock_function_read(&function.list, &before, time),
					found);
				CU_ASSERT(time == knot->time - 2 || found >= last);
				last = found;
			}
			measure_clock_function_read(&function.list, &reading, knot->time);
		}
	}
}

static void test_few_knots(void)
{
	struct measure_clock_knot knot = {1000, 50, 0};
	const struct measure_clock_function none = {NULL, 0, 0}, one = {&knot, 1, 1};

	CU_ASSERT_EQUAL(measure_clock_function_apply(&none, 77), 77);
	CU_ASSERT_EQUAL(measure_clock_function_apply(&one, 77), 77);
	CU_ASSERT_EQUAL(measure_clock_function_invert(&none, 77), 77);
	CU_ASSERT_EQUAL(measure_clock_function_invert(&one, 77), 77);
	CU_ASSERT_TRUE(measure_clock_function_is_same(&none, &none));
	CU_ASSERT_FALSE(measure_clock_function_is_same(&none, &one));
}

/* --------------------------------------------------------------------- inverting --- */

/* A corrected time leads back to one that has it, any other time to the nearest. */
static void test_invert(void)
{
	struct t_function function;

	for (long round = 0; round < nr_rounds; round++) {
		t_make_random(&function);
		const uint64_t time = t_probe(&function);
		const uint64_t corrected = measure_clock_function_apply(&function.list, time);
		const uint64_t back = measure_clock_function_invert(&function.list, corrected);
		const uint64_t any = measure_clock_function_invert(&function.list, time);

		CU_ASSERT_EQUAL(measure_clock_function_apply(&function.list, back), corrected);
		CU_ASSERT(llabs((int64_t)(back - time)) <= 2);
		CU_ASSERT(llabs((int64_t)(measure_clock_function_apply(&function.list, any) -
					  time)) <= 1);
	}
}

/* At the end of the counter, and with knots that no clock has: no sum may overflow. */
static void test_extremes(void)
{
	struct measure_clock_knot late[] = {
		{UINT64_MAX - 1000, -500, 0}, {UINT64_MAX - 500, -400, 0}, {UINT64_MAX, -300, 0}};
	struct measure_clock_knot wide[] = {
		{0, INT64_MIN, 0}, {1, INT64_MAX, 0}, {UINT64_MAX, INT64_MIN, 0}};
	const struct measure_clock_function end = {late, 3, 3}, all = {wide, 3, 3};
	struct t_function function;

	CU_ASSERT_EQUAL(measure_clock_function_apply(&end, UINT64_MAX), UINT64_MAX - 300);
	CU_ASSERT_EQUAL(measure_clock_function_apply(&end, UINT64_MAX - 1), UINT64_MAX - 301);
	CU_ASSERT_EQUAL(measure_clock_function_invert(&end, UINT64_MAX - 300), UINT64_MAX);
	CU_ASSERT_EQUAL(measure_clock_function_invert(&end, UINT64_MAX), UINT64_MAX);
	CU_ASSERT_EQUAL(measure_clock_function_invert(&all, UINT64_MAX / 3),
		measure_clock_function_invert(&all, UINT64_MAX / 3));
	for (long round = 0; round < nr_rounds; round++) {
		uint64_t time = t_random(4);

		function.list = (struct measure_clock_function){
			function.items, t_random(MAX_KNOTS), MAX_KNOTS};
		for (size_t i = 0; i < function.list.nr; i++) {
			function.items[i] = (struct measure_clock_knot){
				time, (int64_t)measure_random(&seed), 0};
			time += 1 + t_random((UINT64_MAX - time) / 2);
		}
		time = measure_random(&seed);
		measure_clock_function_invert(&function.list, time);
		measure_clock_function_apply(&function.list, time);
		t_make(&function, 3, UINT64_MAX - (UINT64_C(1) << 43), UINT64_C(1) << 40);
		time = UINT64_MAX - t_random(UINT64_C(1) << 43);
		CU_ASSERT(time > function.items[0].time);
		const uint64_t corrected = measure_clock_function_apply(&function.list, time);
		if (corrected > time / 2) /* it has not wrapped around */
			CU_ASSERT(llabs((int64_t)(measure_clock_function_invert(
							  &function.list, corrected) -
						  time)) <= 2);
	}
}

/* ------------------------------------------------------------------------- lines --- */

static struct measure_clock_line t_line(void)
{
	return (struct measure_clock_line){1000000 + t_random(LENGTH), (int64_t)t_random(LENGTH),
		((double)t_random(2001) - 1000) * 1e-7};
}

static uint64_t t_along(const struct measure_clock_line *line, uint64_t time)
{
	return time + (uint64_t)measure_clock_line_at(line, time);
}

/* There and back; and one after the other is both. */
static void test_lines(void)
{
	for (long round = 0; round < nr_rounds; round++) {
		const struct measure_clock_line first = t_line(), then = t_line();
		const struct measure_clock_line back = measure_clock_line_invert(&first);
		const struct measure_clock_line none = measure_clock_line_join(&first, &back);
		const struct measure_clock_line both = measure_clock_line_join(&first, &then);
		const uint64_t time = t_random(2 * LENGTH);
		const uint64_t there = t_along(&first, time);

		CU_ASSERT(llabs((int64_t)(t_along(&back, there) - time)) <= 1);
		CU_ASSERT(llabs(measure_clock_line_at(&none, time)) <= 1);
		CU_ASSERT(llabs((int64_t)(t_along(&both, time) - t_along(&then, there))) <= 2);
	}
}

/* Between bounds on both sides of a line the fitted one is as near as it says. */
static void test_fit(void)
{
	struct measure_clock_bound lows[NR_BOUNDS], highs[NR_BOUNDS];

	for (long round = 0; round < nr_rounds / 50; round++) {
		const struct measure_clock_line truth = t_line();
		struct measure_clock_line found;
		double half;

		for (size_t i = 0; i < NR_BOUNDS; i++) {
			const uint64_t time = truth.time + i * (LENGTH / NR_BOUNDS);
			const int64_t offset = measure_clock_line_at(&truth, time);
			lows[i] = (struct measure_clock_bound){
				time, offset - (int64_t)t_random(10000)};
			highs[i] = (struct measure_clock_bound){
				time, offset + (int64_t)t_random(10000)};
		}
		found = measure_clock_line_fit(
			lows, NR_BOUNDS, highs, NR_BOUNDS, truth.time, truth.time + LENGTH, &half);
		CU_ASSERT(half < 10000);
		for (uint64_t time = truth.time; time <= truth.time + LENGTH; time += LENGTH / 8)
			CU_ASSERT(fabs((double)(measure_clock_line_at(&found, time) -
						measure_clock_line_at(&truth, time))) <= half + 1);
		/* From one side alone: no drift, and no bound. */
		found = measure_clock_line_fit(lows, 1, NULL, 0, 0, LENGTH, &half);
		CU_ASSERT(found.slope == 0 && half == HUGE_VAL);
		CU_ASSERT_EQUAL(measure_clock_line_at(&found, lows[0].time), lows[0].offset);
	}
}

/* ---------------------------------------------------------- against OTF2's reader --- */

struct t_clock {
	struct t_function function;
	uint64_t times[NR_PROBES];
	uint64_t theirs[NR_PROBES];
	size_t nr_read;
};

static struct t_clock clocks[NR_CLOCKS];

static int compare_times(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void make_clocks(void)
{
	for (size_t i = 0; i < NR_CLOCKS; i++) {
		struct t_clock *clock = &clocks[i];

		t_make_random(&clock->function);
		if (i % 3 == 1) /* at the end of the counter */
			t_make(&clock->function, 2 + t_random(MAX_KNOTS - 2),
				UINT64_MAX - (UINT64_C(1) << 50), UINT64_C(2) << t_random(42));
		if (i % 3 == 2) /* all over it */
			t_make(&clock->function, 2 + t_random(MAX_KNOTS - 2),
				t_random(UINT64_C(1) << 60), UINT64_C(1) << t_random(57));
		for (size_t k = 0; k < NR_PROBES; k++)
			clock->times[k] =
				k % 8 ? t_probe(&clock->function)
				      : clock->function.items[t_random(clock->function.list.nr)]
						.time;
		qsort(clock->times, NR_PROBES, sizeof(*clock->times), compare_times);
		clock->nr_read = 0;
	}
}

static OTF2_FlushType flush(
	void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
	(void)data, (void)type, (void)location, (void)caller, (void)is_final;
	return OTF2_FLUSH;
}

static void write_clock(OTF2_Archive *archive, OTF2_LocationRef location)
{
	const struct t_clock *clock = &clocks[location];
	OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, location);
	OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(archive, location);

	for (size_t k = 0; k < NR_PROBES; k++)
		CU_ASSERT_EQUAL(
			OTF2_EvtWriter_Enter(events, NULL, clock->times[k], 0), OTF2_SUCCESS);
	for (size_t k = 0; k < clock->function.list.nr; k++)
		CU_ASSERT_EQUAL(
			OTF2_DefWriter_WriteClockOffset(local, clock->function.items[k].time,
				clock->function.items[k].offset, 0),
			OTF2_SUCCESS);
	OTF2_Archive_CloseEvtWriter(archive, events);
	OTF2_Archive_CloseDefWriter(archive, local);
}

static void write_archive(const char *directory)
{
	static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
	OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, 1 << 20,
		4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	OTF2_GlobalDefWriter *writer;

	CU_ASSERT_PTR_NOT_NULL_FATAL(archive);
	OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_OpenEvtFiles(archive);
	OTF2_Archive_OpenDefFiles(archive);
	for (OTF2_LocationRef i = 0; i < NR_CLOCKS; i++)
		write_clock(archive, i);
	OTF2_Archive_CloseDefFiles(archive);
	OTF2_Archive_CloseEvtFiles(archive);
	writer = OTF2_Archive_GetGlobalDefWriter(archive);
	OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, UINT64_MAX, 0);
	OTF2_GlobalDefWriter_WriteString(writer, 0, "");
	OTF2_GlobalDefWriter_WriteRegion(writer, 0, 0, 0, 0, OTF2_REGION_ROLE_FUNCTION,
		OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteLocationGroup(
		writer, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
	for (OTF2_LocationRef i = 0; i < NR_CLOCKS; i++)
		OTF2_GlobalDefWriter_WriteLocation(
			writer, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, NR_PROBES, 0);
	CU_ASSERT_EQUAL(OTF2_Archive_Close(archive), OTF2_SUCCESS);
}

static OTF2_CallbackCode keep_time(OTF2_LocationRef location, OTF2_TimeStamp time,
	uint64_t position, void *data, OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
	struct t_clock *clock = &clocks[location];

	(void)position, (void)data, (void)attributes, (void)region;
	if (clock->nr_read < NR_PROBES)
		clock->theirs[clock->nr_read++] = time;
	return OTF2_CALLBACK_SUCCESS;
}

static void read_archive(const char *anchor)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	uint64_t nr;

	CU_ASSERT_PTR_NOT_NULL_FATAL(reader);
	OTF2_Reader_SetSerialCollectiveCallbacks(reader);
	OTF2_Reader_ReadAllGlobalDefinitions(reader, OTF2_Reader_GetGlobalDefReader(reader), &nr);
	for (OTF2_LocationRef i = 0; i < NR_CLOCKS; i++)
		OTF2_Reader_SelectLocation(reader, i);
	OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, keep_time);
	OTF2_Reader_OpenDefFiles(reader);
	OTF2_Reader_OpenEvtFiles(reader);
	for (OTF2_LocationRef i = 0; i < NR_CLOCKS; i++) {
		OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader, i);
		OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, i);

		OTF2_Reader_ReadAllLocalDefinitions(reader, local, &nr);
		OTF2_Reader_CloseDefReader(reader, local);
		OTF2_EvtReader_ApplyClockOffsets(events, true);
		OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, NULL);
		OTF2_Reader_ReadAllLocalEvents(reader, events, &nr);
		OTF2_Reader_CloseEvtReader(reader, events);
	}
	OTF2_EvtReaderCallbacks_Delete(callbacks);
	OTF2_Reader_Close(reader);
}

static void test_otf2(void)
{
	char directory[] = "clock_function.XXXXXX";
	char anchor[64], command[64];

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(directory));
	make_clocks();
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	write_archive(strcat(strcpy(anchor, directory), "/trace"));
	read_archive(strcat(anchor, "/traces.otf2"));
	CU_ASSERT_EQUAL(system(command), 0);
	for (size_t i = 0; i < NR_CLOCKS; i++) {
		const struct measure_clock_function *function = &clocks[i].function.list;
		struct measure_clock_reading reading = {.number = 0};

		CU_ASSERT_EQUAL_FATAL(clocks[i].nr_read, NR_PROBES);
		for (size_t k = 0; k < NR_PROBES; k++) {
			const uint64_t time = clocks[i].times[k];

			CU_ASSERT_EQUAL(measure_clock_function_read(function, &reading, time),
				clocks[i].theirs[k]);
			CU_ASSERT_EQUAL(
				measure_clock_function_apply(function, time), clocks[i].theirs[k]);
		}
	}
}

int main(int argc, char **argv)
{
	static CU_TestInfo tests[] = {
		{"apply", test_apply},
		{"continuous and rising", test_continuous},
		{"less than two knots", test_few_knots},
		{"invert", test_invert},
		{"extremes", test_extremes},
		{"lines", test_lines},
		{"fit", test_fit},
		{"as OTF2's reader", test_otf2},
		CU_TEST_INFO_NULL,
	};

	if (argc > 1)
		seed = strtoull(argv[1], NULL, 0);
	if (argc > 2)
		nr_rounds = atol(argv[2]);
	return t_suite("clock_function", NULL, NULL, tests);
}
