/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what was flushed of chunks that are not full counts once, whatever came after it. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "assemble/write/otf2_error.h"
#include "t_run.h"
#include "../t_suite.h"

#define TEAM 0

/* Two looks: the first one leaves new chunks alone. */
static void t_flush(struct t_part *part)
{
	measure_flush_set(&part->spool, 1e-9);
	CU_ASSERT_EQUAL(measure_spool_pass(&part->spool, false), MEASURE_OK);
	CU_ASSERT_EQUAL(measure_spool_pass(&part->spool, false), MEASURE_OK);
}

static void t_begin_two(struct t_part *part)
{
	t_begin_one(part);
	t_location(part, 1000);
	t_location(part, 1000);
}

static void t_calls(struct t_part *part, uint32_t location, uint64_t time, uint32_t nr)
{
	for (uint64_t i = 0; i < nr; i++) {
		t_enter(part, location, time + 2 * i, 0);
		t_leave(part, location, time + 2 * i + 1, 0);
	}
}

/* Enters of the locations, in their order. */
static void t_expect(const char *numbers)
{
	char command[512], found[128] = "";

	snprintf(command, sizeof(command),
		"otf2-print %s/traces.otf2 | "
		"awk '$1 == \"ENTER\" { nr[$2 > 4000000000]++ } END { printf \"%%d %%d\", nr[0], "
		"nr[1] }'",
		t_directory);
	FILE *pipe = popen(command, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
	CU_ASSERT_PTR_NOT_NULL(fgets(found, sizeof(found), pipe));
	pclose(pipe);
	if (strcmp(found, numbers) != 0)
		fprintf(stderr, "found    %s\nexpected %s\n", found, numbers);
	CU_ASSERT_STRING_EQUAL(found, numbers);
}

static void t_end(struct t_part *part, uint32_t is_damaged, const char *numbers)
{
	struct measure_assemble_report report;

	t_part_end(part, &t_exited);
	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL(report.nr_damaged, is_damaged);
	t_expect(numbers);
	t_check_archive();
	t_finish();
}

/* Also where memory was damaged, and events are put together by what they say themselves. */
static void test_later_events(void)
{
	for (uint32_t is_damaged = 0; is_damaged < 2; is_damaged++) {
		struct t_part part;

		t_begin_two(&part);
		t_calls(&part, 0, 1100, 3);
		t_calls(&part, 1, 1100, 4);
		t_flush(&part);
		t_calls(&part, 0, 1200, 5);
		atomic_store(&part.segment.header->counts[MEASURE_COUNT_OVERWRITTEN], is_damaged);
		t_end(&part, is_damaged, "8 4");
	}
}

/* A chunk was flushed, and is full now; so was the next one. */
static void test_full_chunks(void)
{
	struct t_part part;

	t_begin_two(&part);
	t_calls(&part, 1, 1100, 1);
	t_flush(&part);
	t_calls(&part, 1, 1200, 20000);
	t_flush(&part);
	t_calls(&part, 1, 50000, 7);
	t_end(&part, 0, "0 20008");
}

/* The only events of a location were taken back since they were flushed. */
static void test_taken_back(void)
{
	struct t_part part;

	t_begin_two(&part);
	t_enter(&part, 1, 1100, 0);
	t_flush(&part);
	atomic_store(&part.segment.locations[1].nr_taken_back, 1);
	atomic_store(&part.segment.locations[1].committed, 0);
	t_end(&part, 0, "0 0");
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"later events", test_later_events},
		{"full chunks", test_full_chunks},
		{"taken back", test_taken_back},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("flushed", NULL, NULL, tests);
}
