/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Definitions of handles; see handles.h. A program may open a file a million times, so a handle
 * whose life is over is used for the next one of the same file: those that were given up last are
 * kept in a table, without a lock. What is pushed out of it is only defined once more. */
#include "config.h"

#include "io_handles.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "flags.h"

#define NR_SPARE 1024

/* 1 + what it is for (the file; of a stream its descriptor's handle) << 32 | handle; 0: none. */
static _Atomic uint64_t spare[MEASURE_NR_IO_PARADIGMS][NR_SPARE];

static _Atomic uint64_t *handle_place(enum measure_io_paradigm paradigm, uint32_t key)
{
	return &spare[paradigm][key * UINT32_C(0x9e3779b1) >> 22];
}
_Static_assert(NR_SPARE == 1 << 10, "a hash of 10 bits");

/* Release pairs with the acquire in handle_take(): the handle's end is recorded. */
static void handle_keep(enum measure_io_paradigm paradigm, uint32_t key, measure_io_handle_t handle)
{
	if (key != MEASURE_UNDEFINED && handle != MEASURE_UNDEFINED)
		atomic_store_explicit(handle_place(paradigm, key),
			((uint64_t)key + 1) << 32 | handle, memory_order_release);
}

static measure_io_handle_t handle_take(enum measure_io_paradigm paradigm, uint32_t key)
{
	_Atomic uint64_t *place = handle_place(paradigm, key);
	uint64_t found = atomic_load_explicit(place, memory_order_relaxed);

	if (key == MEASURE_UNDEFINED || found >> 32 != (uint64_t)key + 1 ||
		!atomic_compare_exchange_strong_explicit(
			place, &found, 0, memory_order_acquire, memory_order_relaxed))
		return MEASURE_UNDEFINED;
	return (measure_io_handle_t)found;
}

void measure_handles_forget(void)
{
	for (int paradigm = 0; paradigm < MEASURE_NR_IO_PARADIGMS; paradigm++)
		for (int i = 0; i < NR_SPARE; i++)
			atomic_store_explicit(&spare[paradigm][i], 0, memory_order_relaxed);
}

static measure_io_handle_t handle_define(const struct measure_opened *opened,
	enum measure_io_paradigm paradigm, const char *name, int flags)
{
	const struct measure_io_handle_info info = {
		.name = name,
		.file = opened->file,
		.paradigm = paradigm,
		.flags = opened->is_inherited ? OTF2_IO_HANDLE_FLAG_PRE_CREATED : 0,
		.comm = MEASURE_UNDEFINED,
		.parent = paradigm == MEASURE_IO_ISOC ? opened->handle : MEASURE_UNDEFINED,
		.access = opened->is_inherited ? measure_access_of(flags) : 0,
		.status_flags = opened->is_inherited ? measure_status_of(flags) : 0,
	};

	return measure_io_handle_define(&info);
}

void measure_handles_give(struct measure_opened *opened, const char *name, int flags)
{
	opened->handle = MEASURE_UNDEFINED;
	if (!opened->is_inherited)
		opened->handle = handle_take(MEASURE_IO_POSIX, opened->file);
	if (opened->handle == MEASURE_UNDEFINED)
		opened->handle = handle_define(opened, MEASURE_IO_POSIX, name, flags);
}

void measure_handles_give_stream(struct measure_opened *opened, const char *name, int flags)
{
	opened->stream = MEASURE_UNDEFINED;
	if (!opened->is_inherited)
		opened->stream = handle_take(MEASURE_IO_ISOC, opened->handle);
	if (opened->stream == MEASURE_UNDEFINED)
		opened->stream = handle_define(opened, MEASURE_IO_ISOC, name, flags);
}

/* Those that were there before have no beginning, so there can be no second one. */
void measure_handles_drop(const struct measure_opened *opened)
{
	if (opened->is_inherited)
		return;
	handle_keep(MEASURE_IO_ISOC, opened->handle, opened->stream);
	handle_keep(MEASURE_IO_POSIX, opened->file, opened->handle);
}

bool measure_handles_link(int fd, char path[], size_t size)
{
	char link[32];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, size - 1);
	if (length < 0)
		return false;
	path[length] = '\0';
	return true;
}

static bool handle_is_silent(const char *target)
{
	return strncmp(target, "socket:", 7) == 0 || strncmp(target, "anon_inode:", 11) == 0;
}

bool measure_handles_inspect(
	int fd, const char *path, struct measure_opened *opened, char name[MEASURE_NAME_MAX])
{
	const int saved_errno = errno;
	char target[4096] = "";
	const bool has_link = measure_handles_link(fd, target, sizeof(target));

	errno = saved_errno;
	*opened = (struct measure_opened){
		MEASURE_UNDEFINED, MEASURE_UNDEFINED, MEASURE_UNDEFINED, false};
	name[0] = '\0';
	if (has_link && *target == '/')
		opened->file = measure_io_file_define(target);
	else if (!has_link && path && *path)
		opened->file = measure_io_file_define(path);
	else
		snprintf(name, MEASURE_NAME_MAX, "%.*s", MEASURE_NAME_MAX - 1, target);
	return !handle_is_silent(target);
}
