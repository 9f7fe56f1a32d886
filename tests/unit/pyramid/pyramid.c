/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: bins of each location and group have what was truly in them, on all levels: of
 * random events, of few and of none, of times up to 2^64; any number of threads makes the same
 * bytes */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../t_suite.h"
#include "analysis/pyramid/location_bins.h"
#include "analysis/pyramid/pyramid.h"
#include "t_truth.h"

#define NR_RANDOM_TRACES 100
#define NR_REGIONS       32 /* those of t_profile.h, and pseudo regions */

static struct measure_pyramid pyramid;

static void read_pyramid(unsigned threads, unsigned shift, uint64_t most_bins)
{
	const struct measure_pyramid_options options = {
		.nr_threads = threads, .shift = shift, .most_bins = most_bins};

	CU_ASSERT_EQUAL(measure_pyramid_read(t_trace, &t_profile, &options, &pyramid), MEASURE_OK);
}

/* ------------------------------------------------------------------------- truth --- */

static uint64_t units(uint64_t time)
{
	return (time - t_profile.first) >> pyramid.shift;
}

static uint32_t number_of(uint32_t region)
{
	return region < T_NR_REGIONS ? region
				     : T_NR_REGIONS + region - (uint32_t)MEASURE_PSEUDO_NO_REGION;
}

static uint64_t overlap(uint64_t from, uint64_t until, uint64_t first, uint64_t end)
{
	const uint64_t begin = from > first ? from : first, stop = until < end ? until : end;

	return stop > begin ? stop - begin : 0;
}

/* Ticks of [first, end) by region. */
static void sum_regions(
	const struct t_location *truth, uint64_t first, uint64_t end, uint64_t *ticks)
{
	for (size_t i = 0; i + 1 < truth->nr_steps; i++)
		ticks[number_of(t_region(&truth->steps[i]))] += overlap(
			units(truth->steps[i].time), units(truth->steps[i + 1].time), first, end);
}

static void count_events(const struct t_location *truth, uint64_t first, uint64_t end, bool is_last,
	struct measure_pyramid_bin *bin)
{
	for (size_t i = 0; i < truth->nr_steps; i++) {
		const struct t_step *step = &truth->steps[i];
		const uint64_t time = units(step->time);

		if (!step->is_event || time < first || time > end || (time == end && !is_last))
			continue;
		bin->events++;
		bin->sends += step->is_send;
		bin->receives += step->is_receive;
		bin->bytes_sent += step->bytes;
	}
}

/* The region with the most ticks; the first of them. */
static uint32_t take_largest(uint64_t *ticks, uint64_t *largest)
{
	uint32_t found = NR_REGIONS;

	*largest = 0;
	for (uint32_t i = 0; i < NR_REGIONS; i++)
		if (ticks[i] > *largest) {
			*largest = ticks[i];
			found = i;
		}
	if (found < NR_REGIONS)
		ticks[found] = 0;
	return found;
}

static struct measure_pyramid_bin true_bin(
	const struct t_location *truth, uint64_t first, uint64_t end, bool is_last)
{
	uint64_t ticks[NR_REGIONS] = {0}, largest;
	struct measure_pyramid_bin bin = {.nr_entries = 0};
	uint32_t region;

	sum_regions(truth, first, end, ticks);
	while ((region = take_largest(ticks, &largest)) < NR_REGIONS)
		if (bin.nr_entries < MEASURE_PYRAMID_ENTRIES)
			bin.entries[bin.nr_entries++] = (struct measure_pyramid_entry){largest,
				region < T_NR_REGIONS ? region
						      : region - T_NR_REGIONS +
								(uint32_t)MEASURE_PSEUDO_NO_REGION};
		else
			bin.rest += largest;
	count_events(truth, first, end, is_last, &bin);
	return bin;
}

