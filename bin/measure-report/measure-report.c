/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-report: runs as a page for browsers. Archives are read in a child process: the OTF2
 * library is not safe against damaged files. Exit status: 0 all was read, 1 a part could not be
 * read, 2 unreadable input or usage error. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bin/common/compensated_copy.h"
#include "bin/common/job_launch.h"
#include "cli/cli.h"
#include "cli/read_in_child.h"
#include "report_outputs.h"
#include "trace/common/containers.h"
#include "trace/common/spilling_alloc.h"

struct report_work {
	struct report_options *options;
	struct compensated_copy copy; /* where a compensated run is wanted */
};

static bool report_runs(struct report_outputs *outputs, bool *is_broken)
{
	for (size_t i = outputs->options->nr_inputs; i > 0; i--) {
		struct report_run run;
		bool is_done;

		if (!report_run_read(&run, outputs->options, (unsigned)i - 1))
			return false;
		*is_broken |= run.status != MEASURE_OK;
		report_outputs_see(outputs, &run);
		report_run_analyze(&run, outputs->options);
		is_done = report_outputs_take(outputs, &run);
		report_run_free(&run);
		if (!is_done)
			return false;
	}
	return true;
}

static int work(void *data)
{
	const struct report_work *what = data;
	struct report_outputs outputs = {.options = what->options};
	const char *directory = getenv("TMPDIR");
	bool is_done, is_broken = false;

	measure_spill_bound(outputs.options->memory, directory && *directory ? directory : "/tmp");
	is_done = report_outputs_start(&outputs) && report_runs(&outputs, &is_broken) &&
		  report_outputs_finish(&outputs);
	report_outputs_end(&outputs);
	if (!is_done)
		return MEASURE_EXIT_CANNOT;
	if ((fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
		return is_broken ? MEASURE_EXIT_FOUND : MEASURE_EXIT_DONE;
	measure_cli_say("cannot write the result: %s", strerror(errno));
	return MEASURE_EXIT_CANNOT;
}

/* --------------------------------------------------------------------- compensated --- */

/* The copy is the second run. */
static void add_run(struct report_work *what, char **name)
{
	struct report_options *options = what->options;
	char *first = report_name_of(options->inputs[0]);

	if (asprintf(name, "%s (compensated)", first) < 0)
		measure_out_of_memory();
	measure_free(first);
	options->inputs[1] = *name;
	options->archives[1] = what->copy.archive;
	options->nr_inputs = 2;
}

static int work_beside_copy(void *data)
{
	struct report_work *what = data;
	char *name = NULL;
	int result;

	if (!compensated_copy_make(&what->copy, &measure_sync_job_of_one, what->options->nr_threads,
		    what->options->memory)) {
		compensated_copy_free(&what->copy);
		return MEASURE_EXIT_CANNOT;
	}
	if (what->copy.words)
		fputs(what->copy.words, stdout);
	if (!what->copy.is_input)
		add_run(what, &name);
	result = work(what);
	free(name);
	compensated_copy_free(&what->copy);
	return result;
}

static void end_copy(void *data)
{
	struct report_work *what = data;

	compensated_copy_end(&what->copy);
}

int main(int argc, char **argv)
{
	struct report_options options;
	struct report_work what = {.options = &options};
	struct job_launch launch;
	int early;

	measure_cli_start("measure-report");
	job_launch_detect(&launch, argv);
	report_options_start(&options);
	options.nr_threads = launch.nr_threads;
	options.memory = launch.memory;
	early = report_options_parse(argc, argv, &options);
	if (!job_launch_is_first(&launch))
		return MEASURE_EXIT_DONE; /* the first process does it alone */
	if (early >= 0)
		return early;
	if (!options.is_compensated)
		return measure_cli_read_in_child(work, &what, options.inputs[0]);
	if (!compensated_copy_start(&what.copy, options.inputs[0]))
		return MEASURE_EXIT_CANNOT;
	return measure_cli_read_in_child_and_clear(
		work_beside_copy, end_copy, &what, options.inputs[0]);
}
