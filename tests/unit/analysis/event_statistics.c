/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what is counted in the event files of an archive is what is there, with any number
 * of threads: all of it, every n-th chunk, up to a damage. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/summary/summary_internal.h"
#include "format/event_chunk.h"
#include "format/otf2_records.h"
#include "t_run.h"
#include "../t_suite.h"

#define SMALL     1
#define LARGE     300
#define VISITS    60000
#define PROGRAM   2  /* ProgramBegin and ProgramEnd */
#define SEND_TYPE 14 /* of MpiSend */

static struct t_part part;
static struct measure_findings findings;
static struct measure_trace *trace;

/* Region LARGE around all, SMALL in it VISITS times for 3 ticks each; a send on another one. */
static void t_make(void)
{
	struct measure_def_process process = t_process(0, 0, 0);
	struct measure_assemble_report report;
	struct measure_def_end end = {10 * VISITS, MEASURE_END_EXITED, 0, ""};

	t_begin();
	t_part_begin(&part, t_directory, "a.done", &process);
	T_JOURNAL(&part, region, SMALL, "small", "small", "demo.c", 10, 20, 1, COMPILER, 0);
	T_JOURNAL(&part, region, LARGE, "large", "large", "demo.c", 1, 9, 1, COMPILER, 0);
	t_location(&part, 1);
	t_location(&part, 1);
	t_enter(&part, 0, 2, LARGE);
	for (uint64_t i = 1; i <= VISITS; i++) {
		t_enter(&part, 0, 10 * i, SMALL);
		t_leave(&part, 0, 10 * i + 3, SMALL);
	}
	t_leave(&part, 0, 10 * VISITS + 102, LARGE);
	t_enter(&part, 1, 5, SMALL); /* left open: the finishing leaves it, at the end of all */
	t_send(&part, 1, 6, 1, 0);
	t_part_end(&part, &end);
	CU_ASSERT_EQUAL_FATAL(t_assemble(&report), MEASURE_OK);
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(t_directory, &findings, &trace), MEASURE_OK);
}

static void t_remove(void)
{
	measure_trace_close(trace);
	measure_findings_free(&findings);
	t_finish();
}

static uint64_t t_sum(const struct measure_summary *summary, bool of_bytes)
{
	uint64_t sum = 0;

	for (int i = 0; i < SUMMARY_KINDS; i++)
		sum += of_bytes ? summary->events.kinds[i].bytes : summary->events.kinds[i].events;
	return sum;
}

/* By its name: the archive has other ids than the process. */
static const struct summary_region *t_region(
	const struct measure_summary *summary, const char *name)
{
	for (uint32_t i = 0; i < trace->definitions.nr_regions; i++)
		if (strcmp(measure_name_of_region(&trace->definitions, i), name) == 0)
			return &summary->events.regions[i];
	CU_FAIL_FATAL("no such region");
	return NULL;
}

static void t_count(unsigned nr_threads, uint64_t most, struct measure_summary *summary)
{
	*summary = (struct measure_summary){.trace = trace, .definitions = &trace->definitions};
	for (size_t i = 0; i < trace->definitions.nr_locations; i++)
		summary->nr_events += trace->definitions.locations[i].nr_events;
	CU_ASSERT_EQUAL_FATAL(summary_events_count(summary, nr_threads, most), MEASURE_OK);
}

static void t_all(void)
{
	struct measure_summary summary;

	t_make();
	for (unsigned nr_threads = 1; nr_threads < 4; nr_threads++) {
		t_count(nr_threads, UINT64_MAX, &summary);
		CU_ASSERT_FALSE(summary.events.is_damaged);
		CU_ASSERT_EQUAL(summary.profile.nr_chunks_read, summary.profile.nr_chunks);
		CU_ASSERT(summary.profile.nr_chunks > 5);
		CU_ASSERT_EQUAL(summary.events.kinds[MEASURE_OTF2_ENTER].events, VISITS + 2);
		CU_ASSERT_EQUAL(summary.events.kinds[MEASURE_OTF2_LEAVE].events, VISITS + 2);
		CU_ASSERT_EQUAL(summary.events.kinds[SEND_TYPE].events, 1);
		CU_ASSERT_EQUAL(t_sum(&summary, false), 2 * VISITS + 4 + 1 + PROGRAM);

		const struct summary_region *small = t_region(&summary, "small");
		CU_ASSERT_EQUAL(small->visits, VISITS + 1);
		CU_ASSERT_EQUAL(small->events, 2 * (VISITS + 1));
		CU_ASSERT_EQUAL(small->measured, VISITS + 1);
		CU_ASSERT_EQUAL(small->ticks, 3 * VISITS + 10 * VISITS - 5);
		CU_ASSERT_EQUAL(small->typical, 3);
		const struct summary_region *large = t_region(&summary, "large");
		CU_ASSERT_EQUAL(large->ticks, 10 * VISITS + 100);
		CU_ASSERT_EQUAL(large->nested, 2 * VISITS);
		CU_ASSERT_EQUAL(large->bytes, 2 * (9 + 4));
		CU_ASSERT_EQUAL(t_region(&summary, "UNKNOWN REGION")->events, 0);
		summary_events_free(&summary);
	}
	t_remove();
}

