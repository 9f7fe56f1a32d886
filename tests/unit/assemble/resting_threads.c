/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a thread that rested when the process ended has left its team when that was over,
 * wherever in its last records it was cut short. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "assemble/write/otf2_error.h"
#include "t_run.h"
#include "../t_suite.h"

#define TEAM 0
#define OVER 1500 /* when the team's last barrier was over */

/* Rests in the barrier of the team. */
static void t_rest(struct t_part *part, uint32_t location, uint32_t release)
{
	struct measure_segment_location *shared = &part->segment.locations[location];

	t_team(part, location, 1100, TEAM, true);
	t_enter(part, location, 1100, 0);
	t_enter(part, location, 1400 + location, 1);
	shared->rest_release = release;
	shared->rest_team = TEAM;
	atomic_store(&shared->resting, atomic_load(&shared->committed));
}

static void t_master(struct t_part *part)
{
	t_team(part, 0, 1100, TEAM, true);
	t_team(part, 0, OVER, TEAM, false);
	atomic_store(&part->segment.releases[7], OVER);
	t_enter(part, 0, 1900, 0);
}

/* Of the records behind the barrier, these many were written. */
static void t_wake(struct t_part *part, uint32_t location, uint32_t nr_records)
{
	if (nr_records > 0)
		t_leave(part, location, OVER, 1);
	if (nr_records > 1)
		t_leave(part, location, OVER, 0);
	if (nr_records > 2)
		t_team(part, location, OVER, TEAM, false);
}

/* Times at which the locations leave the team, in their order. */
static void t_expect(const char *times)
{
	char command[512], found[128];

	snprintf(command, sizeof(command),
		"otf2-print %s/traces.otf2 | "
		"awk '$1 == \"THREAD_TEAM_END\" { print $2, $3 }' | sort -n | "
		"awk '{ printf \"%%d:%%d \", $1 / 4294967296, $2 }'",
		t_directory);
	FILE *pipe = popen(command, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
	CU_ASSERT_PTR_NOT_NULL(fgets(found, sizeof(found), pipe));
	pclose(pipe);
	if (strcmp(found, times) != 0)
		fprintf(stderr, "found    %s\nexpected %s\n", found, times);
	CU_ASSERT_STRING_EQUAL(found, times);
}

static void test_rest(void)
{
	struct measure_def_process process = t_process(0, 1, 1000);
	struct measure_assemble_report report;
	struct t_part part;

	t_begin();
	t_part_begin(&part, t_directory, "a.done", &process);
	T_JOURNAL(&part, region, 0, "parallel", "parallel", "", 0, 0, 5, OPENMP, 0);
	T_JOURNAL(&part, region, 1, "barrier", "barrier", "", 0, 0, 16, OPENMP, 0);
	for (uint32_t i = 0; i < 7; i++)
		t_location(&part, 1000);
	T_JOURNAL(&part, comm, TEAM, MEASURE_COMM_TEAM, "", 0, 0, UINT32_MAX, OPENMP,
		{7, (const uint32_t[]){0, 1, 2, 3, 4, 5, 6}});
	t_master(&part);
	for (uint32_t i = 1; i <= 4; i++) {
		t_rest(&part, i, 7);
		t_wake(&part, i, i - 1);
	}
	t_rest(&part, 5, 7); /* something else ran there since */
	t_enter(&part, 5, 1600, 0);
	t_leave(&part, 5, 1700, 0);
	t_rest(&part, 6, 8); /* whose team was not over yet */
	t_part_end(&part, &t_exited);

	CU_ASSERT_EQUAL(t_assemble(&report), MEASURE_OK);
	t_expect("0:1500 1:1500 2:1500 3:1500 4:1500 ");
	t_finish();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"rest", test_rest},
		CU_TEST_INFO_NULL,
	};

	measure_otf2_silence();
	return t_suite("rest", NULL, NULL, tests);
}
