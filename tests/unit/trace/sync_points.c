/* SPDX-License-Identifier: BSD-3-Clause
 * Description: marks keep their numbers through joining and giving back; findings that are put
 * together are those that one reader would have kept */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "t_ends.h"
#include "trace/common/findings.h"
#include "trace/match/sync_points.h"
#include "trace/common/containers.h"

static void add(struct measure_sync_points *marks, uint32_t location, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		measure_sync_points_add(marks, 2 * i, i + 1, location);
}

static bool is_there(
	const struct measure_sync_points *marks, size_t first, uint32_t location, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct measure_sync_point *mark = measure_mark_at(marks, first + i);

		if (mark->raw != 2 * i || mark->position != i + 1 ||
			mark->location != location || mark->link != MEASURE_NONE)
			return false;
	}
	return true;
}

static void test_join(void)
{
	static const size_t sizes[] = {3, MEASURE_MARKS_PER_PIECE, 0, MEASURE_MARKS_PER_PIECE + 5};
	struct measure_sync_points all = {0};
	uint32_t bases[4];

	for (uint32_t i = 0; i < 4; i++) {
		struct measure_sync_points marks = {0};

		add(&marks, i, sizes[i]);
		bases[i] = measure_sync_points_append(&all, &marks);
		CU_ASSERT_EQUAL(marks.end, 0);
	}
	for (uint32_t i = 0; i < 4; i++)
		CU_ASSERT(is_there(&all, bases[i], i, sizes[i]));
	CU_ASSERT_EQUAL(all.end, bases[3] + sizes[3]);
	add(&all, 7, 2);
	CU_ASSERT(is_there(&all, bases[3] + sizes[3], 7, 2));
	measure_sync_points_give_back(&all, bases[1], bases[3] + 1);
	CU_ASSERT(is_there(&all, bases[0], 0, sizes[0]));
	CU_ASSERT(is_there(&all, bases[3], 3, sizes[3]));
	CU_ASSERT_PTR_NULL(all.pieces[1]);
	measure_sync_points_free(&all);
}

#define NR_PIECES (((size_t)UINT32_MAX + 1) / MEASURE_MARKS_PER_PIECE)

/* As many as there can be, but for the last one; of most of them nothing is left. */
static struct measure_sync_points nearly_all(void)
{
	struct measure_sync_points marks = {
		.pieces = measure_zeroed(NR_PIECES, sizeof(*marks.pieces)),
		.nr_pieces = NR_PIECES,
		.room_pieces = NR_PIECES,
		.end = MEASURE_NONE - 1,
		.archive = "DIR/traces.otf2"};

	marks.pieces[NR_PIECES - 1] =
		measure_zeroed(MEASURE_MARKS_PER_PIECE, sizeof(struct measure_sync_point));
	return marks;
}

static void add_too_many(void)
{
	struct measure_sync_points marks = nearly_all();

	add(&marks, 0, 2);
}

static void append_too_many(void)
{
	struct measure_sync_points marks = nearly_all(), others = {0};

	add(&others, 0, 1);
	measure_sync_points_append(&marks, &others);
}

static void test_too_many(void)
{
	struct measure_sync_points marks = nearly_all();

	add(&marks, 0, 1);
	CU_ASSERT_EQUAL(marks.end, MEASURE_NONE);
	measure_sync_points_free(&marks);
	CU_ASSERT(t_ends(add_too_many, "measure: DIR/traces.otf2: more than 4294967295 synchronising events"));
	CU_ASSERT(t_ends(append_too_many, "use several: mpirun -n K measure-sync"));
}

static void report(struct measure_findings *findings, uint64_t position)
{
	measure_report_excused(findings, MEASURE_CHECK_MESSAGE_UNMATCHED, position % 3 == 0,
		(struct measure_place){0, 0, position}, "%u", (unsigned)position);
}

static void test_findings(void)
{
	struct measure_findings whole = {.nr_kept_per_check = 5}, joined = whole;

	for (uint64_t first = 1; first < 20; first += 4) {
		struct measure_findings part = {.nr_kept_per_check = 5};

		for (uint64_t i = first; i < first + 4; i++) {
			report(&whole, i);
			report(&part, i);
		}
		measure_findings_append(&joined, &part);
	}
	CU_ASSERT_EQUAL(memcmp(whole.counts, joined.counts, sizeof(whole.counts)), 0);
	CU_ASSERT_EQUAL(memcmp(whole.excused, joined.excused, sizeof(whole.excused)), 0);
	CU_ASSERT_EQUAL_FATAL(whole.nr_kept, joined.nr_kept);
	for (size_t i = 0; i < whole.nr_kept; i++)
		CU_ASSERT_STRING_EQUAL(whole.kept[i].text, joined.kept[i].text);
	measure_findings_free(&whole);
	measure_findings_free(&joined);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"join", test_join},
		{"too many", test_too_many},
		{"findings", test_findings},
		CU_TEST_INFO_NULL,
	};

	return t_suite("marks", NULL, NULL, tests);
}
