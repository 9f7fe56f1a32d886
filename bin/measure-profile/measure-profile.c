/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-profile: where the time of a program went, from its archive. The last process of a job
 * starts it when the archive is complete, for summary.txt; it may be started again at any time,
 * also on a copy. The archive is read in a child process: the OTF2 library is not safe against
 * damaged files, and a crash inside it must become a line of text. */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "analysis/causes/root_causes.h"
#include "analysis/report/profile_report.h"
#include "analysis/summary/summary.h"
#include "analysis/waits/waits_clocks.h"
#include "bin/common/compensated_copy.h"
#include "bin/common/corrected_waits.h"
#include "bin/common/job_launch.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/read_in_child.h"
#include "profile_options.h"
#include "sync/write/archive_filter.h"
#include "trace/archive/trace.h"
#include "trace/common/spilling_alloc.h"

/* ------------------------------------------------------------------------- filter --- */

static bool is_kept(void *data, const struct measure_profile *profile, uint32_t region)
{
	return !measure_profile_region(profile, region) ||
	       measure_sync_region_filter(data, region)->outcome != MEASURE_FILTER_OFF;
}

static void start_filter(struct measure_sync_region_filter *filter,
	const struct profile_options *options, const struct measure_definitions *definitions)
{
	measure_sync_region_filter_start(filter, options->rules.filter, definitions);
	measure_sync_region_filter_process(filter, 0);
}

/* ------------------------------------------------------------------------ summary --- */

static void print_score(const struct profile_options *options, struct measure_summary *summary)
{
	struct measure_sync_region_filter filter;
	const struct measure_score_filter rules = {options->rules.file, is_kept, &filter};

	if (!options->rules.filter) {
		measure_summary_print_score(summary, NULL, stdout);
		return;
	}
	start_filter(&filter, options, measure_summary_definitions(summary));
	measure_summary_print_score(summary, &rules, stdout);
	measure_sync_region_filter_free(&filter);
}

static enum measure_exit_code summarize(const struct profile_options *options)
{
	struct measure_summary *summary;
	enum measure_exit_code result = MEASURE_EXIT_DONE;

	if (measure_summary_open(options->input, options->nr_threads, &summary) != MEASURE_OK) {
		measure_cli_say("%s", measure_trace_error());
		return MEASURE_EXIT_CANNOT;
	}
	if (!measure_summary_is_whole(summary))
		result = MEASURE_EXIT_FOUND;
	if (options->task == PROFILE_PROPERTIES)
		measure_summary_print_properties(summary, stdout);
	else if (options->task == PROFILE_SCORE)
		print_score(options, summary);
	else if (options->task == PROFILE_SUMMARY)
		measure_summary_print(summary, stdout);
	else if (measure_summary_write(summary) == MEASURE_OK)
		measure_summary_print_next(summary, stdout);
	else
		result = MEASURE_EXIT_CANNOT;
	if (result == MEASURE_EXIT_CANNOT)
		measure_cli_say(
			"%s: cannot write the summary: %s", options->input, strerror(errno));
	measure_summary_close(summary);
	return result;
}

/* ------------------------------------------------------------------------ profile --- */

static void print_text(const struct profile_options *options, const struct measure_waits *waits,
	const struct measure_view *view, const char *words)
{
	const struct measure_profile *profile = &waits->profile;

	measure_profile_print_head(profile, stdout);
	if (words)
		fputs(words, stdout);
	measure_profile_print_faults(profile, stdout);
	if (options->has_waits)
		measure_waits_clocks_print_text(waits, stdout);
	fputc('\n', stdout);
	if (options->view.by == MEASURE_BY_FILE && profile->tables[MEASURE_TABLE_FILES].nr == 0)
		fputs("no files: record them with measure -a +posixio\n", stdout);
	else if (options->view.by == MEASURE_BY_FILE)
		measure_profile_table_print(
			profile, MEASURE_TABLE_FILES, options->view.nr_most, stdout);
	else
		measure_view_print(view, stdout);
	if (options->view.by == MEASURE_BY_REGION && !options->view.is_tree)
		measure_profile_print_traffic(profile, stdout);
}

