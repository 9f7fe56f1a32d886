/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: clock offsets of processes with measured offsets, one, or none; frequency and
 * span of the archive. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "assemble/clocks/clock_correction.h"
#include "../t_suite.h"

#define NR_PARTS 4
#define NR_RANKS 3

static struct measure_part parts[NR_PARTS];
static struct measure_job job;
static struct measure_clock_correction timeline;

/* A process of rank `rank` with events from 1,000,000 to 2,000,000 of its own clock. */
static struct measure_part *t_part(uint32_t rank, uint64_t domain, uint64_t shift)
{
	struct measure_part *part = &parts[rank];
	struct measure_part_location location = {.name = "",
		.events = {.nr_events = 2,
			.nr_recorded = 2,
			.nr_bytes = 100,
			.first_time = 1000000 + shift,
			.last_time = 2000000 + shift}};

	part->name = (char *)"part";
	part->has_process = part->has_world = part->has_end = true;
	part->process = (struct measure_def_process){.host = "h", .node = "h", .program = "p",
		.arguments = "", .creator = "", .clock = "tsc", .clock_domain = domain,
		.begin_ticks = 1000000 + shift};
	part->world = (struct measure_def_world){rank, NR_RANKS, 1, 1};
	part->end.ticks = 2000000 + shift;
	CU_ASSERT_EQUAL(measure_array_push(&part->locations, location), MEASURE_OK);
	return part;
}

static void t_triple(struct measure_part *part, uint64_t ticks, int64_t raw, int64_t realtime)
{
	struct measure_def_clock_triple triple = {ticks, 10, raw, realtime};

	CU_ASSERT_EQUAL(measure_array_push(&part->triples, triple), MEASURE_OK);
}

static void t_sample(struct measure_part *part, uint64_t ticks, int64_t offset, uint64_t bound)
{
	struct measure_def_clock_sample sample = {ticks, offset, bound};

	CU_ASSERT_EQUAL(measure_array_push(&part->samples, sample), MEASURE_OK);
}

static void t_make(size_t nr)
{
	CU_ASSERT_EQUAL(measure_job_make(parts, nr, &job), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_clock_correction_make(&job, &timeline), MEASURE_OK);
	for (size_t i = 0; i < timeline.corrections.nr; i++)
		CU_ASSERT(timeline.corrections.items[i].function.nr >= 2);
}

static void t_free(void)
{
	for (size_t i = 0; i < NR_PARTS; i++) {
		free(parts[i].locations.items);
		free(parts[i].triples.items);
		free(parts[i].samples.items);
	}
	memset(parts, 0, sizeof(parts));
	measure_clock_correction_free(&timeline);
	measure_job_free(&job);
}

static uint64_t t_correct(size_t process, uint64_t ticks)
{
	return measure_clock_function_apply(&timeline.corrections.items[process].function, ticks);
}

/* Ranks 0 and 1 share a clock; rank 2 is 10^9 ticks ahead and 1000 ppm fast. */
static void test_measured(void)
{
	struct measure_part *first = t_part(0, 1, 0);

	t_triple(first, 1000000, 0, 5000000000);
	t_triple(first, 1000000 + 2500000000, 1000000000, 6000000000);
	t_part(1, 1, 500);
	struct measure_part *third = t_part(2, 2, 1000000000);
	t_sample(third, 1002000000, -1000001000, 9);
	t_sample(third, 1001000000, -1000000000, 7);
	t_sample(third, 1001000000, -77, 8); /* worse, at the same time */
	t_make(3);

	CU_ASSERT_EQUAL(timeline.resolution, 2500000000);
	CU_ASSERT_TRUE(timeline.is_resolution_known);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].source, MEASURE_OFFSET_SAME_CLOCK);
	CU_ASSERT_EQUAL(t_correct(1, 1234567), 1234567);
	CU_ASSERT_EQUAL(timeline.corrections.items[2].source, MEASURE_OFFSET_MEASURED);
	CU_ASSERT_EQUAL(timeline.corrections.items[2].function.nr, 2);
	CU_ASSERT_EQUAL(t_correct(2, 1002000000), 1999000);
	CU_ASSERT_EQUAL(t_correct(2, 1001000000), 1000000);
	CU_ASSERT_EQUAL(timeline.bound, 9);
	CU_ASSERT_EQUAL(timeline.realtime, 5000000000);
	t_free();
}

