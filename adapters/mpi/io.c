/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files. What MPI is asked for the sake of a record (sizes, positions) is known to the process
 * alone: it costs no communication, and no error can come of it. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "communicators.h"
#include "io.h"
#include "p2p.h"
#include "real.h"
#include "requests.h"

/* -------------------------------------------------------------------- operations --- */

/* The byte in the file that an offset of the view stands for. */
static bool find_byte(
	const struct measure_file *file, MPI_File fh, MPI_Offset offset, uint64_t *byte)
{
	MPI_Offset found = -1;

	if (file->is_sequential || offset < 0 ||
		measure_mpi.File_get_byte_offset(fh, offset, &found) != MPI_SUCCESS || found < 0)
		return false;
	*byte = (uint64_t)found;
	return true;
}

static bool find_position(const struct measure_file *file, MPI_File fh, uint64_t *byte)
{
	MPI_Offset offset = -1;

	return !file->is_sequential && measure_mpi.File_get_position(fh, &offset) == MPI_SUCCESS &&
	       find_byte(file, fh, offset, byte);
}

static bool find_start(const struct measure_file *file, MPI_File fh,
	const struct measure_access *access, uint64_t *byte)
{
	if (access->place == MEASURE_IO_AT)
		return find_byte(file, fh, access->offset, byte);
	return access->place == MEASURE_IO_POINTER && find_position(file, fh, byte);
}

struct measure_io measure_io_before(
	enum measure_call call, MPI_File fh, struct measure_access access)
{
	struct measure_io io = {0};
	struct measure_location *location;
	bool has_start = false;
	uint64_t start;

	if (!measure_call_is_on(call))
		return io;
	if (measure_is_countable(access.count, access.type))
		io.file = measure_file_find(fh);
	if (io.file) {
		io.operation = measure_request_new_id();
		io.bytes = measure_type_bytes(access.count, access.type);
		has_start = find_start(io.file, fh, &access, &start);
		if (!io.file->is_shared)
			access.flags &= ~(uint32_t)OTF2_IO_OPERATION_FLAG_COLLECTIVE;
	}
	location = measure_call_enter(call);
	if (!location)
		return (struct measure_io){0};
	io.is_recorded = true;
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

void measure_io_after(
	enum measure_call call, const struct measure_io *io, int result, const MPI_Status *status)
{
	struct measure_location *location = measure_call_return(io->is_recorded);
	uint64_t bytes = 0;

	if (!location)
		return;
	if (result == MPI_SUCCESS && status)
		bytes = measure_io_bytes(status, io->bytes);
	if (io->file)
		measure_write_io_operation_complete(location, io->file->id, bytes, io->operation);
	measure_call_leave(location, call);
}

/* After a call that has issued an operation, or has not. */
static void issue(enum measure_call call, const struct measure_io *io, bool is_issued)
{
	struct measure_location *location = measure_call_return(io->is_recorded);

	if (!location)
		return;
	if (io->file)
		measure_write_io_operation_issued(location, io->file->id, io->operation);
	if (io->file && !is_issued)
		measure_write_io_operation_cancelled(location, io->file->id, io->operation);
	measure_call_leave(location, call);
}

void measure_iio_after(
	enum measure_call call, const struct measure_io *io, int result, const MPI_Request *request)
{
	struct measure_request started = {.id = io->operation, .kind = MEASURE_REQUEST_IO};

	if (io->file && result == MPI_SUCCESS) {
		started.io.handle = io->file->id;
		started.io.bytes = io->bytes;
		measure_request_add(*request, &started);
	}
	issue(call, io, result == MPI_SUCCESS);
}

void measure_split_begin_after(enum measure_call call, const struct measure_io *io, int result)
{
	if (io->file && result == MPI_SUCCESS)
		io->file->split = (struct measure_split){io->operation, io->bytes, true};
	issue(call, io, result == MPI_SUCCESS);
}

void measure_split_end_after(
	enum measure_call call, bool is_recorded, int result, MPI_File fh, const MPI_Status *status)
{
	struct measure_location *location = measure_call_return(is_recorded);
	struct measure_file *file = location ? measure_file_find(fh) : NULL;

