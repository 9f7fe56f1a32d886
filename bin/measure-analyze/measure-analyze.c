/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-analyze: how long the calls of a program waited, for whom, and how efficient its
 * processes were, from its archive. The processes of a job read it together, each a part. The
 * archive is read in a child process: the OTF2 library is not safe against damaged files. Exit
 * status: 0 all was read, 1 a part could not be read, 2 unreadable input or usage error. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "analysis/causes/root_causes.h"
#include "analysis/task_panels/task_report.h"
#include "analysis/waits/waits_report.h"
#include "analyze_options.h"
#include "base/printable.h"
#include "bin/common/corrected_waits.h"
#include "bin/common/job_launch.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/read_in_child.h"
#include "sync/parallel/status_reduction.h"
#include "sync/parallel/workers.h"
#include "trace/archive/trace.h"
#include "trace/common/spilling_alloc.h"
#include "trace/common/trace_error.h"

/* Of the processes of a job, the first one has it. */
static measure_status_t find_work(const struct analyze_options *options,
	const struct measure_sync_job *job, struct measure_trace *trace, struct measure_work *work)
{
	const struct measure_waits_options wishes = {.nr_threads = options->nr_threads, .job = job};
	const struct measure_efficiency_options efficiencies = {.is_whole = options->is_whole};
	struct measure_efficiency efficiency;
	struct corrected_waits corrected;
	const measure_status_t status =
		corrected_waits_read(&corrected, trace, options->is_sync_wanted, &wishes);

	if (job->rank == 0) {
		measure_efficiency_find(&efficiency, &corrected.waits, &efficiencies);
		*work = efficiency.work;
		measure_efficiency_free(&efficiency);
	}
	corrected_waits_free(&corrected);
	return status;
}

/* Whether there is one; else it says why. */
static bool read_reference(const struct analyze_options *options,
	const struct measure_sync_job *job, struct measure_work *work)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	struct measure_trace *trace = NULL;
	measure_status_t status = measure_trace_open(options->reference, &findings, &trace);

	status = measure_sync_job_reduce_status(job, status, job->rank);
	if (status == MEASURE_OK && measure_profile_archive_is_one(trace)) {
		measure_error_set(
			"--reference: %s: holds a profile: give a trace", options->reference);
		status = MEASURE_ERROR_FORMAT;
	}
	if (status == MEASURE_OK)
		find_work(options, job, trace, work);
	else if (job->rank == 0)
		measure_cli_say("%s", measure_trace_error());
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return status == MEASURE_OK;
}

struct analyze_findings {
	const struct analyze_options *options;
	const struct measure_efficiency_options *efficiencies;
	struct measure_waits *waits;
	struct measure_efficiency efficiency;
};

/* One of two things that work on the same calls and waits. */
static void explain(void *data, size_t index)
{
	struct analyze_findings *found = data;

	if (index == 0)
		measure_efficiency_find(&found->efficiency, found->waits, found->efficiencies);
	else
		measure_root_causes_find(found->waits, found->options->nr_threads);
}

static void analyze_waits(struct analyze_findings *found)
{
	const struct analyze_options *options = found->options;

	measure_root_causes_prepare(found->waits);
	/* a prediction needs the segments, which root causes take: it has to come before */
	measure_workers_share(
		found->efficiencies->what_if ? 1 : options->nr_threads, 2, explain, found);
	if (options->is_json)
		measure_waits_print_json(found->waits, &found->efficiency, stdout);
	else
		measure_waits_print_text(
			found->waits, &found->efficiency, options->nr_most, stdout);
	measure_efficiency_free(&found->efficiency);
}

static enum measure_exit_code analyze_trace(const struct analyze_options *options,
	const struct measure_sync_job *job, struct measure_trace *trace,
	const struct measure_work *reference)
{
	const bool is_watched = job->rank == 0 && isatty(STDERR_FILENO);
	const struct measure_waits_options wishes = {.nr_threads = options->nr_threads,
		.has_rendezvous = options->has_rendezvous,
		.rendezvous = options->rendezvous,
		.job = job,
		.progress = is_watched ? measure_progress_show : NULL};
	const struct measure_efficiency_options efficiencies = {.is_whole = options->is_whole,
		.nr_windows = options->nr_windows,
		.has_phases = options->has_phases,
		.reference = reference,
		.is_weak = options->is_weak,
		.what_if = options->what_if.nr_changes > 0 ? &options->what_if : NULL};
	struct corrected_waits corrected;
	measure_status_t status;
	bool is_written = true;

	status = corrected_waits_read(&corrected, trace, options->is_sync_wanted, &wishes);
	if (job->rank == 0) {
		analyze_waits(&(struct analyze_findings){.options = options,
			.efficiencies = &efficiencies,
			.waits = &corrected.waits});
		is_written = exports_write(&options->exports, &corrected);
	}
	corrected_waits_free(&corrected);
	if (!is_written)
		return MEASURE_EXIT_CANNOT;
	return status == MEASURE_OK ? MEASURE_EXIT_DONE : MEASURE_EXIT_FOUND;
}

/* Where messages between tasks arrive before they are sent, once more with corrected times; how
 * many there were is in *nr_corrected. */
