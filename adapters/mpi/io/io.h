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

#include "../calls/calls.h"
#include "mpi_files.h"

enum measure_io_pointer {
	MEASURE_IO_NOWHERE,
	MEASURE_IO_POINTER, /* at the process's own file pointer */
	MEASURE_IO_SHARED,  /* at the one of all processes */
	MEASURE_IO_AT       /* at a given offset */
};

/* Where in the file; offset in units of the view. */
struct measure_io_place {
	enum measure_io_pointer pointer;
	MPI_Offset offset;
};

static inline struct measure_io_place measure_io_pointer(void)
{
	return (struct measure_io_place){MEASURE_IO_POINTER, 0};
}

static inline struct measure_io_place measure_io_shared(void)
{
	return (struct measure_io_place){MEASURE_IO_SHARED, 0};
}

static inline struct measure_io_place measure_io_at(MPI_Offset offset)
{
	return (struct measure_io_place){MEASURE_IO_AT, offset};
}

/* What a call asks for. */
struct measure_io_access {
	uint8_t mode;   /* OTF2_IoOperationMode */
	uint32_t flags; /* OTF2_IoOperationFlag */
	MPI_Count count;
	MPI_Datatype type;
	struct measure_io_place place;
};

/* What the two halves of a call hand on. */
struct measure_io {
	struct measure_file *file; /* NULL: there is no operation to record */
	uint64_t operation;
	uint64_t bytes;
	measure_region_t region;
};

/* Blocking: begun and complete in one call. `status` is never MPI_STATUS_IGNORE; NULL: there is
 * none, nothing was transferred. */
struct measure_io measure_io_before(
	enum measure_call call, MPI_File fh, struct measure_io_access access);
void measure_io_after(const struct measure_io *io, int result, const MPI_Status *status);

/* Nonblocking: completion is in p2p/completion.h. */
void measure_iio_after(const struct measure_io *io, int result, const MPI_Request *request);

/* Bytes that a complete operation has transferred, of as many as were asked for. More than that is
 * no count: MPI libraries leave it alone, or -1, where they did nothing. */
uint64_t measure_io_bytes(const MPI_Status *status, uint64_t requested);

/* Split collectives. */
void measure_split_begin_after(const struct measure_io *io, int result);
void measure_split_end_after(
	measure_region_t region, int result, MPI_File fh, const MPI_Status *status);

/* `pointer`: the process's own or the shared one. */
void measure_seek_after(measure_region_t region, int result, MPI_File fh, MPI_Offset offset,
	int whence, enum measure_io_pointer pointer);

struct measure_opening {
	struct measure_comm_key key; /* zero: the communicator is unknown */
	measure_region_t region;
};
struct measure_opening measure_open_before(enum measure_call call, MPI_Comm comm);
void measure_open_after(const struct measure_opening *opening, int result, MPI_Comm comm,
	const char *filename, int amode, const MPI_File *fh);

struct measure_closing {
	measure_io_handle_t id; /* MEASURE_UNDEFINED: unknown */
	measure_region_t region;
};
struct measure_closing measure_close_before(enum measure_call call, const MPI_File *fh);
void measure_close_after(struct measure_closing closing, int result);

struct measure_deletion {
	measure_io_file_t file;
	measure_region_t region;
};
struct measure_deletion measure_delete_before(enum measure_call call, const char *filename);
void measure_delete_after(struct measure_deletion deletion, int result);

#endif