/* `words`: to follow the head, or NULL. */
static void print_profile(
	const struct profile_options *options, const struct measure_waits *waits, const char *words)
{
	const struct measure_profile *profile = &waits->profile;
	const bool is_file = options->view.by == MEASURE_BY_FILE;
	struct measure_view_options chosen = options->view;
	struct measure_sync_region_filter filter;
	struct measure_view view;

	if (options->rules.filter) {
		start_filter(&filter, options, &profile->trace->definitions);
		chosen.is_shown = is_kept;
		chosen.data = &filter;
	}
	measure_view_make(&view, profile, &chosen);
	switch (options->format) {
	case PROFILE_TEXT:
		print_text(options, waits, &view, words);
		break;
	case PROFILE_CSV:
		if (is_file)
			measure_profile_table_print_csv(profile, MEASURE_TABLE_FILES, stdout);
		else
			measure_view_print_csv(&view, stdout);
		break;
	case PROFILE_JSON:
		measure_profile_print_json(profile, stdout);
		break;
	case PROFILE_FOLDED:
		measure_profile_print_folded(profile, stdout);
		break;
	case PROFILE_HTML:
		if (is_file)
			measure_profile_table_print_html(profile, MEASURE_TABLE_FILES, stdout);
		else
			measure_view_print_html(&view, stdout);
		break;
	}
	measure_view_free(&view);
	if (options->rules.filter)
		measure_sync_region_filter_free(&filter);
}

/* Corrected time of a bound; `otherwise` where it is not given. */
static uint64_t find_bound(const struct measure_trace *trace,
	const struct measure_time_bound *bound, uint64_t otherwise)
{
	const struct measure_clock *clock = &trace->definitions.clock;
	const uint64_t ticks = measure_time_bound_ticks(bound, clock->length, clock->resolution);

	if (!bound->is_given)
		return otherwise;
	return ticks < UINT64_MAX - clock->offset ? clock->offset + ticks : UINT64_MAX;
}

/* As what was read: how far it could be, or that it cannot be at all. */
static enum measure_exit_code code_of(measure_status_t status)
{
	if (status == MEASURE_OK)
		return MEASURE_EXIT_DONE;
	if (status == MEASURE_ERROR_FORMAT)
		return MEASURE_EXIT_FOUND;
	measure_cli_say("%s", measure_trace_error());
	return MEASURE_EXIT_CANNOT;
}

static enum measure_exit_code save_profile(
	const struct profile_options *options, const struct measure_profile *profile)
{
	if (measure_profile_archive_write(profile, options->directory) == MEASURE_OK)
		return MEASURE_EXIT_DONE;
	measure_cli_say("%s", measure_trace_error());
	return MEASURE_EXIT_CANNOT;
}

/* Reads it once, or as measure-analyze does where clocks disagree. */
static measure_status_t read_profile(struct corrected_waits *read,
	const struct profile_options *options, const struct measure_sync_job *job,
	struct measure_trace *trace)
{
	const bool is_watched = job->rank == 0 && isatty(STDERR_FILENO);
	const struct measure_profile_options how = {.nr_threads = options->nr_threads,
		.job = job,
		.has_window = options->from.is_given || options->until.is_given,
		.from = find_bound(trace, &options->from, 0),
		.until = find_bound(trace, &options->until, UINT64_MAX),
		.progress = is_watched ? measure_progress_show : NULL};
	const struct measure_waits_options wishes = {
		.nr_threads = how.nr_threads, .job = job, .progress = how.progress};
	measure_status_t status;

	if (options->has_waits) {
		status = corrected_waits_read(read, trace, true, &wishes);
		if (job->rank > 0)
			return status;
		measure_root_causes_find(&read->waits, options->nr_threads);
		measure_root_causes_sum_paths(&read->waits);
		return status;
	}
	*read = (struct corrected_waits){.failure = NULL};
	measure_progress_start("reading");
	status = measure_profile_read(trace, &how, &read->waits.profile);
	measure_progress_end();
	return status;
}

static enum measure_exit_code refuse_profile(
	const struct profile_options *options, const struct measure_sync_job *job)
{
	if (job->rank == 0)
		measure_cli_say("%s: holds a profile, which does not tell who waited: omit --waits",
			options->input);
	return MEASURE_EXIT_CANNOT;
}

static void bound_memory(const struct profile_options *options)
{
	const char *directory = getenv("TMPDIR");

	measure_spill_bound(options->memory, directory && *directory ? directory : "/tmp");
}

/* `copy`: of the input, compensated, to be read instead; or NULL. */
static enum measure_exit_code profile_trace(const struct profile_options *options,
	const struct measure_sync_job *job, const struct compensated_copy *copy)
{
	const char *input = copy ? copy->archive : options->input;
	struct measure_findings findings = {0};
	struct corrected_waits read;
	struct measure_trace *trace;
	enum measure_exit_code result = MEASURE_EXIT_DONE;
	measure_status_t status;

	if (measure_trace_open(input, &findings, &trace) != MEASURE_OK) {
		measure_cli_say("%s", measure_trace_error());
		return MEASURE_EXIT_CANNOT;
	}
	trace->name = copy ? copy->input : NULL;
	if (options->has_waits && measure_profile_archive_is_one(trace)) {
		result = refuse_profile(options, job);
		goto close_trace;
	}
	status = read_profile(&read, options, job, trace);
	if (job->rank == 0) {
		result = code_of(status);
		if (result != MEASURE_EXIT_CANNOT && options->task == PROFILE_PRINT)
			print_profile(options, &read.waits, copy ? copy->words : NULL);
		else if (result != MEASURE_EXIT_CANNOT &&
			 save_profile(options, &read.waits.profile) != MEASURE_EXIT_DONE)
			result = MEASURE_EXIT_CANNOT;
	}
	corrected_waits_free(&read);
close_trace:
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return result;
}

