/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: segments of a location are where it truly was, with all changes of its innermost
 * call path, in any part of its time; calls are found by their names, as --phase gives them */
#include "config.h"

#include <limits.h>
#include <string.h>

#include "../t_suite.h"
#include "analysis/pyramid/location_segments.h"
#include "analysis/pyramid/named_calls.h"
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

/* When the call that begins with a step is over. */
static uint64_t end_of_call(const struct t_location *truth, size_t begin)
{
	const struct t_step *call = &truth->steps[begin];

	for (size_t i = begin + 1; i < truth->nr_steps; i++) {
		const struct t_step *step = &truth->steps[i];

		if (step->depth < call->depth || (step->is_call && step->depth == call->depth) ||
			memcmp(step->chain, call->chain, call->depth * sizeof(*call->chain)) != 0)
			return step->time;
	}
	return truth->steps[truth->nr_steps - 1].time;
}

static bool is_of_name(const struct t_step *step, const char *name)
{
	return step->is_call &&
	       strcmp(measure_profile_region_name(&t_profile, t_region(step)), name) == 0;
}

/* Most calls of the name that a location has. */
static unsigned long find_true_calls(
	const struct measure_named_calls *calls, uint64_t *from, uint64_t *until)
{
	unsigned long most = 0;

	*from = UINT64_MAX;
	*until = 0;
	for (size_t i = 0; i < T_NR_LOCATIONS; i++) {
		unsigned long nr = 0;

		for (size_t k = 0; k < t_truth[i].nr_steps; k++) {
			if (!is_of_name(&t_truth[i].steps[k], calls->name) || ++nr < calls->first ||
				nr > calls->last)
				continue;
			*from = *from < t_truth[i].steps[k].time ? *from : t_truth[i].steps[k].time;
			*until = *until > end_of_call(&t_truth[i], k) ? *until
								      : end_of_call(&t_truth[i], k);
		}
		most = most > nr ? most : nr;
	}
	return most;
}

static void compare_calls(uint32_t region, unsigned long first, unsigned long last)
{
	const char *name = measure_profile_region_name(&t_profile, region);
	const struct measure_named_calls calls = {name, strlen(name), first, last};
	uint64_t from, until, true_from, true_until;
	const unsigned long most = find_true_calls(&calls, &true_from, &true_until);

	CU_ASSERT_EQUAL(measure_named_calls_find(&calls, &t_profile, &from, &until), most >= first);
	if (most >= first) {
		CU_ASSERT_EQUAL(from, true_from);
		CU_ASSERT_EQUAL(until, true_until);
	}
}

static void test_named_calls(void)
{
	for (uint64_t seed = 1; seed <= NR_RANDOM_TRACES; seed++) {
		t_seed(seed);
		t_begin();
		t_write_random(1 + seed, 1 + t_random(60), 600);
		CU_ASSERT_EQUAL(t_read_with(1), MEASURE_OK);
		for (size_t i = 1; i < t_profile.nr_paths; i += 9) {
			const unsigned long first = 1 + t_random(20);

			compare_calls(t_profile.paths[i].region, 1, ULONG_MAX);
			compare_calls(t_profile.paths[i].region, first, first + t_random(3));
		}
		t_end();
	}
}

static void test_names(void)
{
	static const struct {
		const char *text;
		size_t length; /* of the name; 0: refused */
		unsigned long first, last;
	} cases[] = {
		{"solve", 5, 1, ULONG_MAX},
		{"solve#3", 5, 3, 3},
		{"solve#3-5", 5, 3, 5},
		{"solve#", 6, 1, ULONG_MAX},
		{"operator#x", 10, 1, ULONG_MAX},
		{"a#1#2", 3, 2, 2},
		{"solve#0", 0, 0, 0},
		{"solve#5-3", 0, 0, 0},
		{"solve#3-", 0, 0, 0},
		{"solve#3x", 0, 0, 0},
		{"solve#99999999999999999999", 0, 0, 0},
		{"#2", 0, 0, 0},
		{"", 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct measure_named_calls calls;

		CU_ASSERT_EQUAL(
			measure_named_calls_parse(cases[i].text, &calls), cases[i].length > 0);
		if (cases[i].length == 0)
			continue;
		CU_ASSERT_EQUAL(calls.length, cases[i].length);
		CU_ASSERT_EQUAL(calls.first, cases[i].first);
		CU_ASSERT_EQUAL(calls.last, cases[i].last);
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
		{"calls by their names", test_named_calls},
		{"names of calls", test_names},
		CU_TEST_INFO_NULL,
	};

	return t_suite("location_segments", NULL, NULL, tests);
}
