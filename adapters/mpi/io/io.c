/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files. What MPI is asked for the sake of a record (sizes, positions) is known to the process
 * alone: it costs no communication, and no error can come of it. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../comm/communicators.h"
#include "../core/data_sizes.h"
#include "../core/pmpi.h"
#include "../core/requests.h"
#include "io.h"

/* -------------------------------------------------------------------- operations --- */

/* The byte in the file that an offset of the view stands for. */
static bool file_find_byte(
	const struct measure_file *file, MPI_File fh, MPI_Offset offset, uint64_t *byte)
{
	MPI_Offset found = -1;

	if (file->is_sequential || offset < 0 ||
		measure_mpi.File_get_byte_offset(fh, offset, &found) != MPI_SUCCESS || found < 0)
		return false;
	*byte = (uint64_t)found;
	return true;
}

static bool file_find_position(const struct measure_file *file, MPI_File fh, uint64_t *byte)
{
	MPI_Offset offset = -1;

	return !file->is_sequential && measure_mpi.File_get_position(fh, &offset) == MPI_SUCCESS &&
	       file_find_byte(file, fh, offset, byte);
}

static bool file_find_start(const struct measure_file *file, MPI_File fh,
	const struct measure_io_access *access, uint64_t *byte)
{
	if (access->place.pointer == MEASURE_IO_AT)
		return file_find_byte(file, fh, access->place.offset, byte);
	return access->place.pointer == MEASURE_IO_POINTER && file_find_position(file, fh, byte);
}

struct measure_io measure_io_before(
	enum measure_call call, MPI_File fh, struct measure_io_access access)
{
	struct measure_io io = {0};
	struct measure_location *location;
	bool has_start = false;
	uint64_t start;

	if (measure_is_countable(access.count, access.type))
		io.file = measure_file_find(fh);
	if (io.file) {
		io.operation = measure_request_new_id();
		io.bytes = measure_type_bytes(access.count, access.type);
		has_start = file_find_start(io.file, fh, &access, &start);
		if (!io.file->is_shared)
			access.flags &= ~(uint32_t)OTF2_IO_OPERATION_FLAG_COLLECTIVE;
	}
	location = measure_call_enter(call, &io.region);
	if (!location) {
		io.file = NULL;
		return io;
	}
	if (has_start)
		measure_write_attribute_uint64(location, measure_file_offset_attribute(), start);
	if (io.file)
		measure_write_io_operation_begin(
			location, io.file->id, access.mode, access.flags, io.bytes, io.operation);
	measure_record_end(location);
	return io;
}

uint64_t measure_io_bytes(const MPI_Status *status, uint64_t requested)
{
	const uint64_t bytes = measure_status_bytes(status);

	return bytes <= requested ? bytes : 0;
}

void measure_io_after(const struct measure_io *io, int result, const MPI_Status *status)
{
	struct measure_location *location = measure_call_return(io->region);
	uint64_t bytes = 0;

	if (!location)
		return;
	if (result == MPI_SUCCESS && status)
		bytes = measure_io_bytes(status, io->bytes);
	if (io->file && measure_file_is_current(io->file))
		measure_write_io_operation_complete(location, io->file->id, bytes, io->operation);
	measure_call_leave(location, io->region);
}

/* After a call that has issued an operation, or has not. */
static void io_issue(const struct measure_io *io, bool is_issued)
{
	struct measure_location *location = measure_call_return(io->region);
	const bool is_current = io->file && measure_file_is_current(io->file);

	if (!location)
		return;
	if (is_current)
		measure_write_io_operation_issued(location, io->file->id, io->operation);
	if (is_current && !is_issued)
		measure_write_io_operation_cancelled(location, io->file->id, io->operation);
	measure_call_leave(location, io->region);
}

void measure_iio_after(const struct measure_io *io, int result, const MPI_Request *request)
{
	struct measure_request started = {.id = io->operation, .kind = MEASURE_REQUEST_IO};

	if (io->file && result == MPI_SUCCESS) {
		started.io.handle = io->file->id;
		started.io.bytes = io->bytes;
		started.io.recording = io->file->recording;
		measure_request_add(*request, &started);
	}
	io_issue(io, result == MPI_SUCCESS);
}

void measure_split_begin_after(const struct measure_io *io, int result)
{
	if (io->file && result == MPI_SUCCESS)
		io->file->split = (struct measure_split){io->operation, io->bytes, true};
	io_issue(io, result == MPI_SUCCESS);
}

void measure_split_end_after(
	measure_region_t region, int result, MPI_File fh, const MPI_Status *status)
{
	struct measure_location *location = measure_call_return(region);
	struct measure_file *file = location ? measure_file_find(fh) : NULL;

	if (!location)
		return;
	if (file && file->split.is_open) {
		measure_write_io_operation_complete(location, file->id,
			result == MPI_SUCCESS ? measure_io_bytes(status, file->split.bytes) : 0,
			file->split.operation);
		file->split.is_open = false;
	}
	measure_call_leave(location, region);
}

/* ------------------------------------------------------------------- file pointers --- */