static bool is_same_bin(
	const struct measure_pyramid_bin *left, const struct measure_pyramid_bin *right)
{
	bool is_same = left->nr_entries == right->nr_entries && left->rest == right->rest &&
		       left->events == right->events && left->sends == right->sends &&
		       left->receives == right->receives && left->bytes_sent == right->bytes_sent &&
		       left->waiting == right->waiting;

	for (uint32_t i = 0; is_same && i < left->nr_entries; i++)
		is_same = left->entries[i].region == right->entries[i].region &&
			  left->entries[i].ticks == right->entries[i].ticks;
	return is_same;
}

/* ---------------------------------------------------------------------- comparison --- */

static uint64_t ticks_of(const struct measure_pyramid_bin *bin)
{
	uint64_t sum = bin->rest;

	for (uint32_t i = 0; i < bin->nr_entries; i++)
		sum += bin->entries[i].ticks;
	return sum;
}

static void compare_level(
	const struct t_location *truth, const struct measure_pyramid_location *location, unsigned k)
{
	const struct measure_pyramid_level *level = &location->levels[k - location->smallest];
	const uint64_t last =
		(location->last > location->first ? location->last - 1 : location->last) >> k;
	struct measure_pyramid_cursor cursor = measure_pyramid_begin(level);
	struct measure_pyramid_bin bin, before = {.events = UINT64_MAX}, expected;
	uint64_t first, nr, next = location->first >> k, nr_runs = 0;

	CU_ASSERT_EQUAL(level->first_bin, next);
	CU_ASSERT_EQUAL(level->nr_bins, last - next + 1);
	while ((nr = measure_pyramid_next(&cursor, &first, &bin)) > 0) {
		CU_ASSERT_EQUAL(first, next);
		CU_ASSERT_FALSE(is_same_bin(&bin, &before));
		for (uint64_t b = first; b < first + nr; b++) {
			expected = true_bin(truth, b << k, (b + 1) << k, b == last);
			CU_ASSERT_TRUE(is_same_bin(&bin, &expected));
			CU_ASSERT_EQUAL(ticks_of(&bin),
				overlap(location->first, location->last, b << k, (b + 1) << k));
		}
		before = bin;
		next = first + nr;
		nr_runs++;
	}
	CU_ASSERT_EQUAL(next, last + 1);
	CU_ASSERT_EQUAL(nr_runs, level->nr_runs);
	CU_ASSERT_TRUE(cursor.reader.is_good && cursor.reader.at == cursor.reader.end);
}

/* The smallest level with so few bins. */
static unsigned true_smallest(const struct measure_pyramid_location *location, uint64_t most)
{
	const uint64_t last =
		location->last > location->first ? location->last - 1 : location->last;
	uint64_t nr = 1;
	unsigned k = 0;

	while (nr < most && nr * 2 * 16 <= location->nr_events)
		nr *= 2;
	while ((last >> k) - (location->first >> k) + 1 > nr)
		k++;
	return k;
}

static void compare_location(uint32_t index, uint64_t most)
{
	const struct t_location *truth = &t_truth[index];
	const struct measure_pyramid_location *location = &pyramid.locations[index];

	CU_ASSERT_EQUAL_FATAL(location->nr_events, truth->nr_events);
	if (truth->nr_events == 0) {
		CU_ASSERT_EQUAL(location->nr_levels, 0);
		return;
	}
	CU_ASSERT_EQUAL(location->first, units(truth->steps[0].time));
	CU_ASSERT_EQUAL(location->last, units(truth->steps[truth->nr_steps - 1].time));
	CU_ASSERT_EQUAL(location->smallest, true_smallest(location, most));
	for (unsigned k = 0; k < location->nr_levels; k++)
		compare_level(truth, location, location->smallest + k);
	CU_ASSERT_EQUAL(location->levels[location->nr_levels - 1].nr_bins, 1);
}

