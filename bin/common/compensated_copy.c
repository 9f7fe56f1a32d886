/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compensated copies; see compensated_copy.h. */
#include "config.h"

#include "compensated_copy.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/printable.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "sync/parallel/status_reduction.h"
#include "trace/archive/trace.h"
#include "trace/archive/trace_properties.h"
#include "trace/common/containers.h"
#include "trace/common/trace_error.h"

#define PREFIX ".compensated-"

/* ----------------------------------------------------------------------------- room --- */

/* The directory of the archive; NULL: it is not there. To be freed by free(). */
static char *directory_of_archive(const char *input)
{
	char *path = realpath(input, NULL), *slash;
	struct stat status;

	if (!path || stat(path, &status) != 0 || S_ISDIR(status.st_mode))
		return path;
	slash = strrchr(path, '/');
	*(slash == path ? slash + 1 : slash) = '\0';
	return path;
}

/* Where it may be, and a name that is not in the way of any archive. */
static void choose_path(const char *input, char path[PATH_MAX])
{
	char *archive = directory_of_archive(input);
	const char *name = archive ? measure_base_name(archive) : "trace";
	const char *place = getenv("TMPDIR");
	int length = archive ? (int)(name - archive) : 0;

	if (place && *place) {
		snprintf(path, PATH_MAX, "%s/" PREFIX "%s", place, name);
	} else {
		snprintf(path, PATH_MAX, "%.*s", length, archive ? archive : "");
		if (length == 0 || access(path, W_OK) != 0)
			snprintf(path, PATH_MAX, "/tmp/");
		length = (int)strlen(path);
		snprintf(path + length, PATH_MAX - (size_t)length, PREFIX "%s", name);
	}
	free(archive);
}

bool compensated_copy_start(struct compensated_copy *copy, const char *input)
{
	char path[PATH_MAX];

	*copy = (struct compensated_copy){.input = input, .target.lock = -1};
	choose_path(input, path);
	return sync_target_make(&copy->target, input, path, "TMPDIR", false);
}

void compensated_copy_end(struct compensated_copy *copy)
{
	sync_target_free(&copy->target);
}

/* --------------------------------------------------------------------------- making --- */

/* The method that it has been compensated by, to be freed; NULL: it has not. */
static measure_status_t find_method(const char *input, char **method)
{
	struct measure_trace_properties properties;
	struct measure_findings findings = {0};
	struct measure_trace *trace;
	const char *value;
	measure_status_t status = measure_trace_open(input, &findings, &trace);

	*method = NULL;
	if (status == MEASURE_OK) {
		measure_trace_properties_read(trace, &properties);
		value = measure_trace_property(&properties, MEASURE_PROPERTY_COMPENSATED);
		*method = value ? measure_copy_text(value) : NULL;
		measure_trace_properties_free(&properties);
		measure_trace_close(trace);
	}
	measure_findings_free(&findings);
	return status;
}

/* The words are those of the report. */
static void keep_words(struct compensated_copy *copy, const struct sync_run *run)
{
	size_t size;
	FILE *file = open_memstream(&copy->words, &size);

	if (!file)
		measure_out_of_memory();
	sync_report_compensation_head(run, file);
	if (fclose(file) != 0)
		measure_out_of_memory();
}

static measure_status_t make(struct compensated_copy *copy, const struct measure_sync_job *job,
	const struct sync_options *options)
{
	const bool is_watched = job->rank == 0 && isatty(STDERR_FILENO);
	measure_status_t status;
	struct sync_run run;

	copy->archive = measure_sync_job_share_text(job, copy->target.making);
	if (!copy->archive) {
		measure_error_set("%s: not compensated: no room for a copy", copy->input);
		return MEASURE_ERROR_IO;
	}
	measure_progress_start("compensating");
	status = sync_run(
		&run, job, options, copy->archive, is_watched ? measure_progress_show : NULL);
	measure_progress_end();
	if (status == MEASURE_OK && job->rank == 0)
		keep_words(copy, &run);
	sync_run_free(&run);
	return status;
}

static void take_input(struct compensated_copy *copy, const char *method)
{
	copy->is_input = true;
	copy->archive = measure_copy_text(copy->input);
	if (asprintf(&copy->words, "compensated before (%s)\n", MEASURE_PRINTABLE(method)) < 0)
		measure_out_of_memory();
}

bool compensated_copy_make(struct compensated_copy *copy, const struct measure_sync_job *job,
	unsigned nr_threads, uint64_t memory)
{
	struct sync_options options;
	measure_status_t status;
	char *method;

	sync_options_start(&options);
	options.input = copy->input;
	options.nr_threads = nr_threads;
	options.memory = memory;
	options.compensation = MEASURE_COMPENSATION_FREQUENCY;
	status = measure_sync_job_reduce_status(job, find_method(copy->input, &method), job->rank);
	if (status == MEASURE_OK && method)
		take_input(copy, method);
	else if (status == MEASURE_OK)
		status = make(copy, job, &options);
	measure_free(method);
	if (status != MEASURE_OK && job->rank == 0)
		measure_cli_say("%s", measure_trace_error());
	return status == MEASURE_OK;
}

void compensated_copy_free(struct compensated_copy *copy)
{
	measure_free(copy->archive);
	free(copy->words);
	copy->archive = copy->words = NULL;
}
