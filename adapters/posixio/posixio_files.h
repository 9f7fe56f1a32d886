/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What calls that open, close, copy, place and delete files leave behind; each is the second half
 * of a call whose first half is measure_plain_enter() or, for those that close, here. */
#ifndef MEASURE_POSIXIO_FILES_H
#define MEASURE_POSIXIO_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "posixio_calls.h"
#include "io_handles.h"

/* `fd`: the result. `path`: where the system does not tell. */
void measure_open_leave(enum measure_posixio_call call, int fd, const char *path, int flags);
void measure_open_stream_leave(
	enum measure_posixio_call call, FILE *stream, const char *path, const char *mode);
void measure_pipe_leave(enum measure_posixio_call call, const int *fds, int flags, int result);

/* fdopen(): a stream on a descriptor that is open. */
void measure_attach_leave(enum measure_posixio_call call, FILE *stream, const char *mode);

struct measure_descriptor_closing {
	bool is_recorded;
	struct measure_opened opened;
	uint32_t recording; /* measure_recording_number() when it began */
};

/* Whoever closes takes it out of the table first: then its number may be another's. */
struct measure_descriptor_closing measure_close_enter(
	enum measure_posixio_call call, const void *caller, int fd);
void measure_close_leave(
	enum measure_posixio_call call, const struct measure_descriptor_closing *closing);

/* The same where it was done by no call: a descriptor was opened, or what it was is closed. */
void measure_open_seen(int fd, int flags);
void measure_close_seen(const struct measure_opened *opened);

/* freopen(): the end of a stream, and the beginning of another one. */
void measure_reopen_leave(enum measure_posixio_call call,
	const struct measure_descriptor_closing *closing, FILE *stream, const char *path,
	const char *mode);

/* All from `first` to `last` are closed. */
void measure_close_range_leave(
	enum measure_posixio_call call, unsigned int first, unsigned int last, bool is_done);

/* `to` is a copy of `from` now. */
void measure_duplicate_leave(enum measure_posixio_call call, int from, int to);

void measure_seek_leave(
	enum measure_posixio_call call, int fd, off_t offset, int whence, off_t result);
void measure_seek_stream_leave(
	enum measure_posixio_call call, FILE *stream, off_t offset, int whence, int result);

void measure_status_leave(enum measure_posixio_call call, int fd, int flags, int result);

/* `directory`: that a relative path begins at. */
void measure_delete_leave(enum measure_posixio_call call, enum measure_io_paradigm paradigm,
	int directory, const char *path, bool is_deleted);

#endif