struct profile_work {
	struct profile_options *options;
	const struct job_launch *launch;
	struct compensated_copy copy; /* the first process has room for it */
};

static enum measure_exit_code profile_compensated(
	struct profile_work *work, const struct measure_sync_job *job)
{
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;

	if (compensated_copy_make(
		    &work->copy, job, work->options->nr_threads, work->options->memory)) {
		bound_memory(work->options);
		result = profile_trace(work->options, job, &work->copy);
	}
	compensated_copy_free(&work->copy);
	return result;
}

/* As one of the processes of a job: the first one prints, and speaks for all. */
static enum measure_exit_code profile_in_job(struct profile_work *work)
{
	struct profile_options *options = work->options;
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;
	struct measure_sync_job job;

	if (job_launch_join(work->launch, &job)) {
		sync_rules_share(&options->rules, &job);
		result = options->is_compensated ? profile_compensated(work, &job)
						 : profile_trace(options, &job, NULL);
		sync_rules_free(&options->rules);
		measure_sync_job_close(&job);
	}
	return job_launch_is_first(work->launch) ? result : MEASURE_EXIT_DONE;
}

/* Done by all processes of a job together. */
static bool is_profile_task(enum profile_task task)
{
	return task == PROFILE_PRINT || task == PROFILE_SAVE;
}

static int work(void *data)
{
	struct profile_work *what = data;
	struct profile_options *options = what->options;
	enum measure_exit_code result;

	bound_memory(options);
	if (is_profile_task(options->task)) {
		result = profile_in_job(what);
	} else {
		sync_rules_share(&options->rules, &measure_sync_job_of_one);
		result = summarize(options);
	}
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return result;
	measure_cli_say("cannot write the result: %s", strerror(errno));
	return MEASURE_EXIT_CANNOT;
}

/* Said before a long time of reading. */
static enum measure_exit_code refuse_directory(const char *directory)
{
	measure_cli_say("--save: %s: exists already; choose a new directory", directory);
	return MEASURE_EXIT_CANNOT;
}

static void end_copy(void *data)
{
	struct profile_work *what = data;

	compensated_copy_end(&what->copy);
}

/* The first process of a job makes room for all; where it cannot, it comes to nothing in all. */
static int work_with_copy(struct profile_work *what)
{
	const char *input = what->options->input;

	what->copy = (struct compensated_copy){.input = input, .target.lock = -1};
	if (!job_launch_is_first(what->launch))
		return measure_cli_read_in_child(work, what, input);
	if (!compensated_copy_start(&what->copy, input) && what->launch->size == 1)
		return MEASURE_EXIT_CANNOT;
	return measure_cli_read_in_child_and_clear(work, end_copy, what, input);
}

int main(int argc, char **argv)
{
	struct profile_options options = {.input = NULL};
	struct profile_work what;
	struct job_launch launch;
	int early;

	measure_cli_start("measure-profile");
	job_launch_detect(&launch, argv);
	options.nr_threads = launch.nr_threads;
	options.memory = launch.memory;
	early = profile_options_parse(argc, argv, &options);
	if (early >= 0)
		return job_launch_is_first(&launch) ? early : MEASURE_EXIT_DONE;
	if (!job_launch_is_first(&launch) && !is_profile_task(options.task))
		return MEASURE_EXIT_DONE; /* the first process does it alone */
	if (options.task == PROFILE_SAVE && access(options.directory, F_OK) == 0)
		return job_launch_is_first(&launch) ? refuse_directory(options.directory)
						    : MEASURE_EXIT_DONE;
	if (job_launch_is_first(&launch) && options.rules.file &&
		!sync_rules_read(&options.rules, "nothing was read"))
		return MEASURE_EXIT_CANNOT;
	job_launch_speak();
	/* Launchers give each process a terminal of its own. */
	measure_report_highlight(launch.size == 1 && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
	what = (struct profile_work){.options = &options, .launch = &launch};
	return options.is_compensated ? work_with_copy(&what)
				      : measure_cli_read_in_child(work, &what, options.input);
}
