/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-convert --to starvz: a directory with the tables that phase 1 of StarVZ makes of a trace
 * of StarPU before R takes over, from any trace with tasks. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "export/conversion/output_file.h"
#include "starvz.h"
#include "trace/common/containers.h"
#include "trace/common/trace_error.h"

static const struct {
	const char *name;
	bool is_compressed;
	const char *header;
} files[STARVZ_NR_FILES] = {
#define STARVZ_FILE(NAME, name, is_compressed, header) {name, is_compressed, header},
#include "starvz_files.def"
#undef STARVZ_FILE
};

/* -------------------------------------------------------------------------- names --- */

bool starvz_is_cpu(const struct starvz *starvz, uint32_t worker)
{
	const char *name = starvz->tasks.classes[starvz->tasks.workers[worker].class].name;

	return strcmp(name, "CPU") == 0 || strcmp(name, "thread") == 0;
}

char *starvz_resource(const struct starvz *starvz, uint32_t worker, char name[STARVZ_NAME])
{
	snprintf(name, STARVZ_NAME, starvz_is_cpu(starvz, worker) ? "%u_CPU%u" : "%u_CUDA%u_0",
		starvz->numbers[starvz->tasks.workers[worker].process], starvz->resources[worker]);
	return name;
}

char *starvz_job(const struct starvz *starvz, uint32_t task, char name[STARVZ_NAME])
{
	const struct measure_tasks *tasks = &starvz->tasks;
	const uint32_t process = tasks->tasks[task].process;

	if (starvz->hops && starvz->hops[task] != MEASURE_NONE)
		snprintf(name, STARVZ_NAME, "mpicom_%u", starvz->hops[task]);
	else if (process < starvz->nr_processes)
		snprintf(name, STARVZ_NAME, "%u_%zu", starvz->numbers[process],
			task - starvz->first_tasks[process] + 1);
	else
		snprintf(name, STARVZ_NAME, "all_%u", task);
	return name;
}

char *starvz_handle(const struct starvz *starvz, uint32_t data, char name[STARVZ_NAME])
{
	const struct measure_task_data *what = &starvz->tasks.data[data];

	snprintf(name, STARVZ_NAME, "%u_%" PRIx64, starvz->numbers[what->process], what->handle);
	return name;
}

void starvz_print_name(gzFile file, const char *name)
{
	char copy[MEASURE_PRINTABLE_SIZE];
	const char *shown = measure_printable(name ? name : "", copy, sizeof(copy));

	for (const char *c = shown; *c; c++)
		gzputc(file, *c == ',' ? ';' : *c == '"' ? '\'' : *c);
}

uint64_t starvz_task_bytes(const struct starvz *starvz, uint32_t task)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	uint64_t bytes = 0;

	for (uint64_t i = tasks->first_accesses[task]; i < tasks->first_accesses[task + 1]; i++)
		bytes += tasks->data[tasks->accesses[i].data].bytes;
	return bytes;
}

/* ------------------------------------------------------------------------- numbers --- */

/* Ranks, if there is more than one. */
static void number_processes(struct starvz *starvz)
{
	const struct measure_definitions *definitions = starvz->conversion->definitions;
	uint32_t *ranks = measure_conversion_ranks(definitions);
	bool are_ranks = false;

	starvz->nr_processes = definitions->nr_location_groups;
	starvz->numbers = measure_zeroed(starvz->nr_processes + 1, sizeof(*starvz->numbers));
	for (size_t i = 0; i < starvz->nr_processes; i++)
		are_ranks = are_ranks || ranks[i] > 0;
	for (size_t i = 0; i < starvz->nr_processes; i++)
		starvz->numbers[i] = are_ranks ? ranks[i] : (uint32_t)i;
	measure_free(ranks);
}

static void number_tasks(struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;

	starvz->first_tasks =
		measure_zeroed(starvz->nr_processes + 1, sizeof(*starvz->first_tasks));
	for (size_t i = tasks->nr_tasks; i-- > 0;)
		if (tasks->tasks[i].process < starvz->nr_processes)
			starvz->first_tasks[tasks->tasks[i].process] = i;
	if (tasks->nr_hops == 0)
		return;
	starvz->hops = measure_zeroed(tasks->nr_tasks, sizeof(*starvz->hops));
	memset(starvz->hops, 0xff, tasks->nr_tasks * sizeof(*starvz->hops));
	for (size_t i = 0; i < tasks->nr_hops; i++)
		starvz->hops[tasks->hops[i].send] = starvz->hops[tasks->hops[i].receive] =
			(uint32_t)i;
}

