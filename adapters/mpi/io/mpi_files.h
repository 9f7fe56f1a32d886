/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The open files of this process that are known by their MPI handle. Finding one takes no lock. */
#ifndef MEASURE_MPI_FILES_H
#define MEASURE_MPI_FILES_H

#include <mpi.h>

#include "adapter.h"
#include "../core/handles.h"

/* A split collective that has begun. MPI allows one at a time for each file. */
struct measure_split {
	uint64_t operation;
	uint64_t bytes;
	bool is_open;
};

struct measure_file {
	struct measure_handle handle;
	measure_io_handle_t id;
	uint32_t recording; /* measure_recording_number() of what follows, and of the id */
	bool is_shared;     /* its communicator is known: operations can be collective */
	bool is_sequential; /* it has no offsets */
	struct measure_split split;
};

/* NULL: unknown, or opened in an earlier recording. Any handle value is safe. */
struct measure_file *measure_file_find(MPI_File file);

/* False: recording has ended since, and perhaps begun again. */
static inline bool measure_file_is_current(const struct measure_file *file)
{
	return file->recording == measure_recording_number();
}

/* Defines what MPI has opened by the members of `comm`. `key`: the same for all members; zero:
 * `comm` is unknown. False: not recorded. It is found once it is published. */
bool measure_file_define(MPI_Comm comm, struct measure_comm_key key, const char *name, int amode,
	struct measure_file *defined);
void measure_file_publish(const struct measure_file *defined, MPI_File file);

/* To be called before MPI closes it: afterwards the handle may be another's. MEASURE_UNDEFINED:
 * unknown. */
measure_io_handle_t measure_file_remove(MPI_File file);

/* The file of a name as MPI takes it: with a prefix for the file system, or without. */
measure_io_file_t measure_file_named(const char *name);

/* Attribute of an operation: where in the file it begins, in bytes. After the first definition. */
measure_attribute_t measure_file_offset_attribute(void);

#endif
