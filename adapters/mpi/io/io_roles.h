/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of file calls; for calls/wrappers.c. mode: READ or WRITE; how: NONE or COLLECTIVE, as
 * OTF2_IO_OPERATION_FLAG_; place: a struct measure_io_place. */
#ifndef MEASURE_MPI_IO_ROLES_H
#define MEASURE_MPI_IO_ROLES_H

#include <otf2/OTF2_Events.h>

#include "../core/data_sizes.h"
#include "io.h"

#define BEFORE_TRANSFER(mode, how, place)                                                          \
	MPI_Status own_status = {0};                                                               \
	status = measure_status_or_own(status, &own_status);                                       \
	const struct measure_io io = measure_io_before(call, fh,                                   \
		(struct measure_io_access){OTF2_IO_OPERATION_MODE_##mode,                          \
			OTF2_IO_OPERATION_FLAG_##how, count, type, place})
#define AFTER_TRANSFER(mode, how, place) measure_io_after(&io, result, status)

#define BEFORE_ITRANSFER(mode, how, place)                                                         \
	const struct measure_io io = measure_io_before(call, fh,                                   \
		(struct measure_io_access){OTF2_IO_OPERATION_MODE_##mode,                          \
			OTF2_IO_OPERATION_FLAG_NON_BLOCKING | OTF2_IO_OPERATION_FLAG_##how, count, \
			type, place})
#define AFTER_ITRANSFER(mode, how, place) measure_iio_after(&io, result, request)

#define BEFORE_SPLIT_BEGIN(mode, place)                                                            \
	const struct measure_io io = measure_io_before(call, fh,                                   \
		(struct measure_io_access){OTF2_IO_OPERATION_MODE_##mode,                          \
			OTF2_IO_OPERATION_FLAG_NON_BLOCKING | OTF2_IO_OPERATION_FLAG_COLLECTIVE,   \
			count, type, place})
#define AFTER_SPLIT_BEGIN(mode, place) measure_split_begin_after(&io, result)

#define BEFORE_SPLIT_END                                                                           \
	MPI_Status own_status = {0};                                                               \
	status = measure_status_or_own(status, &own_status);                                       \
	const measure_region_t region = measure_plain_before(call)
#define AFTER_SPLIT_END measure_split_end_after(region, result, fh, status)

#define BEFORE_FILE_SYNC                                                                           \
	const struct measure_io io = measure_io_before(call, fh,                                   \
		(struct measure_io_access){.mode = OTF2_IO_OPERATION_MODE_FLUSH,                   \
			.flags = OTF2_IO_OPERATION_FLAG_COLLECTIVE,                                \
			.type = MPI_BYTE})
#define AFTER_FILE_SYNC measure_io_after(&io, result, NULL)

#define BEFORE_SEEK(pointer) const measure_region_t region = measure_plain_before(call)
#define AFTER_SEEK(pointer)  measure_seek_after(region, result, fh, offset, whence, pointer)

#define BEFORE_FILE_OPEN const struct measure_opening opening = measure_open_before(call, comm)
#define AFTER_FILE_OPEN  measure_open_after(&opening, result, comm, filename, amode, fh)

#define BEFORE_FILE_CLOSE const struct measure_closing closing = measure_close_before(call, fh)
#define AFTER_FILE_CLOSE  measure_close_after(closing, result)

#define BEFORE_FILE_DELETE                                                                         \
	const struct measure_deletion deletion = measure_delete_before(call, filename)
#define AFTER_FILE_DELETE measure_delete_after(deletion, result)

#endif
