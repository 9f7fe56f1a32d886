/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: segments of a location are where it truly was, with all changes of its innermost
 * call path, in any part of its time */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "analysis/pyramid/location_segments.h"
#include "t_truth.h"

#define NR_RANDOM_TRACES  100
#define WINDOWS_PER_TRACE 20

static struct measure_location_segment segments[T_MOST_STEPS];
static size_t nr_segments;

static bool keep_segment(void *data, const struct measure_location_segment *segment)
{
	size_t *most = data;

	segments[nr_segments++] = *segment;
	return nr_segments < *most;
}

static void read_segments(uint32_t location, uint64_t from, uint64_t until, size_t most,
	struct measure_location_segments_end *end)
{
	struct measure_findings findings = {.nr_kept_per_check = 1};

	nr_segments = 0;
	CU_ASSERT_EQUAL(measure_location_segments_read(t_trace, &t_profile, &findings, location,
				from, until, keep_segment, &most, end),
		MEASURE_OK);
	measure_findings_free(&findings);
}

static bool is_same_chain(const struct t_step *left, const struct t_step *right)
{
	return left->depth == right->depth &&
	       memcmp(left->chain, right->chain, left->depth * sizeof(*left->chain)) == 0;
}

/* Steps at which something changes. */
static size_t find_changes(const struct t_location *truth, const struct t_step **changes)
{
	size_t nr = 0;

	for (size_t i = 0; i < truth->nr_steps; i++)
		if (nr == 0 || truth->steps[i].is_call ||
			!is_same_chain(&truth->steps[i], changes[nr - 1]))
			changes[nr++] = &truth->steps[i];
	return nr;
}

static bool is_path(uint32_t path, const struct t_step *step)
{
	for (uint32_t i = step->depth; i > 0; i--) {
		if (path == 0 || t_profile.paths[path].region != step->chain[i - 1])
			return false;
		path = t_profile.paths[path].parent;
	}
	return path == 0;
}

static void compare_window(uint32_t location, uint64_t from, uint64_t until)
{
	static const struct t_step *changes[T_MOST_STEPS];
	const struct t_location *truth = &t_truth[location];
	const size_t nr = find_changes(truth, changes);
	const uint64_t last = nr ? truth->steps[truth->nr_steps - 1].time : 0;
	struct measure_location_segments_end end;
	size_t found = 0;

	read_segments(location, from, until, SIZE_MAX, &end);
	for (size_t i = 0; i < nr; i++) {
		const uint64_t start = changes[i]->time;
		const uint64_t stop = i + 1 < nr ? changes[i + 1]->time : last;

		if (start >= until || (start < from && stop <= from))
			continue;
		if (found < nr_segments) {
			CU_ASSERT_EQUAL(segments[found].start, start);
			CU_ASSERT_EQUAL(segments[found].is_call, changes[i]->is_call);
			CU_ASSERT_TRUE(is_path(segments[found].path, changes[i]));
		}
		found++;
	}
	CU_ASSERT_EQUAL(found, nr_segments);
	CU_ASSERT_EQUAL(end.last, last < until ? last : until);
	if (nr > 0)
		CU_ASSERT_EQUAL(end.first, changes[0]->time);
	if (until == UINT64_MAX)
		CU_ASSERT_EQUAL(end.nr_events, truth->nr_events);
}

static void test_random(void)
{
	for (uint64_t seed = 1; seed <= NR_RANDOM_TRACES; seed++) {
		t_seed(seed);
		t_begin();
		t_write_random(seed % 3 ? 0 : UINT64_C(1) << 63, 1 + t_random(60), 600);
		CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
		for (uint32_t i = 0; i < T_NR_LOCATIONS; i++)
			compare_window(i, 0, UINT64_MAX);
		for (uint32_t i = 0; i < WINDOWS_PER_TRACE; i++) {
			const uint64_t length = t_profile.last - t_profile.first + 2;
			const uint64_t from = t_profile.first + t_random(length);

			compare_window(i % T_NR_LOCATIONS, from, from + 1 + t_random(length) / 4);
		}
		t_end();
	}
}

/* Reading stops when no more segments are wanted; what is known of the archive stays known. */
static void test_stop(void)
{
	struct measure_location_segments_end end;

	t_begin();
	for (uint64_t i = 0; i < 100; i++) {
		T_ENTER(0, 10 * i, T_MAIN);
		T_LEAVE(0, 10 * i + 5, T_MAIN);
	}
	CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
	read_segments(0, 0, UINT64_MAX, 3, &end);
	CU_ASSERT_EQUAL(nr_segments, 3);
	CU_ASSERT_EQUAL(segments[2].start, 10);
	CU_ASSERT_EQUAL(end.nr_events, 3);
	CU_ASSERT_EQUAL(t_trace->definitions.locations[0].nr_found, 200);
	CU_ASSERT_FALSE(t_trace->definitions.locations[0].is_broken);
	t_end();
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"segments are where locations were", test_random},
		{"not all of them", test_stop},
		CU_TEST_INFO_NULL,
	};

	return t_suite("location_segments", NULL, NULL, tests);
}