/* A group of the locations of which a bit is set. */
static void compare_group(const struct measure_pyramid_group *group, unsigned members)
{
	uint64_t nr = pyramid.length >> group->level;

	nr += pyramid.length == 0 || nr << group->level < pyramid.length;
	CU_ASSERT_EQUAL_FATAL(group->nr_bins, nr);
	for (uint64_t b = 0; b < nr; b++) {
		uint64_t expected[MEASURE_PYRAMID_NR_COLUMNS] = {0}, regions[NR_REGIONS] = {0};

		for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
			if (members >> i & 1)
				sum_regions(&t_truth[i], b << group->level, (b + 1) << group->level,
					regions);
		for (uint32_t i = 0; i < NR_REGIONS; i++)
			expected[measure_state_class_of(pyramid.classes, &t_trace->definitions,
				i < T_NR_REGIONS
					? i
					: i - T_NR_REGIONS + (uint32_t)MEASURE_PSEUDO_NO_REGION)] +=
				regions[i];
		CU_ASSERT_EQUAL(memcmp(expected, &group->ticks[b * MEASURE_PYRAMID_NR_COLUMNS],
					sizeof(expected)),
			0);
	}
}

static void compare_groups(void)
{
	CU_ASSERT_EQUAL(pyramid.nr_hosts, 1);
	CU_ASSERT_EQUAL(pyramid.nr_processes, 2);
	compare_group(&pyramid.all, 7);
	compare_group(&pyramid.hosts[0], 7);
	compare_group(&pyramid.processes[0], 3);
	compare_group(&pyramid.processes[1], 4);
}

/* ---------------------------------------------------------------------------- cases --- */

/* Case L1: a is main, b is f; parameters only fill up the number of events. */
static void test_design(void)
{
	static const struct {
		unsigned level;
		uint64_t bin, ticks_of_a, ticks_of_b;
	} cases[] = {{2, 0, 4, 0}, {2, 1, 1, 3}, {2, 2, 4, 0}, {2, 3, 4, 0}, {3, 0, 5, 3},
		{3, 1, 8, 0}, {4, 0, 13, 3}};
	struct measure_pyramid_bin bin;
	uint64_t nr, first;

	t_begin();
	T_ENTER(0, 100, T_MAIN);
	for (unsigned i = 0; i < 60; i++)
		T_EVENT(ParameterUnsignedInt, 0, 100, T_SIGNED_ITERATION, 1);
	T_ENTER(0, 105, T_F);
	T_LEAVE(0, 108, T_F);
	T_LEAVE(0, 116, T_MAIN);
	t_read();
	read_pyramid(1, 0, 0);
	CU_ASSERT_EQUAL(pyramid.start, 100);
	CU_ASSERT_EQUAL(pyramid.length, 16);
	CU_ASSERT_EQUAL(pyramid.locations[0].nr_events, 64);
	CU_ASSERT_EQUAL_FATAL(pyramid.locations[0].smallest, 2);
	CU_ASSERT_EQUAL_FATAL(pyramid.locations[0].nr_levels, 3);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct measure_pyramid_level *level =
			&pyramid.locations[0].levels[cases[i].level - 2];
		struct measure_pyramid_cursor cursor = measure_pyramid_begin(level);

		while ((nr = measure_pyramid_next(&cursor, &first, &bin)) > 0)
			if (cases[i].bin >= first && cases[i].bin < first + nr)
				break;
		CU_ASSERT_EQUAL(bin.nr_entries, cases[i].ticks_of_b ? 2 : 1);
		for (uint32_t e = 0; e < bin.nr_entries; e++)
			CU_ASSERT_EQUAL(bin.entries[e].ticks, bin.entries[e].region == T_MAIN
								      ? cases[i].ticks_of_a
								      : cases[i].ticks_of_b);
		CU_ASSERT_EQUAL(bin.rest, 0);
	}
	measure_pyramid_free(&pyramid);
	t_end();
}

static uint64_t random_start(void)
{
	switch (t_random(4)) {
	case 0:
		return UINT64_C(1) << 63;
	case 1:
		return (UINT64_C(1) << 63) - 500;
	default:
		return t_random(1000000);
	}
}

