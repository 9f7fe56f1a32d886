/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking through a `.parts`; see parts.h. A part in work has a file `owner`, "PID START HOST",
 * written by the process in charge, and soon a KEEPER record. */
#include "config.h"

#include "parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "journal_file.h"
#include "assemble/shared/part_workers.h"
#include "base/file.h"
#include "base/procfs.h"

void measure_host_name(char name[256])
{
	if (gethostname(name, 255) != 0)
		strcpy(name, "unknown");
	name[255] = '\0';
}

int measure_owner_write(char text[MEASURE_OWNER_MOST])
{
	char host[256];

	measure_host_name(host);
	return snprintf(text, MEASURE_OWNER_MOST, "%d %llu %s\n", (int)getpid(),
		(unsigned long long)measure_process_start(getpid()), host);
}

bool measure_owner_parse(const char *text, struct measure_owner *owner)
{
	struct measure_owner found;
	long long pid;
	unsigned long long start;

	if (sscanf(text, "%lld %llu %255s", &pid, &start, found.host) != 3 || start == 0)
		return false;
	found.pid = pid;
	found.start_time = start;
	*owner = found;
	return true;
}

enum measure_owner_life measure_owner_look(const struct measure_owner *owner)
{
	char host[256];

	measure_host_name(host);
	if (owner->host[0] && strcmp(owner->host, host) != 0)
		return MEASURE_OWNER_ELSEWHERE;
	return owner->start_time && measure_process_start((pid_t)owner->pid) == owner->start_time
		       ? MEASURE_OWNER_ALIVE
		       : MEASURE_OWNER_DEAD;
}

/* What the journal of a part's keeper says. */
struct keeper_record {
	struct measure_owner owner;
	bool has_end;
};

static measure_status_t parts_note_record(
	void *context, uint32_t kind, struct measure_decoder *payload)
{
	struct keeper_record *record = context;
	struct measure_def_keeper keeper;

	if (kind == MEASURE_RECORD_END)
		record->has_end = true;
	if (kind == MEASURE_RECORD_KEEPER &&
		measure_def_keeper_decode(payload, &keeper) == MEASURE_OK) {
		record->owner.pid = keeper.pid;
		record->owner.start_time = keeper.start_time;
		snprintf(record->owner.host, sizeof(record->owner.host), "%s", keeper.host);
	}
	return MEASURE_OK;
}

static void read_owner(int part_fd, struct keeper_record *record)
{
	uint8_t *data;
	size_t size, end;

	if (measure_file_load(part_fd, MEASURE_JOURNAL_OF_KEEPER, MEASURE_JOURNAL_MOST, &data,
		    &size) == MEASURE_OK) {
		measure_journal_visit(data, size, parts_note_record, record, &end);
		free(data);
	}
	if (!record->has_end && measure_file_load(part_fd, MEASURE_OWNER_NAME, MEASURE_OWNER_MOST,
					&data, &size) == MEASURE_OK) {
		measure_owner_parse((char *)data, &record->owner);
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

/* One without a name is no part but a file or a link. */
static void parts_look(int parts_fd, struct measure_part_entry *entry)
{
	struct keeper_record record = {.has_end = false};
	int fd = measure_file_open_directory(parts_fd, entry->name);

	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP)) {
		free(entry->name);
		entry->name = NULL;
	}
	if (fd < 0)
		return;
	read_owner(fd, &record);
	enum measure_owner_life life = measure_owner_look(&record.owner);
	entry->is_finished = record.has_end;
	entry->owner_pid = record.owner.pid;
	memcpy(entry->owner_host, record.owner.host, sizeof(entry->owner_host));
	entry->is_elsewhere = life == MEASURE_OWNER_ELSEWHERE;
	if (!record.has_end)
		entry->is_alive =
			entry->is_elsewhere ? !was_silent(fd) : life == MEASURE_OWNER_ALIVE;
	close(fd);
}

/* Without looking at it: on a network a look takes half a millisecond, and this is one thread. */
static measure_status_t add_name(void *data, int parts_fd, const char *name)
{
	measure_part_list_t *list = data;
	struct measure_part_entry entry = {.name = NULL};

	(void)parts_fd;
	if (name[0] == '.' || strcmp(name, MEASURE_ASSEMBLING_NAME) == 0)
		return MEASURE_OK;
	entry.name = strdup(name);
	return entry.name ? measure_array_push(list, entry) : MEASURE_ERROR_MEMORY;
}

static int parts_compare(const void *left, const void *right)
{
	const struct measure_part_entry *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void drop_nameless(measure_part_list_t *list)
{
	size_t nr = 0;

	for (size_t i = 0; i < list->nr; i++)
		if (list->items[i].name)
			list->items[nr++] = list->items[i];
	list->nr = nr;
}

struct parts_looking {
	int parts_fd;
	measure_part_list_t *list;
};

static void parts_look_at(void *data, size_t index)
{
	const struct parts_looking *looking = data;

	parts_look(looking->parts_fd, &looking->list->items[index]);
}

measure_status_t measure_parts_list(int parts_fd, measure_part_list_t *list)
{
	struct parts_looking looking = {parts_fd, list};
	measure_status_t status = measure_file_visit(parts_fd, add_name, list);

	measure_part_workers_share(list->nr, parts_look_at, &looking);
	drop_nameless(list);
	measure_array_sort(list, parts_compare);
	return status;
}

void measure_parts_list_free(measure_part_list_t *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].name);
	free(list->items);
	memset(list, 0, sizeof(*list));
}
