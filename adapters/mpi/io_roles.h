/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of file calls; for roles.h. TRANSFER, ITRANSFER and SPLIT_BEGIN(mode, place, how):
 * mode READ or WRITE; place POINTER, SHARED or AT (the row's `offset`); how ALONE or TOGETHER,
 * which is collective. */
#ifndef MEASURE_MPI_IO_ROLES_H
#define MEASURE_MPI_IO_ROLES_H

#include <otf2/OTF2_Events.h>

#include "io.h"

#define HOW_ALONE    OTF2_IO_OPERATION_FLAG_NONE
#define HOW_TOGETHER OTF2_IO_OPERATION_FLAG_COLLECTIVE

#define PLACE_POINTER .place = MEASURE_IO_POINTER
#define PLACE_SHARED  .place = MEASURE_IO_SHARED
#define PLACE_AT      .place = MEASURE_IO_AT, .offset = offset

#define BEFORE_ACCESS(mode_, place_, flags_)                                                       \
	const struct measure_io io = measure_io_before(call, fh,                                   \
		(struct measure_access){.mode = OTF2_IO_OPERATION_MODE_##mode_,                    \
			.flags = (flags_),                                                         \
			.count = count,                                                            \
			.type = type,                                                              \
			PLACE_##place_})

/* Lends a call a status where the caller has none. */
#define OWN_FILE_STATUS                                                                            \
	MPI_Status own_status = {0};                                                               \
	status = status == MPI_STATUS_IGNORE ? &own_status : status

#define REGION_TRANSFER(mode, place, how) OTF2_REGION_ROLE_FILE_IO
#define BEFORE_TRANSFER(mode, place, how)                                                          \
	OWN_FILE_STATUS;                                                                           \
	BEFORE_ACCESS(mode, place, HOW_##how)
#define AFTER_TRANSFER(mode, place, how) measure_io_after(call, &io, result, status)

#define REGION_ITRANSFER(mode, place, how) OTF2_REGION_ROLE_FILE_IO
#define BEFORE_ITRANSFER(mode, place, how)                                                         \
	BEFORE_ACCESS(mode, place, OTF2_IO_OPERATION_FLAG_NON_BLOCKING | HOW_##how)
#define AFTER_ITRANSFER(mode, place, how) measure_iio_after(call, &io, result, request)

#define REGION_SPLIT_BEGIN(mode, place) OTF2_REGION_ROLE_FILE_IO
#define BEFORE_SPLIT_BEGIN(mode, place) BEFORE_ITRANSFER(mode, place, TOGETHER)
#define AFTER_SPLIT_BEGIN(mode, place)  measure_split_begin_after(call, &io, result)

#define REGION_SPLIT_END OTF2_REGION_ROLE_FILE_IO
#define BEFORE_SPLIT_END                                                                           \
	OWN_FILE_STATUS;                                                                           \
	BEFORE_PLAIN
#define AFTER_SPLIT_END measure_split_end_after(call, is_recorded, result, fh, status)

#define REGION_FILE_SYNC OTF2_REGION_ROLE_FILE_IO
#define BEFORE_FILE_SYNC                                                                           \
	const struct measure_io io = measure_io_before(call, fh,                                   \
		(struct measure_access){.mode = OTF2_IO_OPERATION_MODE_FLUSH,                      \
			.flags = OTF2_IO_OPERATION_FLAG_COLLECTIVE,                                \
			.type = MPI_BYTE})
#define AFTER_FILE_SYNC measure_io_after(call, &io, result, NULL)

#define REGION_SEEK(place) OTF2_REGION_ROLE_FILE_IO
#define BEFORE_SEEK(place) BEFORE_PLAIN
#define AFTER_SEEK(place)                                                                          \
	measure_seek_after(call, is_recorded, result, fh, offset, whence, MEASURE_IO_##place)

#define REGION_FILE_OPEN OTF2_REGION_ROLE_FILE_IO
#define BEFORE_FILE_OPEN const struct measure_opening opening = measure_open_before(call, comm)
#define AFTER_FILE_OPEN  measure_open_after(call, &opening, result, comm, filename, amode, fh)

#define REGION_FILE_CLOSE OTF2_REGION_ROLE_FILE_IO
#define BEFORE_FILE_CLOSE const struct measure_closing closing = measure_close_before(call, fh)
#define AFTER_FILE_CLOSE  measure_close_after(call, closing, result)

#define REGION_FILE_DELETE OTF2_REGION_ROLE_FILE_IO
#define BEFORE_FILE_DELETE                                                                         \
	const struct measure_deletion deletion = measure_delete_before(call, filename)
#define AFTER_FILE_DELETE measure_delete_after(call, deletion, result)

#endif