	if (!location)
		return;
	if (file && file->split.is_open) {
		measure_write_io_operation_complete(location, file->id,
			result == MPI_SUCCESS ? measure_io_bytes(status, file->split.bytes) : 0,
			file->split.operation);
		file->split.is_open = false;
	}
	measure_call_leave(location, call);
}

/* ------------------------------------------------------------------- file pointers --- */

static uint8_t whence_of(int whence)
{
	if (whence == MPI_SEEK_CUR)
		return OTF2_IO_SEEK_FROM_CURRENT;
	return whence == MPI_SEEK_END ? OTF2_IO_SEEK_FROM_END : OTF2_IO_SEEK_FROM_START;
}

/* Only other processes know where the shared pointer was before, and how long the file is. */
static bool find_target(const struct measure_file *file, MPI_File fh, MPI_Offset offset, int whence,
	enum measure_io_place place, uint64_t *byte)
{
	if (place == MEASURE_IO_POINTER)
		return find_position(file, fh, byte);
	return whence == MPI_SEEK_SET && find_byte(file, fh, offset, byte);
}

void measure_seek_after(enum measure_call call, bool is_recorded, int result, MPI_File fh,
	MPI_Offset offset, int whence, enum measure_io_place place)
{
	struct measure_location *location = measure_call_return(is_recorded);
	const struct measure_file *file = NULL;
	uint64_t position;

	if (!location)
		return;
	if (result == MPI_SUCCESS)
		file = measure_file_find(fh);
	if (file && !find_target(file, fh, offset, whence, place, &position))
		position = OTF2_UNDEFINED_UINT64;
	if (file)
		measure_write_io_seek(location, file->id, offset, whence_of(whence), position);
	measure_call_leave(location, call);
}

/* ------------------------------------------------------------------------- files --- */

/* Counted also where the call fails or is not recorded: it is collective, so all members count the
 * same. */
struct measure_opening measure_open_before(enum measure_call call, MPI_Comm comm)
{
	struct measure_opening opening = {0};

	if (!measure_call_is_on(call))
		return opening;
	if (!measure_communicator_name_thing(comm, MEASURE_THING_FILE, &opening.key))
		opening.key = (struct measure_comm_key){0};
	opening.is_recorded = measure_plain_before(call);
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

void measure_open_after(enum measure_call call, const struct measure_opening *opening, int result,
	MPI_Comm comm, const char *filename, int amode, const MPI_File *fh)
{
	struct measure_location *location;
	struct measure_file file;
	bool is_defined = false;

	if (opening->is_recorded && result == MPI_SUCCESS)
		is_defined = measure_file_define(comm, opening->key, filename, amode, &file);
	location = measure_call_return(opening->is_recorded);
	if (!location)
		return;
	if (is_defined)
		measure_write_io_create_handle(
			location, file.id, access_of(amode), creation_of(amode), status_of(amode));
	measure_call_leave(location, call);
	if (is_defined)
		measure_file_publish(&file, *fh);
}

/* The file leaves the table before MPI closes it: from then on its handle may be another's. */
struct measure_closing measure_close_before(enum measure_call call, const MPI_File *fh)
{
	struct measure_closing closing = {.id = MEASURE_UNDEFINED};

	if (!measure_call_is_on(call))
		return closing;
	if (fh)
		closing.id = measure_file_remove(*fh);
	closing.is_recorded = measure_plain_before(call);
	return closing;
}

void measure_close_after(enum measure_call call, struct measure_closing closing, int result)
{
	struct measure_location *location = measure_call_return(closing.is_recorded);

	if (!location)
		return;
	if (closing.id != MEASURE_UNDEFINED && result == MPI_SUCCESS)
		measure_write_io_destroy_handle(location, closing.id);
	measure_call_leave(location, call);
}

struct measure_deletion measure_delete_before(enum measure_call call, const char *filename)
{
	struct measure_deletion deletion = {.file = MEASURE_UNDEFINED};

	if (!measure_call_is_on(call))
		return deletion;
	if (filename)
		deletion.file = measure_file_named(filename);
	deletion.is_recorded = measure_plain_before(call);
	return deletion;
}

void measure_delete_after(enum measure_call call, struct measure_deletion deletion, int result)
{
	struct measure_location *location = measure_call_return(deletion.is_recorded);

	if (!location)
		return;
	if (deletion.file != MEASURE_UNDEFINED && result == MPI_SUCCESS)
		measure_write_io_delete_file(location, MEASURE_IO_MPI, deletion.file);
	measure_call_leave(location, call);
}
