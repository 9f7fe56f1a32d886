/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files; see posixio_files.h. Whatever has to be asked of the system or defined is so before the
 * transaction that leaves the call. The order of records in it: what is over, what begins, Leave.
 */
#include "config.h"

#include "posixio_files.h"

#include <fcntl.h>
#include <limits.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "descriptors.h"
#include "flags.h"
#include "ordered.h"

/* A stream before what it stands on. */
static void file_write_end(struct measure_location *location, const struct measure_opened *opened)
{
	if (opened->stream != MEASURE_UNDEFINED)
		measure_write_io_destroy_handle(location, opened->stream);
	if (opened->handle != MEASURE_UNDEFINED)
		measure_write_io_destroy_handle(location, opened->handle);
}

static void write_creation(struct measure_location *location, measure_io_handle_t handle, int flags)
{
	if (handle != MEASURE_UNDEFINED)
		measure_write_io_create_handle(location, handle, measure_access_of(flags),
			measure_creation_of(flags), measure_status_of(flags));
}

/* --------------------------------------------------------------------- opening --- */

/* The number was another's, whose end nobody saw. A handle may have been another thread's a moment
 * ago. */
static struct measure_location *begin_leave(int fd, struct measure_opened *before)
{
	struct measure_location *location;

	*before = measure_descriptor_take(fd);
	measure_order_clock();
	location = measure_record_begin();
	if (location)
		file_write_end(location, before);
	return location;
}

/* Leaves the transaction open; NULL: there is none. */
static struct measure_location *open_record(
	int fd, const char *path, int flags, bool has_stream, struct measure_opened *before)
{
	struct measure_location *location;
	struct measure_opened opened;
	char name[MEASURE_NAME_MAX];

	if (measure_handles_inspect(fd, path, &opened, name))
		measure_handles_give(&opened, name, flags);
	if (has_stream && opened.handle != MEASURE_UNDEFINED)
		measure_handles_give_stream(&opened, "", flags);
	location = begin_leave(fd, before);
	if (!location)
		return NULL;
	write_creation(location, opened.handle, flags);
	write_creation(location, opened.stream, flags);
	measure_descriptor_put(fd, &opened);
	return location;
}

static void open_descriptor(
	enum measure_posixio_call call, int fd, const char *path, int flags, bool has_stream)
{
	struct measure_opened before;
	struct measure_location *location = open_record(fd, path, flags, has_stream, &before);

	if (!location)
		return;
	measure_call_leave(location, call);
	measure_handles_drop(&before);
}

void measure_open_seen(int fd, int flags)
{
	struct measure_opened before;
	struct measure_location *location = open_record(fd, "", flags, false, &before);

	if (!location)
		return;
	measure_record_end(location);
	measure_handles_drop(&before);
}

void measure_open_leave(enum measure_posixio_call call, int fd, const char *path, int flags)
{
	if (fd >= 0)
		open_descriptor(call, fd, path, flags, false);
	else
		measure_plain_leave(call);
}

void measure_open_stream_leave(
	enum measure_posixio_call call, FILE *stream, const char *path, const char *mode)
{
	const int fd = measure_stream_descriptor(stream);

	if (fd >= 0)
		open_descriptor(call, fd, path, measure_flags_of_mode(mode), true);
	else
		measure_plain_leave(call);
}

/* One transaction for both ends. */
void measure_pipe_leave(enum measure_posixio_call call, const int *fds, int flags, int result)
{
	struct measure_opened opened[2], before[2];
	struct measure_location *location;
	char name[MEASURE_NAME_MAX];

	for (int i = 0; i < 2 && result == 0; i++) {
		if (measure_handles_inspect(fds[i], NULL, &opened[i], name))
			measure_handles_give(&opened[i], name, flags);
		before[i] = measure_descriptor_take(fds[i]);
	}
	location = measure_record_begin();
	if (!location)
		return;
	for (int i = 0; i < 2 && result == 0; i++) {
		file_write_end(location, &before[i]);
		write_creation(location, opened[i].handle, flags | (i ? O_WRONLY : O_RDONLY));
		measure_descriptor_put(fds[i], &opened[i]);
	}
	measure_call_leave(location, call);
}

void measure_attach_leave(enum measure_posixio_call call, FILE *stream, const char *mode)
{
	const int fd = measure_stream_descriptor(stream);
	const int flags = fd >= 0 ? measure_flags_of_mode(mode) : 0;
	struct measure_opened opened, before;
	struct measure_location *location;

	if (fd < 0 || measure_handle_of_descriptor(fd) == MEASURE_UNDEFINED) {
		measure_plain_leave(call);
		return;
	}
	before = measure_descriptor_take_stream(fd);
	opened = before;
	opened.is_inherited = false;
	measure_handles_give_stream(&opened, "", flags);
	measure_order_clock();
	location = measure_record_begin();
	if (!location)
		return;
	if (before.stream != MEASURE_UNDEFINED)
		measure_write_io_destroy_handle(location, before.stream);
	write_creation(location, opened.stream, flags);
	opened.is_inherited = before.is_inherited;
	measure_descriptor_put(fd, &opened);
	measure_call_leave(location, call);
}

/* --------------------------------------------------------------------- closing --- */

struct measure_descriptor_closing measure_close_enter(
	enum measure_posixio_call call, const void *caller, int fd)
{
	struct measure_descriptor_closing closing = {
		.is_recorded = measure_plain_enter(call, caller)};

	closing.recording = measure_recording_number();
	if (closing.is_recorded)
		closing.opened = measure_descriptor_take(fd);
	return closing;
}

/* Its handles are of this recording. */
static bool is_recorded_now(const struct measure_descriptor_closing *closing)
{
	return closing->is_recorded && closing->recording == measure_recording_number();
}

