/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files and what they are opened by: ids and journal records. A program may open a file again and
 * again, so the journal names each file once. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "adapter.h"
#include "base/hash.h"
#include "define.h"
#include "pages.h"

#define FIRST_SLOTS 1024

/* A file by the hash of its path: for two of 10,000 files to meet is a matter of 1 in 10^11. */
struct io_file_slot {
	uint64_t hash; /* 0: empty */
	measure_io_file_t file;
};

struct file_system {
	uint32_t type;
	const char *name;
	bool is_shared;
};

static const struct file_system file_systems[] = {
#define LOCAL				false
#define SHARED				true
#define FILE_SYSTEM(type, name, scope) {type, name, scope},
#include "file_systems.def"
#undef FILE_SYSTEM
#undef SHARED
#undef LOCAL
};

/* All of the following under the definition lock. */
static struct io_file_slot *slots;
static uint32_t nr_slots;
static uint32_t nr_files;
static uint32_t nr_handles;

/* ---------------------------------------------------------------------- places --- */

/* Appends to a path; what is too long is cut. */
static void io_file_append(char path[PATH_MAX], const char *name)
{
	const size_t end = strlen(path);

	snprintf(path + end, PATH_MAX - end, "%s%s", end > 1 ? "/" : "", name);
}

/* A file that is not there is resolved by its directory. Without that, it is as it was given. */
static void resolve(const char *path, char resolved[PATH_MAX], char directory[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	const size_t length = slash ? (size_t)(slash - path) + 1 : 0;

	if (realpath(path, resolved)) {
		snprintf(directory, PATH_MAX, "%s", resolved);
		return;
	}
	snprintf(resolved, PATH_MAX, "%.*s", (int)length, path);
	if (!realpath(slash ? resolved : ".", directory)) {
		snprintf(directory, PATH_MAX, "%s", path);
		snprintf(resolved, PATH_MAX, "%s", path);
		return;
	}
	snprintf(resolved, PATH_MAX, "%s", directory);
	io_file_append(resolved, path + length);
}

/* A file system of another type than all those that we know is a parallel one rather than one of
 * a single node. */
static struct file_system find_file_system(const char *path)
{
	struct file_system found = {0, "", false};
	struct statfs stat;

	if (statfs(path, &stat) != 0)
		return found;
	found.is_shared = true;
	for (size_t i = 0; i < sizeof(file_systems) / sizeof(*file_systems); i++)
		if (file_systems[i].type == (uint32_t)stat.f_type)
			found = file_systems[i];
	return found;
}

/* ----------------------------------------------------------------------- files --- */

/* The slot of a hash, or the empty one where it would be. */
static struct io_file_slot *find_slot(struct io_file_slot *in, uint32_t nr, uint64_t hash)
{
	uint32_t place = (uint32_t)(hash >> 32);

	while (in[place & (nr - 1)].hash && in[place & (nr - 1)].hash != hash)
		place++;
	return &in[place & (nr - 1)];
}

/* Keeps the table at most half full. False: there is no memory, and the file is not kept. */
static bool io_file_make_room(void)
{
	const uint32_t nr = nr_slots ? 2 * nr_slots : FIRST_SLOTS;
	struct io_file_slot *larger;

	if (2 * (nr_files + 1) <= nr_slots)
		return true;
	larger = measure_pages_get(nr * sizeof(*larger));
	if (!larger)
		return false;
	for (uint32_t i = 0; i < nr_slots; i++)
		if (slots[i].hash)
			*find_slot(larger, nr, slots[i].hash) = slots[i];
	measure_pages_return(slots, nr_slots * sizeof(*slots));
	slots = larger;
	nr_slots = nr;
	return true;
}

static measure_io_file_t define_locked(const char *path, const struct file_system *file_system)
{
	const uint64_t hash = measure_hash(MEASURE_HASH_START, path, strlen(path)) | 1;
	struct measure_def_io_file def = {0, path, file_system->name, file_system->is_shared};
	const bool is_kept = io_file_make_room();

	if (nr_slots && find_slot(slots, nr_slots, hash)->hash)
		return find_slot(slots, nr_slots, hash)->file;
	def.id = nr_files++;
	MEASURE_JOURNAL(io_file, &def);
	if (is_kept)
		*find_slot(slots, nr_slots, hash) = (struct io_file_slot){hash, def.id};
	return def.id;
}

measure_io_file_t measure_io_file_define(const char *path)
{
	const int saved_errno = errno;
	struct file_system file_system;
	struct measure_signals saved;
	measure_io_file_t file;
	char resolved[PATH_MAX];
	char there[PATH_MAX]; /* what exists of it */

	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	resolve(path, resolved, there);
	file_system = find_file_system(there);
	measure_define_lock(&saved);
	file = define_locked(resolved, &file_system);
	measure_define_unlock(&saved);
	errno = saved_errno;
	return file;
}

/* --------------------------------------------------------------------- handles --- */

void measure_io_again(void)
{
	if (slots)
		memset(slots, 0, nr_slots * sizeof(*slots));
	nr_files = 0;
	nr_handles = 0;
}

void measure_io_paradigm_define(enum measure_io_paradigm paradigm, const char *version)
{
	struct measure_def_io_paradigm def = {paradigm, version};

	if (!measure_is_recording())
		return;
	MEASURE_JOURNAL_ALONE(io_paradigm, &def);
}

measure_io_handle_t measure_io_handle_define(const struct measure_io_handle_info *info)
{
	struct measure_def_io_handle def = {MEASURE_UNDEFINED, info->name, info->file,
		info->paradigm, info->flags, info->comm, info->parent, info->key.high,
		info->key.low, info->access, info->status_flags};

	if (!measure_is_recording())
		return MEASURE_UNDEFINED;
	MEASURE_JOURNAL_NEXT(io_handle, &def, nr_handles);
	return def.id;
}