/* Spawned processes measure against the first of them. One that is on a node of their parents
 * has its clock from those. */
static void test_spawned(void)
{
	struct measure_part *parent, *child;

	t_part(0, 1, 0);
	parent = t_part(1, 2, 0);
	t_sample(parent, 1000000, -1000, 5);
	t_sample(parent, 2000000, -1000, 5);
	child = t_part(2, 3, 0);
	child->world = (struct measure_def_world){0, 2, 9, 9};
	child = t_part(3, 2, 0);
	child->world = (struct measure_def_world){1, 2, 9, 9};
	t_sample(child, 1000000, 700000, 5);
	t_sample(child, 2000000, 700000, 5);
	t_make(4);
	CU_ASSERT_EQUAL(job.worlds.nr, 2);
	CU_ASSERT_EQUAL(timeline.corrections.items[4].source, MEASURE_OFFSET_MEASURED);
	CU_ASSERT_EQUAL(t_correct(4, 1500000), 1499000);
	t_free();
}

/* Knots with a slope of -1 or below would turn time back: left out. */
static void test_backwards(void)
{
	t_part(0, 1, 0);
	struct measure_part *other = t_part(1, 2, 0);
	t_sample(other, 1000000, 0, 1);
	t_sample(other, 1500000, -600000, 1);
	t_sample(other, 2000000, -1000, 1);
	t_make(2);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].function.nr, 2);
	CU_ASSERT_EQUAL(t_correct(1, 2000000), 1999000);
	t_free();
}

/* The other clock ticks twice as fast; its node's wall clock says so. */
static void test_one_sample(void)
{
	struct measure_part *first = t_part(0, 1, 0), *other = t_part(1, 2, 0);

	t_triple(first, 0, 0, 0);
	t_triple(first, 1000000000, 1000000000, 1000000000);
	t_triple(other, 0, 0, 0);
	t_triple(other, 2000000000, 1000000000, 1000000000);
	t_sample(other, 1500000, -500000, 3);
	t_make(2);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].source, MEASURE_OFFSET_ONE_SAMPLE);
	CU_ASSERT_EQUAL(t_correct(1, 1500000), 1000000);
	CU_ASSERT_EQUAL(t_correct(1, 1700000), 1100000);
	t_free();
}

/* The second sample was taken on a busy machine: it says less than the first one does. */
static void test_poor_sample(void)
{
	struct measure_part *first = t_part(0, 1, 0), *other = t_part(1, 2, 0);

	t_triple(first, 0, 0, 0);
	t_triple(first, 1000000000, 1000000000, 1000000000);
	t_triple(other, 0, 0, 0);
	t_triple(other, 1000000000, 1000000000, 1000000000);
	t_sample(other, 1000000, 100, 3);
	t_sample(other, 2000000, 5000, 9000);
	t_make(2);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].source, MEASURE_OFFSET_ONE_SAMPLE);
	CU_ASSERT_EQUAL(t_correct(1, 1000000), 1000100);
	CU_ASSERT_EQUAL(t_correct(1, 2000000), 2000100);
	CU_ASSERT(timeline.bound >= 13 && timeline.bound < 20);
	t_free();
}

/* Poor samples between good ones: one that bears them out, and one that the line between them
 * misses, as the drift has changed. */