/* Few bins or many; ticks or coarser units. */
static void test_random(void)
{
	for (uint64_t seed = 1; seed <= NR_RANDOM_TRACES; seed++) {
		static const uint64_t steps[] = {2, 30, 1000, UINT64_C(1) << 46};
		const uint64_t most = UINT64_C(1) << (seed % 3 ? 16 : seed % 7);

		t_seed(seed);
		t_begin();
		t_write_random(random_start(), steps[t_random(4)], t_random(2) ? 2000 : 60);
		if (seed % 5 == 0) /* definitions say more than there are */
			t_say_events(1000000);
		CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
		read_pyramid(1, (unsigned)t_random(3), most);
		for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
			compare_location(i, most);
		compare_groups();
		measure_pyramid_free(&pyramid);
		t_end();
	}
}

static void compare_levels(
	const struct measure_pyramid_level *left, const struct measure_pyramid_level *right)
{
	CU_ASSERT_EQUAL(left->first_bin, right->first_bin);
	CU_ASSERT_EQUAL(left->nr_bins, right->nr_bins);
	CU_ASSERT_EQUAL(left->nr_runs, right->nr_runs);
	CU_ASSERT_EQUAL_FATAL(left->runs.nr, right->runs.nr);
	CU_ASSERT_EQUAL(memcmp(left->runs.items, right->runs.items, left->runs.nr), 0);
}

static void test_threads(void)
{
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct measure_pyramid alone;

		t_seed(seed);
		t_begin();
		t_write_random(0, 50, 3000);
		CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
		read_pyramid(1, 0, 0);
		alone = pyramid;
		for (unsigned threads = 2; threads <= 3; threads++) {
			read_pyramid(threads, 0, 0);
			for (uint32_t i = 0; i < T_NR_LOCATIONS; i++) {
				const struct measure_pyramid_location *location =
					&pyramid.locations[i];

				CU_ASSERT_EQUAL(location->nr_levels, alone.locations[i].nr_levels);
				for (uint32_t k = 0; k < location->nr_levels; k++)
					compare_levels(&location->levels[k],
						&alone.locations[i].levels[k]);
			}
			CU_ASSERT_EQUAL(
				memcmp(pyramid.all.ticks, alone.all.ticks,
					pyramid.all.nr_bins * MEASURE_PYRAMID_NR_COLUMNS * 8),
				0);
			measure_pyramid_free(&pyramid);
		}
		measure_pyramid_free(&alone);
		t_end();
	}
}

static void test_few_events(void)
{
	struct measure_pyramid_cursor cursor;
	struct measure_pyramid_bin bin;
	uint64_t first;

	t_begin();
	CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
	read_pyramid(2, 0, 0);
	CU_ASSERT_EQUAL(pyramid.length, 0);
	for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
		CU_ASSERT_EQUAL(pyramid.locations[i].nr_levels, 0);
	CU_ASSERT_EQUAL(pyramid.all.nr_bins, 1);
	measure_pyramid_free(&pyramid);
	t_end();
	t_begin();
	T_ENTER(1, 77, T_MAIN);
	CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
	read_pyramid(2, 0, 0);
	CU_ASSERT_EQUAL(pyramid.start, 77);
	CU_ASSERT_EQUAL_FATAL(pyramid.locations[1].nr_levels, 1);
	CU_ASSERT_EQUAL(pyramid.locations[1].smallest, 0);
	cursor = measure_pyramid_begin(&pyramid.locations[1].levels[0]);
	CU_ASSERT_EQUAL(measure_pyramid_next(&cursor, &first, &bin), 1);
	CU_ASSERT_EQUAL(bin.nr_entries, 0);
	CU_ASSERT_EQUAL(bin.events, 1);
	CU_ASSERT_EQUAL(measure_pyramid_next(&cursor, &first, &bin), 0);
	measure_pyramid_free(&pyramid);
	t_end();
}

static uint64_t ticks_in(const struct measure_pyramid_location *location, uint32_t region)
{
	struct measure_pyramid_cursor cursor =
		measure_pyramid_begin(&location->levels[location->nr_levels - 1]);
	struct measure_pyramid_bin bin;
	uint64_t first;

	CU_ASSERT_EQUAL(measure_pyramid_next(&cursor, &first, &bin), 1);
	for (uint32_t i = 0; i < bin.nr_entries; i++)
		if (bin.entries[i].region == region)
			return bin.entries[i].ticks;
	return 0;
}

