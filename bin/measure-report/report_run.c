/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and analyzes a run; see report_run.h. */
#include "config.h"

#include "report_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "analysis/causes/root_causes.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "sync/parallel/sync_ranks.h"
#include "sync/parallel/workers.h"
#include "trace/archive/trace.h"
#include "trace/common/containers.h"

/* Of so many instances of a phase each has efficiencies of its own, which takes a replay. */
#define MOST_PHASES 200

/* --------------------------------------------------------------------------- names --- */

char *report_name_of(const char *path)
{
	char *copy = measure_copy_text(path), *name, *result;
	size_t length = strlen(copy);

	if (length > 5 && !strcmp(copy + length - 5, ".otf2")) {
		name = strrchr(copy, '/');
		*(name ? name : copy) = '\0';
		length = strlen(copy);
	}
	while (length > 1 && copy[length - 1] == '/')
		copy[--length] = '\0';
	name = strrchr(copy, '/');
	name = name ? name + 1 : copy;
	result = measure_copy_text(
		!*name || !strcmp(name, ".") || !strcmp(name, "..") ? "report" : name);
	measure_free(copy);
	return result;
}

/* ------------------------------------------------------------------------- reading --- */

static void read_profile(struct report_run *run, const struct report_options *options)
{
	const struct measure_profile_options how = {
		.nr_threads = options->nr_threads, .job = &measure_sync_job_of_one};

	run->corrected = (struct corrected_waits){.failure = NULL};
	run->status = measure_profile_read(run->trace, &how, &run->corrected.waits.profile);
}

static void read_events(struct report_run *run, const struct report_options *options)
{
	const struct measure_waits_observer observer =
		measure_page_contacts_observer(&run->contacts);
	const struct measure_waits_options wishes = {.nr_threads = options->nr_threads,
		.job = &measure_sync_job_of_one,
		.observer = &observer,
		.progress = isatty(STDERR_FILENO) ? measure_progress_show : NULL};

	run->status =
		corrected_waits_read(&run->corrected, run->trace, options->is_sync_wanted, &wishes);
}

bool report_run_read(struct report_run *run, const struct report_options *options, unsigned number)
{
	const char *input = options->inputs[number];

	*run = (struct report_run){.number = number};
	if (measure_trace_open(options->archives[number], &run->findings, &run->trace) !=
		MEASURE_OK) {
		measure_cli_say("%s", measure_trace_error());
		measure_findings_free(&run->findings);
		return false;
	}
	run->name = report_name_of(input);
	run->trace->name = options->is_compensated ? input : NULL;
	run->has_events = !measure_profile_archive_is_one(run->trace);
	if (run->has_events)
		read_events(run, options);
	else
		read_profile(run, options);
	if (run->status == MEASURE_OK || run->status == MEASURE_ERROR_FORMAT)
		return true;
	measure_cli_say("%s", measure_trace_error());
	report_run_free(run);
	return false;
}

/* ------------------------------------------------------------------------ analysis --- */

static bool has_few_phases(const struct measure_waits *waits)
{
	size_t most = 0;

	for (size_t i = 0; i < waits->dependencies.nr_locations; i++)
		if (waits->dependencies.tables[i].nr_phases > most)
			most = waits->dependencies.tables[i].nr_phases;
	return most > 0 && most <= MOST_PHASES;
}

struct report_analysis {
	struct report_run *run;
	const struct report_options *options;
};

/* One of two things that work on the same calls and waits. */
static void analyze_half(void *data, size_t index)
{
	const struct report_analysis *analysis = data;
	struct measure_waits *waits = &analysis->run->corrected.waits;
	const struct measure_efficiency_options how = {.has_phases = has_few_phases(waits)};

	if (index == 0)
		measure_efficiency_find(&analysis->run->efficiency, waits, &how);
	else
		measure_root_causes_find(waits, analysis->options->nr_threads);
}

/* Another reading, which runs without tasks can do without. */
static void read_tasks(struct report_run *run, const struct report_options *options)
{
	if (run->corrected.waits.profile.nr_tasks_created == 0 ||
		!report_options_want_tasks(options))
		return;
	run->tasks =
		measure_report_tasks_read(run->trace, options->nr_threads, &options->panels.choice);
	if (run->tasks)
		measure_report_tasks_make_all(run->tasks, options->nr_threads);
}

void report_run_analyze(struct report_run *run, const struct report_options *options)
{
	struct report_analysis analysis = {run, options};

	if (!run->has_events)
		return;
	measure_root_causes_prepare(&run->corrected.waits);
	measure_workers_share(options->nr_threads, 2, analyze_half, &analysis);
	measure_root_causes_sum_paths(&run->corrected.waits);
	read_tasks(run, options);
}

void report_run_free(struct report_run *run)
{
	if (run->has_events)
		measure_efficiency_free(&run->efficiency);
	measure_report_tasks_free(run->tasks);
	measure_page_contacts_free(&run->contacts);
	corrected_waits_free(&run->corrected);
	measure_trace_close(run->trace);
	measure_findings_free(&run->findings);
	measure_free(run->name);
}
