/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of descriptors and streams: their definitions. */
#ifndef MEASURE_POSIXIO_HANDLES_H
#define MEASURE_POSIXIO_HANDLES_H

#include <stdbool.h>

#include "adapter.h"

/* What a descriptor stands for, as far as records go. */
struct measure_opened {
	measure_io_handle_t handle; /* of POSIX; MEASURE_UNDEFINED: nothing is recorded of it */
	measure_io_handle_t stream; /* of ISO C, MEASURE_UNDEFINED: it has none */
	measure_io_file_t file;     /* MEASURE_UNDEFINED: no path leads to it */
	bool is_inherited;          /* it was open before recording began */
};

/* Finds out what an open descriptor is, and defines the file. False: of no kind that is recorded
 * (sockets, and descriptors that stand for no data). `path`: what it was opened by, or NULL.
 * `name`: of what has no path. Asks the system; not in a transaction; keeps errno. */
#define MEASURE_NAME_MAX 64
bool measure_handles_inspect(
	int fd, const char *path, struct measure_opened *opened, char name[MEASURE_NAME_MAX]);

/* Gives it a handle; one of that file that is no longer in use where there is one. */
void measure_handles_give(struct measure_opened *opened, const char *name, int flags);

/* And one for a stream on it. */
void measure_handles_give_stream(struct measure_opened *opened, const char *name, int flags);

/* Both have been destroyed, by records. They may be used again. */
void measure_handles_drop(const struct measure_opened *opened);

/* Where a descriptor leads, as the system has it; false: nowhere. */
bool measure_handles_link(int fd, char path[], size_t size);

/* Handles of earlier recordings are not used again. */
void measure_handles_forget(void);

#endif