/* A worker is idle between two teams; so it is when event memory is flushed meanwhile. */
static void test_idle(void)
{
	t_begin();
	T_ENTER(0, 0, T_MAIN);
	T_LEAVE(0, 100, T_MAIN);
	for (uint64_t i = 0; i < 2; i++) {
		T_EVENT(ThreadTeamBegin, 1, 10 + 50 * i, T_TEAM);
		T_ENTER(1, 10 + 50 * i, T_PARALLEL);
		T_LEAVE(1, 30 + 50 * i, T_PARALLEL);
		T_EVENT(ThreadTeamEnd, 1, 30 + 50 * i, T_TEAM);
	}
	T_EVENT(BufferFlush, 1, 85, 88);
	T_EVENT(MpiSend, 1, 95, 0, T_WORLD, 0, 0);
	CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
	read_pyramid(1, 0, 0);
	CU_ASSERT_EQUAL(ticks_in(&pyramid.locations[1], T_PARALLEL), 40);
	CU_ASSERT_EQUAL(ticks_in(&pyramid.locations[1], MEASURE_PSEUDO_IDLE), 42);
	CU_ASSERT_EQUAL(ticks_in(&pyramid.locations[1], MEASURE_PSEUDO_BUFFER_FLUSH), 3);
	CU_ASSERT_EQUAL(pyramid.locations[1].first, 10);
	measure_pyramid_free(&pyramid);
	t_end();
}

/* A location in bins of `smallest`, with three regions in turns of 7 ticks, and waiting time in
 * each bin. */
static void fill_bins(
	unsigned smallest, uint64_t most, uint64_t turns, struct measure_pyramid_location *location)
{
	struct pyramid_bins bins;

	pyramid_bins_start(&bins, 21, smallest, most);
	for (uint32_t region = 0; region < 3; region++)
		CU_ASSERT_EQUAL(pyramid_bins_add_slot(&bins, region + 10), region);
	bins.nr_waiting = ((21 + 7 * turns) >> smallest) - bins.first_bin + 1;
	bins.waiting = measure_zeroed(bins.nr_waiting, sizeof(*bins.waiting));
	for (uint64_t time = 21; time < 21 + 7 * turns; time++)
		bins.waiting[(time >> smallest) - bins.first_bin] += time % 2;
	for (uint64_t i = 0; i < turns; i++) {
		bins.slot = i % 3;
		pyramid_bins_pass(&bins, 21 + 7 * (i + 1));
		pyramid_bins_counts(&bins)->events++;
	}
	*location = (struct measure_pyramid_location){.nr_levels = 0};
	pyramid_bins_end(&bins, location, most);
}

/* A location that lives longer than was expected ends up with the same bins. */
static void test_long_life(void)
{
	for (uint64_t turns = 1; turns < 300; turns += 7) {
		struct measure_pyramid_location narrow, wide;

		fill_bins(0, 16, turns, &narrow);
		CU_ASSERT_TRUE(narrow.levels[0].nr_bins <= 16);
		fill_bins(narrow.smallest, UINT64_MAX, turns, &wide);
		CU_ASSERT_EQUAL_FATAL(narrow.nr_levels, wide.nr_levels);
		for (uint32_t k = 0; k < wide.nr_levels; k++) {
			compare_levels(&narrow.levels[k], &wide.levels[k]);
			free(narrow.levels[k].runs.items);
			free(wide.levels[k].runs.items);
		}
		measure_free(narrow.levels);
		measure_free(wide.levels);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"the bins of the design's case", test_design},
		{"bins and groups have what was in them", test_random},
		{"threads do not matter", test_threads},
		{"one event, and none", test_few_events},
		{"idle workers", test_idle},
		{"a life that was not expected", test_long_life},
		CU_TEST_INFO_NULL,
	};

	return t_suite("pyramid", NULL, NULL, tests);
}