static measure_status_t read_tasks(const struct analyze_options *options,
	struct measure_trace *trace, struct sync_times *times, struct measure_tasks *tasks,
	uint64_t *nr_corrected)
{
	const bool is_watched = isatty(STDERR_FILENO);
	const struct measure_tasks_options wishes = {.nr_threads = options->nr_threads,
		.progress = is_watched ? measure_progress_show : NULL};
	const struct measure_waits_options correction = {.nr_threads = options->nr_threads,
		.job = &measure_sync_job_of_one,
		.progress = wishes.progress};
	measure_status_t status = measure_tasks_read(trace, &wishes, tasks);
	const size_t nr_reversed = measure_tasks_count_reversed(tasks);
	char *failure = NULL;

	if (!options->is_sync_wanted || nr_reversed == 0)
		return status;
	if (corrected_times_find(times, trace, &correction, &failure)) {
		measure_tasks_free(tasks);
		sync_times_use(times, trace);
		status = measure_tasks_read(trace, &wishes, tasks);
		*nr_corrected = nr_reversed;
	}
	measure_free(failure);
	return status;
}

/* By the first process of a job alone. */
static enum measure_exit_code analyze_tasks(const struct analyze_options *options,
	const struct measure_sync_job *job, struct measure_trace *trace)
{
	struct sync_times times = {.nr_corrections = 0};
	struct measure_task_view view;
	struct measure_tasks tasks;
	uint64_t nr_corrected = 0;
	measure_status_t status;

	if (job->rank != 0)
		return MEASURE_EXIT_DONE;
	status = read_tasks(options, trace, &times, &tasks, &nr_corrected);
	measure_task_view_make(&view, trace, &tasks);
	view.nr_corrected = nr_corrected;
	if (options->is_json)
		measure_task_report_print_json(&view, stdout);
	else if (tasks.nr_tasks > 0)
		measure_task_report_print_text(&view, options->nr_most, stdout);
	else
		printf("no tasks in %s\n", MEASURE_PRINTABLE(trace->anchor));
	measure_task_view_free(&view);
	measure_tasks_free(&tasks);
	sync_times_free(&times);
	return status == MEASURE_OK ? MEASURE_EXIT_DONE : MEASURE_EXIT_FOUND;
}

static enum measure_exit_code analyze_archive(
	const struct analyze_options *options, const struct measure_sync_job *job)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;
	char error[MEASURE_WHAT_IF_ERROR];
	struct measure_trace *trace = NULL;
	struct measure_work reference;

	if (options->reference && !read_reference(options, job, &reference))
		return MEASURE_EXIT_CANNOT;

	measure_status_t status = measure_trace_open(options->input, &findings, &trace);

	status = measure_sync_job_reduce_status(job, status, job->rank);
	if (status == MEASURE_OK && measure_profile_archive_is_one(trace)) {
		measure_error_set("%s: holds a profile, which does not show who waited: "
				  "record a trace, without --profile",
			options->input);
		status = MEASURE_ERROR_FORMAT;
	}
	if (status == MEASURE_OK &&
		!measure_what_if_check(&options->what_if, &trace->definitions, error)) {
		measure_error_set("%s", error);
		status = MEASURE_ERROR_USAGE;
	}
	if (status == MEASURE_OK && options->has_tasks)
		result = analyze_tasks(options, job, trace);
	else if (status == MEASURE_OK)
		result = analyze_trace(options, job, trace, options->reference ? &reference : NULL);
	else if (job->rank == 0)
		measure_cli_say("%s", measure_trace_error());
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return result;
}

struct analyze_work {
	const struct analyze_options *options;
	const struct job_launch *launch;
};

/* As one of the processes of a job: the first one prints, and speaks for all. */
static int work(void *data)
{
	const struct analyze_work *what = data;
	const char *directory = getenv("TMPDIR");
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;
	struct measure_sync_job job;

	measure_spill_bound(what->options->memory, directory && *directory ? directory : "/tmp");
	if (job_launch_join(what->launch, &job)) {
		result = analyze_archive(what->options, &job);
		measure_sync_job_close(&job);
	}
	if (!job_launch_is_first(what->launch))
		return MEASURE_EXIT_DONE;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return result;
	measure_cli_say("cannot write the result: %s", strerror(errno));
	return MEASURE_EXIT_CANNOT;
}

int main(int argc, char **argv)
{
	struct analyze_options options;
	struct job_launch launch;
	int early;

	measure_cli_start("measure-analyze");
	job_launch_detect(&launch, argv);
	analyze_options_start(&options);
	options.nr_threads = launch.nr_threads;
	options.memory = launch.memory;
	early = analyze_options_parse(argc, argv, &options);
	if (early >= 0)
		return job_launch_is_first(&launch) ? early : MEASURE_EXIT_DONE;
	if (!exports_are_possible(&options.exports, options.input, job_launch_is_first(&launch)))
		return job_launch_is_first(&launch) ? MEASURE_EXIT_CANNOT : MEASURE_EXIT_DONE;
	job_launch_speak();
	early = measure_cli_read_in_child(
		work, &(struct analyze_work){&options, &launch}, options.input);
	exports_end(&options.exports);
	return early;
}
