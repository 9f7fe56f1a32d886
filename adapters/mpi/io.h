/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of calls that open and close files and move data. An operation is recorded only if its
 * file is known and its arguments can be counted; where MPI then refuses it, it has moved
 * nothing, and a nonblocking one is recorded as cancelled.
 *
 * Bytes of an operation are those of the program's buffer. Its attribute Offset is the byte in
 * the file where it begins, as the view has it; none where only asking other processes would tell:
 * the shared file pointer. */
#ifndef MEASURE_MPI_IO_H
#define MEASURE_MPI_IO_H

#include "calls.h"
#include "files.h"

enum measure_io_place {
	MEASURE_IO_NOWHERE,
	MEASURE_IO_POINTER, /* at the process's own file pointer */
	MEASURE_IO_SHARED,  /* at the one of all processes */
	MEASURE_IO_AT       /* at a given offset */
};

/* What a call asks for. */
struct measure_access {
	uint8_t mode;   /* OTF2_IoOperationMode */
	uint32_t flags; /* OTF2_IoOperationFlag */
	MPI_Count count;
	MPI_Datatype type;
	enum measure_io_place place;
	MPI_Offset offset; /* in units of the view */
};

/* What the two halves of a call hand on. */
struct measure_io {
	struct measure_file *file; /* NULL: there is no operation to record */
	uint64_t operation;
	uint64_t bytes;
	bool is_recorded;
};

/* Blocking: begun and complete in one call. `status` is never MPI_STATUS_IGNORE; NULL: there is
 * none, nothing was transferred. */
struct measure_io measure_io_before(
	enum measure_call call, MPI_File fh, struct measure_access access);
void measure_io_after(
	enum measure_call call, const struct measure_io *io, int result, const MPI_Status *status);

/* Nonblocking: completion is in wait.h. */
void measure_iio_after(enum measure_call call, const struct measure_io *io, int result,
	const MPI_Request *request);

/* Bytes that a complete operation has transferred, of as many as were asked for. More than that is
 * no count: MPI libraries leave it alone, or -1, where they did nothing. */
uint64_t measure_io_bytes(const MPI_Status *status, uint64_t requested);

/* Split collectives. */
void measure_split_begin_after(enum measure_call call, const struct measure_io *io, int result);
void measure_split_end_after(enum measure_call call, bool is_recorded, int result, MPI_File fh,
	const MPI_Status *status);

/* `position`: where the process's own file pointer is afterwards. */
void measure_seek_after(enum measure_call call, bool is_recorded, int result, MPI_File fh,
	MPI_Offset offset, int whence, enum measure_io_place place);

struct measure_opening {
	struct measure_comm_key key; /* zero: the communicator is unknown */
	bool is_recorded;
};
struct measure_opening measure_open_before(enum measure_call call, MPI_Comm comm);
void measure_open_after(enum measure_call call, const struct measure_opening *opening, int result,
	MPI_Comm comm, const char *filename, int amode, const MPI_File *fh);

struct measure_closing {
	measure_io_handle_t id; /* MEASURE_UNDEFINED: unknown */
	bool is_recorded;
};
struct measure_closing measure_close_before(enum measure_call call, const MPI_File *fh);
void measure_close_after(enum measure_call call, struct measure_closing closing, int result);

struct measure_deletion {
	measure_io_file_t file;
	bool is_recorded;
};
struct measure_deletion measure_delete_before(enum measure_call call, const char *filename);
void measure_delete_after(enum measure_call call, struct measure_deletion deletion, int result);

#endif