/* Whether or not it failed: the number is free on Linux, unless it was so before. */
void measure_close_leave(
	enum measure_posixio_call call, const struct measure_descriptor_closing *closing)
{
	struct measure_location *location = is_recorded_now(closing) ? measure_record_begin() : NULL;

	if (!location)
		return;
	file_write_end(location, &closing->opened);
	measure_call_leave(location, call);
	measure_handles_drop(&closing->opened);
}

void measure_close_seen(const struct measure_opened *opened)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	file_write_end(location, opened);
	measure_record_end(location);
	measure_handles_drop(opened);
}

void measure_reopen_leave(enum measure_posixio_call call,
	const struct measure_descriptor_closing *closing, FILE *stream, const char *path,
	const char *mode)
{
	struct measure_location *location;

	if (!is_recorded_now(closing))
		return;
	location = measure_record_begin();
	if (!location)
		return;
	file_write_end(location, &closing->opened);
	measure_record_end(location);
	measure_handles_drop(&closing->opened);
	measure_open_stream_leave(call, stream, path, mode);
}

/* Where nothing was ever opened there is no block. */
void measure_close_range_leave(
	enum measure_posixio_call call, unsigned int first, unsigned int last, bool is_done)
{
	const unsigned int most = MEASURE_DESCRIPTORS * MEASURE_DESCRIPTOR_BLOCKS - 1;
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	for (unsigned int fd = first; is_done && fd <= (last < most ? last : most); fd++) {
		struct measure_opened opened;

		if (!measure_descriptor_at((int)fd)) {
			fd |= MEASURE_DESCRIPTORS - 1;
			continue;
		}
		opened = measure_descriptor_take((int)fd);
		file_write_end(location, &opened);
	}
	measure_call_leave(location, call);
}

/* ----------------------------------------------------------------- other than that --- */

/* The streams of the copy's number go where it goes. */
void measure_duplicate_leave(enum measure_posixio_call call, int from, int to)
{
	const measure_io_handle_t old =
		to >= 0 && to != from ? measure_handle_of_descriptor(from) : MEASURE_UNDEFINED;
	struct measure_opened opened, before;
	struct measure_location *location;
	char name[MEASURE_NAME_MAX];
	int flags;

	if (to < 0 || to == from) {
		measure_plain_leave(call);
		return;
	}
	if (measure_handles_inspect(to, NULL, &opened, name) && old != MEASURE_UNDEFINED)
		measure_handles_give(&opened, name, 0);
	flags = measure_descriptor_flags(to);
	location = begin_leave(to, &before);
	if (!location)
		return;
	if (opened.handle != MEASURE_UNDEFINED)
		measure_write_io_duplicate_handle(
			location, old, opened.handle, measure_status_of(flags));
	measure_descriptor_put(to, &opened);
	measure_call_leave(location, call);
	measure_handles_drop(&before);
}

static uint8_t file_whence(int whence)
{
	switch (whence) {
	case SEEK_CUR:
		return OTF2_IO_SEEK_FROM_CURRENT;
	case SEEK_END:
		return OTF2_IO_SEEK_FROM_END;
	case SEEK_DATA:
		return OTF2_IO_SEEK_DATA;
	case SEEK_HOLE:
		return OTF2_IO_SEEK_HOLE;
	default:
		return OTF2_IO_SEEK_FROM_START;
	}
}

static void seek(enum measure_posixio_call call, measure_io_handle_t handle, off_t offset,
	int whence, uint64_t position)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (handle != MEASURE_UNDEFINED)
		measure_write_io_seek(location, handle, offset, file_whence(whence), position);
	measure_call_leave(location, call);
}

void measure_seek_leave(
	enum measure_posixio_call call, int fd, off_t offset, int whence, off_t result)
{
	seek(call, result >= 0 ? measure_handle_of_descriptor(fd) : MEASURE_UNDEFINED, offset,
		whence, (uint64_t)result);
}

/* Where a stream is only the C library knows, and to ask it may cost a system call. */
void measure_seek_stream_leave(
	enum measure_posixio_call call, FILE *stream, off_t offset, int whence, int result)
{
	seek(call, result == 0 ? measure_handle_of_stream(stream) : MEASURE_UNDEFINED, offset,
		whence, whence == SEEK_SET ? (uint64_t)offset : OTF2_UNDEFINED_UINT64);
}

void measure_status_leave(enum measure_posixio_call call, int fd, int flags, int result)
{
	const measure_io_handle_t handle =
		result >= 0 ? measure_handle_of_descriptor(fd) : MEASURE_UNDEFINED;
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (handle != MEASURE_UNDEFINED)
		measure_write_io_change_status_flags(location, handle, measure_status_of(flags));
	measure_call_leave(location, call);
}

/* It is gone, but its directory is there; and what a link led to is not deleted with it. */
static measure_io_file_t find_deleted(int directory, const char *path)
{
	char whole[2 * PATH_MAX];
	size_t length;

	if (directory == AT_FDCWD || *path == '/')
		return measure_io_file_define(path);
	if (!measure_handles_link(directory, whole, PATH_MAX))
		return MEASURE_UNDEFINED;
	length = strlen(whole);
	snprintf(whole + length, sizeof(whole) - length, "/%s", path);
	return measure_io_file_define(whole);
}

void measure_delete_leave(enum measure_posixio_call call, enum measure_io_paradigm paradigm,
	int directory, const char *path, bool is_deleted)
{
	const measure_io_file_t file =
		is_deleted ? find_deleted(directory, path) : MEASURE_UNDEFINED;
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (file != MEASURE_UNDEFINED)
		measure_write_io_delete_file(location, paradigm, file);
	measure_call_leave(location, call);
}