static void number_workers(struct starvz *starvz)
{
	const struct measure_tasks *tasks = &starvz->tasks;
	uint32_t(*counts)[2] = measure_zeroed(starvz->nr_processes + 1, sizeof(*counts));

	starvz->resources = measure_zeroed(tasks->nr_workers + 1, sizeof(*starvz->resources));
	for (uint32_t i = 0; i < tasks->nr_workers; i++)
		starvz->resources[i] =
			counts[tasks->workers[i].process][starvz_is_cpu(starvz, i)]++;
	measure_free(counts);
}

static void starvz_free(struct starvz *starvz)
{
	measure_free(starvz->numbers);
	measure_free(starvz->first_tasks);
	measure_free(starvz->hops);
	measure_free(starvz->resources);
	measure_tasks_free(&starvz->tasks);
}

/* -------------------------------------------------------------------------- output --- */

static bool open_files(struct starvz *starvz, const char *directory)
{
	char *path = measure_zeroed(strlen(directory) + 64, 1);
	bool are_open = true;

	for (size_t i = 0; are_open && i < STARVZ_NR_FILES; i++) {
		sprintf(path, "%s/%s", directory, files[i].name);
		starvz->files[i] = gzopen(path, files[i].is_compressed ? "wb1e" : "wbTe");
		are_open =
			starvz->files[i] && gzprintf(starvz->files[i], "%s\n", files[i].header) > 0;
	}
	measure_free(path);
	return are_open;
}

static bool close_files(struct starvz *starvz)
{
	bool are_written = true;

	for (size_t i = 0; i < STARVZ_NR_FILES; i++)
		if (!starvz->files[i] || gzclose(starvz->files[i]) != Z_OK)
			are_written = false;
	return are_written;
}

static void remove_files(const char *directory)
{
	char *path = measure_zeroed(strlen(directory) + 64, 1);

	for (size_t i = 0; i < STARVZ_NR_FILES; i++) {
		sprintf(path, "%s/%s", directory, files[i].name);
		unlink(path);
	}
	rmdir(directory);
	measure_free(path);
}

static bool write_files(struct starvz *starvz, const char *directory)
{
	bool are_open;

	/* of a process of the same number */
	remove_files(directory);
	if (mkdir(directory, 0777) != 0)
		return false;
	are_open = open_files(starvz, directory);
	if (are_open) {
		number_processes(starvz);
		number_tasks(starvz);
		number_workers(starvz);
		starvz_write_tasks(starvz);
		starvz_write_machine(starvz);
		starvz_write_variables(starvz);
	}
	return close_files(starvz) && are_open;
}

static measure_status_t starvz_check(const struct measure_conversion *conversion)
{
	const struct measure_conversion_options *options = conversion->options;

	if (!conversion->has_window && !options->locations && !options->filter && !options->phase.name)
		return MEASURE_OK;
	measure_error_set("starvz: only whole traces are written; StarVZ has limits of its own");
	return MEASURE_ERROR_USAGE;
}

measure_status_t measure_export_starvz(struct measure_conversion *conversion, const char *path)
{
	const struct measure_tasks_options wishes = {.nr_threads = 2};
	struct starvz starvz = {.conversion = conversion};
	measure_status_t status = starvz_check(conversion);
	char *making = measure_output_file_name(path);

	if (status == MEASURE_OK)
		status = measure_tasks_read(conversion->trace, &wishes, &starvz.tasks);
	if ((status == MEASURE_OK || status == MEASURE_ERROR_FORMAT) &&
		starvz.tasks.nr_tasks == 0) {
		measure_error_set(
			"%s: has no tasks", MEASURE_PRINTABLE(conversion->options->input));
		status = MEASURE_ERROR_USAGE;
	}
	/* an empty directory may be there: nothing of anybody's is overwritten */
	if ((status == MEASURE_OK || status == MEASURE_ERROR_FORMAT) &&
		((rmdir(path) != 0 && errno != ENOENT) || !write_files(&starvz, making) ||
			rename(making, path) != 0)) {
		measure_error_set("%s: cannot write: %s", MEASURE_PRINTABLE(path), strerror(errno));
		status = MEASURE_ERROR_IO;
		remove_files(making);
	}
	starvz_free(&starvz);
	measure_free(making);
	return status;
}
