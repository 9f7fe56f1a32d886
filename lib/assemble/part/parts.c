/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking through a `.parts`; see parts.h. A part in work has a file `owner`, "PID START HOST",
 * written by the process in charge, and soon a KEEPER record. */
#include "config.h"

#include "parts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "journal_file.h"
#include "base/file.h"
#include "base/procfs.h"

struct owner {
	int64_t pid;
	uint64_t start_time;
	char host[256];
	bool has_end;
};

bool measure_process_lives(int64_t pid, uint64_t start_time)
{
	return start_time != 0 && measure_process_start((pid_t)pid) == start_time;
}

static measure_status_t parts_note_record(
	void *context, uint32_t kind, struct measure_decoder *payload)
{
	struct owner *owner = context;
	struct measure_def_keeper keeper;

	if (kind == MEASURE_RECORD_END)
		owner->has_end = true;
	if (kind == MEASURE_RECORD_KEEPER &&
		measure_def_keeper_decode(payload, &keeper) == MEASURE_OK) {
		owner->pid = keeper.pid;
		owner->start_time = keeper.start_time;
		snprintf(owner->host, sizeof(owner->host), "%s", keeper.host);
	}
	return MEASURE_OK;
}

static void read_owner(int part_fd, struct owner *owner)
{
	uint8_t *data;
	size_t size, end;
	long long pid;
	unsigned long long start;

	if (measure_file_load(part_fd, MEASURE_JOURNAL_OF_KEEPER, MEASURE_JOURNAL_MOST, &data,
		    &size) == MEASURE_OK) {
		measure_journal_visit(data, size, parts_note_record, owner, &end);
		free(data);
	}
	if (measure_file_load(part_fd, MEASURE_OWNER_NAME, MEASURE_OWNER_MOST, &data, &size) ==
		MEASURE_OK) {
		if (sscanf((char *)data, "%lld %llu %255s", &pid, &start, owner->host) == 3) {
			owner->pid = pid;
			owner->start_time = start;
		}
		free(data);
	}
}

/* Of another host's keeper only the traces can be seen. */
static bool was_silent(int part_fd)
{
	struct stat stat;

	if (fstatat(part_fd, MEASURE_JOURNAL_OF_KEEPER, &stat, 0) != 0 &&
		fstat(part_fd, &stat) != 0)
		return true;
	return time(NULL) - stat.st_mtime > MEASURE_PART_SILENCE;
}

static void parts_look(int parts_fd, struct measure_part_entry *entry)
{
	struct owner owner = {0};
	char host[256] = "";
	int fd = measure_file_open_directory(parts_fd, entry->name);

	if (fd < 0)
		return;
	read_owner(fd, &owner);
	gethostname(host, sizeof(host) - 1);
	entry->is_finished = owner.has_end;
	entry->owner_pid = owner.pid;
	memcpy(entry->owner_host, owner.host, sizeof(owner.host));
	entry->is_elsewhere = owner.host[0] && strcmp(owner.host, host) != 0;
	if (!owner.has_end)
		entry->is_alive = entry->is_elsewhere
					  ? !was_silent(fd)
					  : measure_process_lives(owner.pid, owner.start_time);
	close(fd);
}

static bool is_part(int parts_fd, const char *name)
{
	struct stat stat;

	return name[0] != '.' && strcmp(name, MEASURE_ASSEMBLING_NAME) != 0 &&
	       fstatat(parts_fd, name, &stat, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(stat.st_mode);
}

static int parts_compare(const void *left, const void *right)
{
	const struct measure_part_entry *a = left, *b = right;

	return strcmp(a->name, b->name);
}

measure_status_t measure_parts_list(int parts_fd, measure_part_list_t *list)
{
	measure_status_t status = MEASURE_OK;
	int fd = openat(parts_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);

	if (!directory)
		return MEASURE_ERROR_IO;
	for (struct dirent *file = readdir(directory); file && status == MEASURE_OK;
		file = readdir(directory)) {
		struct measure_part_entry entry = {.name = NULL};
		if (!is_part(parts_fd, file->d_name))
			continue;
		entry.name = strdup(file->d_name);
		status = entry.name ? measure_array_push(list, entry) : MEASURE_ERROR_MEMORY;
	}
	closedir(directory);
	for (size_t i = 0; i < list->nr; i++)
		parts_look(parts_fd, &list->items[i]);
	if (list->nr)
		qsort(list->items, list->nr, sizeof(*list->items), parts_compare);
	return status;
}

void measure_parts_list_free(measure_part_list_t *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].name);
	free(list->items);
	memset(list, 0, sizeof(*list));
}
