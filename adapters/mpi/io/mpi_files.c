/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open files: their definitions, and the table of them. */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../comm/communicators.h"
#include "../core/pmpi.h"
#include "mpi_files.h"

static struct measure_handles table = MEASURE_HANDLES(struct measure_file);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static measure_attribute_t offset_attribute;

static uint64_t file_handle(MPI_File file)
{
	return (uint64_t)(uintptr_t)file;
}

struct measure_file *measure_file_find(MPI_File file)
{
	struct measure_file *found =
		(struct measure_file *)measure_handle_lookup(&table, file_handle(file));

	return found && measure_file_is_current(found) ? found : NULL;
}

measure_attribute_t measure_file_offset_attribute(void)
{
	return offset_attribute;
}

/* The library's name for itself goes on for lines; its version is what comes first. */
static void paradigm_define(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length = 0;

	measure_mpi.Get_library_version(version, &length);
	version[strcspn(version, ",\n")] = '\0';
	measure_io_paradigm_define(MEASURE_IO_MPI, version);
	offset_attribute = measure_attribute_define(
		"Offset", "File offset at which an operation begins, in bytes", OTF2_TYPE_UINT64);
}

/* "ufs:/dir/file" is /dir/file, unless there is a file of the whole name. */
static const char *path_without_prefix(const char *name)
{
	const char *c = name;
	const int saved_errno = errno;
	bool is_whole;

	while (isalnum((unsigned char)*c))
		c++;
	if (*c != ':' || c == name)
		return name;
	is_whole = access(name, F_OK) == 0;
	errno = saved_errno;
	return is_whole ? name : c + 1;
}

measure_io_file_t measure_file_named(const char *name)
{
	pthread_once(&once, paradigm_define);
	return measure_io_file_define(path_without_prefix(name));
}

bool measure_file_define(MPI_Comm comm, struct measure_comm_key key, const char *name, int amode,
	struct measure_file *defined)
{
	const struct measure_communicator *communicator = measure_communicator_find(comm);
	const struct measure_io_handle_info info = {
		.name = name,
		.file = measure_file_named(name),
		.paradigm = MEASURE_IO_MPI,
		.flags = OTF2_IO_HANDLE_FLAG_NONE,
		.comm = communicator ? communicator->id : MEASURE_UNDEFINED,
		.key = key,
		.parent = MEASURE_UNDEFINED,
	};

	*defined = (struct measure_file){
		.id = measure_io_handle_define(&info),
		.recording = measure_recording_number(),
		.is_shared = communicator != NULL,
		.is_sequential = amode & MPI_MODE_SEQUENTIAL,
	};
	return defined->id != MEASURE_UNDEFINED;
}

void measure_file_publish(const struct measure_file *defined, MPI_File file)
{
	struct measure_handle *stale;

	measure_handles_lock(&table);
	stale = measure_handle_find_locked(&table, file_handle(file));
	if (stale) /* closed by a call that we did not see */
		measure_handle_remove_locked(&table, stale);
	measure_handle_add_locked(&table, &defined->handle, file_handle(file));
	measure_handles_unlock(&table);
}

measure_io_handle_t measure_file_remove(MPI_File file)
{
	measure_io_handle_t id = MEASURE_UNDEFINED;
	struct measure_file *entry = NULL;

	measure_handles_lock(&table);
	if (file != MPI_FILE_NULL)
		entry = (struct measure_file *)measure_handle_find_locked(
			&table, file_handle(file));
	if (entry) {
		if (measure_file_is_current(entry))
			id = entry->id;
		measure_handle_remove_locked(&table, &entry->handle);
	}
	measure_handles_unlock(&table);
	return id;
}
