/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of a process, from its folder in /proc: proc.def. */
#include "config.h"

#include <dirent.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"
#include "metric/field.h"
#include "list.h"

#define FILE_SIZE 4096

enum file { FILE_STATUS, FILE_STAT, FILE_IO, NR_FILES, FILE_TASKS = NR_FILES };

static const char *const names[NR_FILES] = {"status", "stat", "io"};

static const struct item {
	struct measure_metric_info info;
	enum file file;
	uint32_t number;
} items[] = {
#define PROC(name, FILE, number, mode, unit, base, exponent, description)                          \
	{{#name, description, unit, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_##mode, OTF2_TYPE_UINT64,  \
		 OTF2_BASE_##base, exponent},                                                      \
		FILE_##FILE, number},
#include "metric/proc.def"
#undef PROC
};
#define NR_ITEMS (sizeof(items) / sizeof(*items))

struct proc_reading {
	pid_t pid;
	uint32_t nr;
	const struct item *items[MEASURE_MOST_METRICS];
};

static const struct item *item_of(const char *name)
{
	for (size_t i = 0; i < NR_ITEMS; i++)
		if (strcmp(items[i].info.name, name) == 0)
			return &items[i];
	return NULL;
}

static measure_status_t proc_find(
	const char *metric, struct measure_metric_info *info, const char **why)
{
	const struct item *item = item_of(metric);

	if (!item)
		return MEASURE_ERROR_NOT_FOUND;
	*why = "not available in this kernel";
	if (item->file == FILE_IO && access("/proc/self/io", R_OK) != 0)
		return MEASURE_ERROR_UNSUPPORTED;
	*info = item->info;
	return MEASURE_OK;
}

static const char *proc_name_of(uint32_t number)
{
	return number < NR_ITEMS ? items[number].info.name : NULL;
}

static void *proc_begin(const char *const *metrics, uint32_t nr, pid_t pid)
{
	struct proc_reading *reading = calloc(1, sizeof(*reading));

	if (!reading)
		return NULL;
	reading->pid = pid;
	for (uint32_t i = 0; i < nr; i++)
		reading->items[reading->nr++] = item_of(metrics[i]);
	return reading;
}

/* Threads that end meanwhile are not in it. */
static bool add_up_tasks(pid_t pid, const char *key, uint64_t *sum)
{
	char path[300], text[FILE_SIZE];
	uint64_t value;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	DIR *directory = opendir(path);
	if (!directory)
		return false;
	*sum = 0;
	for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
		snprintf(path, sizeof(path), "/proc/%d/task/%.16s/status", (int)pid, entry->d_name);
		if (entry->d_name[0] != '.' && measure_text_read(path, text, sizeof(text)) > 0 &&
			measure_field_by_key(text, key, &value))
			*sum += value;
	}
	closedir(directory);
	return true;
}

static bool read_file(pid_t pid, enum file file, char text[FILE_SIZE])
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, names[file]);
	return measure_text_read(path, text, FILE_SIZE) > 0;
}

static bool read_item(const struct item *item, const char *text, uint64_t *value)
{
	if (item->file == FILE_STAT)
		return measure_field_of_stat(text, item->number, value);
	return measure_field_by_key(text, item->info.name, value);
}

/* Each file once. A process that is dead and not yet waited for has no memory any more. */
static bool proc_read_values(void *state, union measure_metric_value *values)
{
	const struct proc_reading *reading = state;
	char texts[NR_FILES][FILE_SIZE];

	for (enum file file = 0; file < NR_FILES; file++)
		texts[file][0] = '\0';
	for (uint32_t i = 0; i < reading->nr; i++) {
		const struct item *item = reading->items[i];
		uint64_t *value = &values[i].unsigned_int;
		bool is_read;
		if (item->file == FILE_TASKS)
			is_read = add_up_tasks(reading->pid, item->info.name, value);
		else
			is_read = (texts[item->file][0] ||
					  read_file(reading->pid, item->file, texts[item->file])) &&
				  read_item(item, texts[item->file], value);
		if (!is_read)
			return false;
	}
	return true;
}

const struct measure_metric_source measure_metric_proc = {MEASURE_METRIC_ABI,
	MEASURE_METRIC_PROCESS, "proc", proc_find, proc_name_of, proc_begin, proc_read_values, free,
	NULL};
