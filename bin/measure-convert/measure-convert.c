/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-convert: writes an archive, or a part of it, in the format of another tool. The archive
 * is read in a child process: the OTF2 library is not safe against damaged files. Exit status: 0
 * all was read, 1 a part could not be read, 2 unreadable input, unwritable output or usage error.
 */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/archive/profile_archive.h"
#include "bin/common/corrected_waits.h"
#include "bin/common/job_launch.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/read_in_child.h"
#include "convert_options.h"
#include "export/conversion/output_file.h"
#include "trace/common/spilling_alloc.h"
#include "trace/common/trace_error.h"

static enum measure_exit_code exit_code_of(measure_status_t status)
{
	if (status == MEASURE_OK)
		return MEASURE_EXIT_DONE;
	measure_cli_say("%s", measure_trace_error());
	return status == MEASURE_ERROR_FORMAT ? MEASURE_EXIT_FOUND : MEASURE_EXIT_CANNOT;
}

static enum measure_exit_code write_format(const struct convert_options *options,
	struct measure_trace *trace, struct corrected_waits *corrected)
{
	struct measure_conversion conversion;
	measure_status_t status =
		measure_conversion_start(&conversion, trace, &corrected->waits, &options->selected);
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;

	conversion.corrections = corrected->times.by_location;
	if (status == MEASURE_OK)
		result = exit_code_of(options->format->write(&conversion, options->output));
	else
		measure_cli_say("%s", measure_trace_error());
	measure_conversion_free(&conversion);
	return result;
}

/* Waits are found in a reading of their own. They tell whether clocks agree, and where phases are.
 */
static bool are_waits_needed(const struct convert_options *options,
	const struct measure_trace *trace, bool is_sync_wanted)
{
	const enum measure_format_needs needs = options->format->needs;

	return is_sync_wanted || needs == MEASURE_NEEDS_WAITS ||
	       (needs == MEASURE_NEEDS_FLOWS && options->selected.nr_flows > 0) ||
	       options->selected.phase.name || !trace->definitions.clock.is_defined;
}

static enum measure_exit_code convert_trace(
	const struct convert_options *options, struct measure_trace *trace)
{
	const bool is_watched = isatty(STDERR_FILENO);
	const struct measure_waits_options wishes = {.nr_threads = options->nr_threads,
		.job = &measure_sync_job_of_one,
		.progress = is_watched ? measure_progress_show : NULL};
	const bool is_sync_wanted =
		options->is_sync_wanted && options->format->needs >= MEASURE_NEEDS_TIMES;
	const struct measure_clock *clock = &trace->definitions.clock;
	struct corrected_waits corrected = {
		.waits.profile = {.first = clock->offset, .last = clock->offset + clock->length}};
	enum measure_exit_code result;

	if (options->format->write == measure_export_chrome &&
		measure_chrome_check(trace, &options->selected) != MEASURE_OK)
		return exit_code_of(MEASURE_ERROR_USAGE);
	/* what of it cannot be read, the format finds again */
	if (are_waits_needed(options, trace, is_sync_wanted))
		corrected_waits_read(&corrected, trace, is_sync_wanted, &wishes);
	result = write_format(options, trace, &corrected);
	corrected_waits_free(&corrected);
	return result;
}

static int convert_in_child(void *data)
{
	const struct convert_options *options = data;
	const char *directory = getenv("TMPDIR");
	struct measure_findings findings = {.nr_kept_per_check = 0};
	enum measure_exit_code result = MEASURE_EXIT_CANNOT;
	struct measure_trace *trace = NULL;
	measure_status_t status;

	signal(SIGPIPE, SIG_IGN); /* becomes an error of the file */
	measure_spill_bound(options->memory, directory && *directory ? directory : "/tmp");
	status = measure_trace_open(options->input, &findings, &trace);
	if (status == MEASURE_OK && measure_profile_archive_is_one(trace)) {
		measure_error_set(
			"%s: holds a profile, which has no events: use measure-profile, or "
			"record a trace",
			options->input);
		status = MEASURE_ERROR_FORMAT;
	}
	if (status == MEASURE_OK)
		result = convert_trace(options, trace);
	else
		measure_cli_say("%s", measure_trace_error());
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return result;
}

int main(int argc, char **argv)
{
	struct convert_options options = {.format = NULL};
	struct job_launch launch;
	int early;

	measure_cli_start("measure-convert");
	job_launch_detect(&launch, argv);
	if (!job_launch_is_first(&launch)) /* one process of a job does it all */
		return MEASURE_EXIT_DONE;
	options.nr_threads = launch.nr_threads;
	options.memory = launch.memory;
	early = convert_options_parse(argc, argv, &options);
	if (early < 0 && !sync_rules_read(&options.rules, "nothing was written"))
		early = MEASURE_EXIT_CANNOT;
	if (early < 0) {
		sync_rules_share(&options.rules, &measure_sync_job_of_one);
		options.selected.filter = options.rules.filter;
		measure_output_files_begin();
		early = measure_cli_read_in_child(convert_in_child, &options, options.input);
		if (early == MEASURE_EXIT_CANNOT) /* the child may have crashed */
			measure_output_files_sweep(options.output);
	}
	sync_rules_free(&options.rules);
	return early;
}