static uint8_t seek_whence(int whence)
{
	if (whence == MPI_SEEK_CUR)
		return OTF2_IO_SEEK_FROM_CURRENT;
	return whence == MPI_SEEK_END ? OTF2_IO_SEEK_FROM_END : OTF2_IO_SEEK_FROM_START;
}

/* Only other processes know where the shared pointer was before, and how long the file is. */
static bool seek_find_target(const struct measure_file *file, MPI_File fh, MPI_Offset offset,
	int whence, enum measure_io_pointer pointer, uint64_t *byte)
{
	if (pointer == MEASURE_IO_POINTER)
		return file_find_position(file, fh, byte);
	return whence == MPI_SEEK_SET && file_find_byte(file, fh, offset, byte);
}

void measure_seek_after(measure_region_t region, int result, MPI_File fh, MPI_Offset offset,
	int whence, enum measure_io_pointer pointer)
{
	struct measure_location *location = measure_call_return(region);
	const struct measure_file *file = NULL;
	uint64_t position;

	if (!location)
		return;
	if (result == MPI_SUCCESS)
		file = measure_file_find(fh);
	if (file && !seek_find_target(file, fh, offset, whence, pointer, &position))
		position = OTF2_UNDEFINED_UINT64;
	if (file)
		measure_write_io_seek(location, file->id, offset, seek_whence(whence), position);
	measure_call_leave(location, region);
}

/* ------------------------------------------------------------------------- files --- */

/* Counted also where the call fails or is not recorded: it is collective, so all members count the
 * same. */
struct measure_opening measure_open_before(enum measure_call call, MPI_Comm comm)
{
	struct measure_opening opening = {.key = {0}};

	if (!measure_communicator_name_object(comm, MEASURE_OBJECT_FILE, &opening.key))
		opening.key = (struct measure_comm_key){0};
	opening.region = measure_plain_before(call);
	return opening;
}

static uint8_t access_of(int amode)
{
	if (amode & MPI_MODE_RDWR)
		return OTF2_IO_ACCESS_MODE_READ_WRITE;
	return amode & MPI_MODE_WRONLY ? OTF2_IO_ACCESS_MODE_WRITE_ONLY
				       : OTF2_IO_ACCESS_MODE_READ_ONLY;
}

static uint32_t creation_of(int amode)
{
	return (amode & MPI_MODE_CREATE ? OTF2_IO_CREATION_FLAG_CREATE : 0) |
	       (amode & MPI_MODE_EXCL ? OTF2_IO_CREATION_FLAG_EXCLUSIVE : 0) |
	       (amode & MPI_MODE_SEQUENTIAL ? OTF2_IO_CREATION_FLAG_NO_SEEK : 0) |
	       (amode & MPI_MODE_UNIQUE_OPEN ? OTF2_IO_CREATION_FLAG_UNIQUE : 0);
}

static uint32_t status_of(int amode)
{
	return (amode & MPI_MODE_APPEND ? OTF2_IO_STATUS_FLAG_APPEND : 0) |
	       (amode & MPI_MODE_DELETE_ON_CLOSE ? OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE : 0);
}

void measure_open_after(const struct measure_opening *opening, int result, MPI_Comm comm,
	const char *filename, int amode, const MPI_File *fh)
{
	struct measure_location *location;
	struct measure_file file;
	bool is_defined = false;

	if (opening->region != MEASURE_UNDEFINED && result == MPI_SUCCESS)
		is_defined = measure_file_define(comm, opening->key, filename, amode, &file);
	location = measure_call_return(opening->region);
	if (!location)
		return;
	if (is_defined)
		measure_write_io_create_handle(
			location, file.id, access_of(amode), creation_of(amode), status_of(amode));
	measure_call_leave(location, opening->region);
	if (is_defined)
		measure_file_publish(&file, *fh);
}

/* The file leaves the table before MPI closes it: from then on its handle may be another's. */
struct measure_closing measure_close_before(enum measure_call call, const MPI_File *fh)
{
	struct measure_closing closing = {.id = MEASURE_UNDEFINED};

	if (fh)
		closing.id = measure_file_remove(*fh);
	closing.region = measure_plain_before(call);
	return closing;
}

void measure_close_after(struct measure_closing closing, int result)
{
	struct measure_location *location = measure_call_return(closing.region);

	if (!location)
		return;
	if (closing.id != MEASURE_UNDEFINED && result == MPI_SUCCESS)
		measure_write_io_destroy_handle(location, closing.id);
	measure_call_leave(location, closing.region);
}

struct measure_deletion measure_delete_before(enum measure_call call, const char *filename)
{
	struct measure_deletion deletion = {.file = MEASURE_UNDEFINED};

	if (filename)
		deletion.file = measure_file_named(filename);
	deletion.region = measure_plain_before(call);
	return deletion;
}

void measure_delete_after(struct measure_deletion deletion, int result)
{
	struct measure_location *location = measure_call_return(deletion.region);

	if (!location)
		return;
	if (deletion.file != MEASURE_UNDEFINED && result == MPI_SUCCESS)
		measure_write_io_delete_file(location, MEASURE_IO_MPI, deletion.file);
	measure_call_leave(location, deletion.region);
}