static void test_poor_samples_between(void)
{
	struct measure_part *first = t_part(0, 1, 0), *other = t_part(1, 2, 0);

	t_triple(first, 0, 0, 0);
	t_triple(first, 1000000000, 1000000000, 1000000000);
	t_triple(other, 0, 0, 0);
	t_triple(other, 1000000000, 1000000000, 1000000000);
	t_sample(other, 1000000, 100, 3);
	t_sample(other, 600000000, 300, 9000);
	t_sample(other, 500000000, 9600, 9000);
	t_sample(other, 1000000000, 100, 3);
	t_make(2);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].source, MEASURE_OFFSET_MEASURED);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].function.nr, 3);
	CU_ASSERT_EQUAL(t_correct(1, 500000000), 500009600);
	t_free();
}

/* Somebody set a wall clock meanwhile: the samples know better, though they are not good. */
static void test_wall_clock_set(void)
{
	struct measure_part *first = t_part(0, 1, 0), *other = t_part(1, 2, 0);

	t_triple(first, 0, 0, 0);
	t_triple(first, 1000000000, 1000000000, 1000000000);
	t_triple(other, 0, 0, 0);
	t_triple(other, 1000000000, 1000000000, 3000000000);
	t_sample(other, 1000000, 100, 300);
	t_sample(other, 2000000, 150, 300);
	t_make(2);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].source, MEASURE_OFFSET_MEASURED);
	CU_ASSERT_EQUAL(t_correct(1, 1500000), 1500125);
	t_free();
}

static void test_wall_clock(void)
{
	struct measure_part *first = t_part(0, 1, 0), *other = t_part(1, 2, 7000000);

	t_triple(first, 0, 0, 1000);
	t_triple(first, 1000000000, 1000000000, 1000001000);
	t_triple(other, 7000000, 0, 1000);
	t_make(2);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].source, MEASURE_OFFSET_WALL_CLOCK);
	CU_ASSERT_EQUAL(t_correct(1, 8000000), 1000000);
	CU_ASSERT_EQUAL(timeline.begin, 1000000);
	CU_ASSERT_EQUAL(timeline.length, 1000000);
	t_free();
}

static void test_unknown(void)
{
	t_part(0, 1, 0);
	t_part(1, 2, 3);
	t_make(2);
	CU_ASSERT_EQUAL(timeline.corrections.items[1].source, MEASURE_OFFSET_UNKNOWN);
	CU_ASSERT_EQUAL(t_correct(1, 5), 5);
	CU_ASSERT_FALSE(timeline.is_resolution_known);
	CU_ASSERT_EQUAL(timeline.realtime, UINT64_MAX);
	t_free();
}

/* Rank 0 left nothing: offsets are still relative to its clock. */
static void test_no_rank_0(void)
{
	struct measure_part *part = t_part(1, 2, 0);

	t_sample(part, 1000000, 100, 1);
	t_sample(part, 2000000, 100, 1);
	parts[0] = parts[1];
	memset(&parts[1], 0, sizeof(parts[1]));
	t_make(1);
	CU_ASSERT_EQUAL(job.nr_missing, NR_RANKS - 1);
	CU_ASSERT_EQUAL(t_correct(1, 1500000), 1500100);
	CU_ASSERT_EQUAL(timeline.begin, 1000100);
	t_free();
}

/* There is no later tick to draw a line to. */
static void test_end_of_time(void)
{
	struct measure_part *part = t_part(0, 1, 0);

	part->process.begin_ticks = UINT64_MAX;
	part->end.ticks = UINT64_MAX;
	t_make(1);
	CU_ASSERT_EQUAL(t_correct(0, 1500000), 1500000);
	t_free();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"measured", test_measured},
		{"spawned", test_spawned},
		{"backwards", test_backwards},
		{"one sample", test_one_sample},
		{"poor sample", test_poor_sample},
		{"poor samples between good ones", test_poor_samples_between},
		{"wall clock set", test_wall_clock_set},
		{"wall clock", test_wall_clock},
		{"unknown", test_unknown},
		{"no rank 0", test_no_rank_0},
		{"end of time", test_end_of_time},
		CU_TEST_INFO_NULL,
	};

	return t_suite("timeline", NULL, NULL, tests);
}
