/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-compare: what became slower between two versions of a program, from archives of runs of
 * each. Archives are read one after the other, and of each only sums by call path are kept. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare/comparison_report.h"
#include "cli/cli.h"
#include "cli/memory_limits.h"
#include "cli/progress.h"
#include "cli/read_in_child.h"
#include "compare_options.h"
#include "trace/common/spilling_alloc.h"

struct compare_runs {
	struct measure_compared_frames frames;
	struct measure_compared_run *runs; /* those of the base, then new ones */
	const struct measure_compared_run **pointers;
	size_t nr;
};

static measure_status_t read_run(const struct compare_options *options,
	struct compare_runs *compared, enum measure_side side, size_t number)
{
	const struct measure_renames all = {options->renames, options->nr_renames},
				     none = {NULL, 0};
	const size_t place = number + (side == MEASURE_NEW ? options->runs[MEASURE_BASE].nr : 0);
	struct measure_compared_run *run = &compared->runs[place];
	measure_status_t status;

	measure_progress_start(options->runs[side].paths[number]);
	status = measure_compared_run_read(run, &compared->frames,
		side == MEASURE_BASE ? &all : &none, options->runs[side].paths[number],
		options->nr_threads, isatty(STDERR_FILENO) ? measure_progress_show : NULL);
	measure_progress_end();
	compared->pointers[place] = run;
	return status;
}

/* New runs first: --map names functions of theirs. */
static measure_status_t read_runs(
	const struct compare_options *options, struct compare_runs *compared)
{
	static const enum measure_side order[] = {MEASURE_NEW, MEASURE_BASE};
	measure_status_t status = MEASURE_OK;

	compared->nr = options->runs[MEASURE_BASE].nr + options->runs[MEASURE_NEW].nr;
	compared->runs = measure_zeroed(compared->nr, sizeof(*compared->runs));
	compared->pointers = measure_zeroed(compared->nr, sizeof(*compared->pointers));
	for (size_t side = 0; side < MEASURE_NR_SIDES; side++)
		for (size_t i = 0; status == MEASURE_OK && i < options->runs[order[side]].nr; i++)
			status = read_run(options, compared, order[side], i);
	return status;
}

static void free_runs(struct compare_runs *compared)
{
	for (size_t i = 0; i < compared->nr; i++)
		measure_compared_run_free(&compared->runs[i]);
	measure_free(compared->runs);
	measure_free(compared->pointers);
	measure_compared_frames_free(&compared->frames);
}

static void print_comparison(
	const struct compare_options *options, const struct measure_comparison *comparison)
{
	switch (options->format) {
	case COMPARE_TEXT:
		measure_comparison_print_text(comparison, options->nr_most, stdout);
		break;
	case COMPARE_JSON:
		measure_comparison_print_json(comparison, stdout);
		break;
	case COMPARE_JUNIT:
		measure_comparison_print_junit(comparison, stdout);
		break;
	case COMPARE_FOLDED:
		measure_comparison_print_folded(comparison, stdout);
		break;
	}
}

static enum measure_exit_code compare_runs(
	const struct compare_options *options, const struct compare_runs *compared)
{
	struct measure_alignment alignment;
	struct measure_comparison comparison;
	enum measure_exit_code result;

	measure_alignment_make(&alignment, &compared->frames, compared->pointers,
		options->runs[MEASURE_BASE].nr, options->runs[MEASURE_NEW].nr,
		options->comparison.by_region);
	measure_comparison_make(&comparison, &alignment, &options->comparison);
	print_comparison(options, &comparison);
	result = comparison.nr_regressions > 0 ? MEASURE_EXIT_FOUND : MEASURE_EXIT_DONE;
	measure_comparison_free(&comparison);
	measure_alignment_free(&alignment);
	return result;
}

static int work(void *data)
{
	const struct compare_options *options = data;
	const char *directory = getenv("TMPDIR");
	struct compare_runs compared = {.nr = 0};
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;

	measure_spill_bound(
		measure_memory_available() / 2, directory && *directory ? directory : "/tmp");
	if (read_runs(options, &compared) == MEASURE_OK)
		result = compare_runs(options, &compared);
	free_runs(&compared);
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return result;
	measure_cli_say("cannot write the result: %s", strerror(errno));
	return MEASURE_EXIT_CANNOT;
}

int main(int argc, char **argv)
{
	struct compare_options options;
	int result;

	measure_cli_start("measure-compare");
	result = compare_options_parse(argc, argv, &options);
	if (result < 0)
		result = measure_cli_read_in_child(work, &options, "the archives");
	compare_options_free(&options);
	return result;
}
