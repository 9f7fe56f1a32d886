/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One run of the page: reads its pyramid, prints its JSON, and has all its blocks written. */
#include "config.h"

#include "page_run.h"

#include "analysis/report/profile_report.h"
#include "analysis/waits/waits_report.h"

/* Bins of the finest level, of all locations together: no more than the room has characters, as
 * equal ones are stored once; and no more than take some 300 MB of memory.
 * page_levels.c has the last word. */
#define BIN_CHARACTERS       1
#define BIN_SHARE            100
#define ALL_BINS             8388608
#define LEAST_BINS           64
#define MOST_BINS            1048576
#define GROUP_SHARE          5
#define GROUP_BIN_CHARACTERS 8

/* --------------------------------------------------------------------------- reading --- */

/* A power of two. */
static uint64_t bins_of_location(const struct measure_page_run *run)
{
	/* all levels together have twice as many */
	const uint64_t fitting = measure_page_most(run, BIN_SHARE, 2 * BIN_CHARACTERS),
		       all = fitting < ALL_BINS ? fitting : ALL_BINS,
		       most = all / (run->profile->nr_locations ? run->profile->nr_locations : 1);
	uint64_t nr = LEAST_BINS;

	while (nr * 2 <= most && nr < MOST_BINS)
		nr *= 2;
	return nr;
}

static void read_pyramid(struct measure_page_run *run)
{
	const struct measure_pyramid_options options = {.nr_threads = run->nr_threads,
		.shift = measure_pyramid_shift(run->profile),
		.most_bins = bins_of_location(run),
		.most_group_bins = measure_page_most(
			run, GROUP_SHARE, GROUP_BIN_CHARACTERS * MEASURE_NR_STATE_CLASSES / 4),
		.waits = run->waits};

	measure_pyramid_read(run->trace, run->profile, &options, &run->pyramid);
}

/* ---------------------------------------------------------------------------- texts --- */

static void print_profile(const void *data, FILE *out)
{
	measure_profile_print_json(data, out);
}

static void print_analysis(const void *data, FILE *out)
{
	const struct measure_page_run *run = data;

	measure_waits_print_json(run->waits, run->efficiency, out);
}

static void make_texts(struct measure_page_run *run)
{
	const struct measure_page_printer profile = {print_profile, run->profile},
					  analysis = {print_analysis, run};

	if (!measure_page_text_make(
		    &run->profile_text, run->page, run->number, "profile", &profile) ||
		(run->waits && !measure_page_text_make(&run->analysis_text, run->page, run->number,
				       "analysis", &analysis)))
		run->page->block.has_failed = true;
}

void measure_page_run_start(struct measure_page_run *run)
{
	measure_page_rows_number(run);
	make_texts(run);
	if (run->waits)
		read_pyramid(run);
}

void measure_page_run_write(struct measure_page_run *run)
{
	static void (*const writers[MEASURE_PAGE_NR_PARTS])(struct measure_page_run * run) = {
		[MEASURE_PAGE_GROUPS] = measure_page_write_groups,
		[MEASURE_PAGE_CRITICAL_PATH] = measure_page_write_critical_path,
		[MEASURE_PAGE_WAITS] = measure_page_write_waits,
		[MEASURE_PAGE_COLLECTIVES] = measure_page_write_collectives,
		[MEASURE_PAGE_MESSAGES] = measure_page_write_messages,
		[MEASURE_PAGE_METRICS] = measure_page_write_metrics,
		[MEASURE_PAGE_PATH_TIMES] = measure_page_write_path_times,
		[MEASURE_PAGE_TASKS] = measure_page_write_tasks, /* and their predecessors */
		[MEASURE_PAGE_SERIES] = measure_page_write_series,
		[MEASURE_PAGE_BOXES] = measure_page_write_boxes,
		[MEASURE_PAGE_PYRAMID] = measure_page_write_pyramid,
		[MEASURE_PAGE_SEGMENTS] = measure_page_write_segments,
	};

	run->is_complete = run->profile->nr_events == 0; /* nothing is missing */
	if (!run->waits || run->is_complete)
		return;
	for (int i = 0; i < MEASURE_PAGE_NR_PARTS; i++)
		if (writers[i])
			writers[i](run);
}

void measure_page_run_free(struct measure_page_run *run)
{
	measure_page_metrics_free(run);
	measure_page_text_free(&run->profile_text);
	measure_page_text_free(&run->analysis_text);
	measure_pyramid_free(&run->pyramid);
	measure_page_rows_free(run);
}