/* The bytes of the records, the headers and ends of chunks, and what stays free behind them:
 * less than a record of OTF2's can be. */
static void t_bytes(void)
{
	struct measure_summary summary;
	char command[128];

	t_make();
	t_count(2, UINT64_MAX, &summary);
	uint64_t least = t_sum(&summary, true) + MEASURE_CHUNK_HEADER * summary.profile.nr_chunks;
	snprintf(command, sizeof(command),
		"size=$(cat %%s/traces/*.evt | wc -c); [ $size -ge %llu ] && [ $size -lt %llu ]",
		(unsigned long long)least,
		(unsigned long long)(least + 64 * summary.profile.nr_chunks));
	CU_ASSERT_EQUAL(t_run(command), 0);
	summary_events_free(&summary);
	t_remove();
}

static void t_some(void)
{
	const uint64_t all = 2 * VISITS + 4 + 1 + PROGRAM;
	struct measure_summary summary;

	t_make();
	t_count(2, 2 * T_CHUNK, &summary);
	CU_ASSERT(summary.profile.nr_chunks_read <= 3);
	CU_ASSERT(summary.profile.nr_chunks > 5);
	CU_ASSERT(t_sum(&summary, false) + 3 >= all && t_sum(&summary, false) <= all + 3);
	const struct summary_region *small = t_region(&summary, "small");
	CU_ASSERT(small->visits > VISITS - VISITS / 100 && small->visits < VISITS + VISITS / 100);
	/* those seen from Enter to Leave, none across a gap; that of location 1, if it was seen */
	uint64_t more = small->ticks - 3 * small->measured;
	CU_ASSERT(more == 0 || more == 10 * VISITS - 5 - 3);
	CU_ASSERT_EQUAL(t_region(&summary, "large")->measured, 0);
	summary_events_free(&summary);
	t_remove();
}

static void t_damaged(void)
{
	struct measure_summary summary, whole;
	char path[128];

	t_make();
	t_count(2, UINT64_MAX, &whole);
	snprintf(path, sizeof(path), "%s/traces/0.evt", t_directory);
	int fd = open(path, O_WRONLY);
	CU_ASSERT_EQUAL(pwrite(fd,
				"\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377"
				"\377",
				16, T_CHUNK / 2),
		16);
	close(fd);
	t_count(2, UINT64_MAX, &summary);
	CU_ASSERT(summary.events.is_damaged);
	CU_ASSERT(t_sum(&summary, false) < t_sum(&whole, false));
	/* half of the first chunk of the one, all of the other */
	CU_ASSERT(t_sum(&summary, false) > t_sum(&whole, false) / (4 * whole.profile.nr_chunks));
	summary_events_free(&summary);
	summary_events_free(&whole);
	t_remove();
}

/* SAMPLES EVENTS TICKS FLOOR:COUNT ... */
static void t_timing(void)
{
	struct summary_timing timing;

	CU_ASSERT_TRUE(summary_timing_parse(&timing, "10 20 1000 16:4 96:5 57344:1"));
	CU_ASSERT_EQUAL(timing.samples, 10);
	CU_ASSERT_EQUAL(timing.events, 20);
	CU_ASSERT_EQUAL(timing.buckets[measure_timing_bucket(16)], 4);
	CU_ASSERT_DOUBLE_EQUAL(summary_timing_median(&timing), (96 + 112) / 2., 1e-9);
	/* the longest one was interrupted, and a bracket has two events */
	CU_ASSERT_DOUBLE_EQUAL(
		summary_timing_mean(&timing), (4 * 18 + 5 * 104) / 9. * 10 / 20, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(
		summary_timing_typical(&timing, MEASURE_TIMING_FUNCTION_ENTER), 18 / 2., 1e-9);
	CU_ASSERT_FALSE(summary_timing_parse(&timing, "10 twenty"));
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"all of it", t_all},
		{"bytes", t_bytes},
		{"every n-th chunk", t_some},
		{"damaged", t_damaged},
		{"timing", t_timing},
		CU_TEST_INFO_NULL,
	};

	return t_suite("event_statistics", NULL, NULL, tests);
}
