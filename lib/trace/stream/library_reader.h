/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of one location as the OTF2 library reads them: of compressed files and those in
 * containers, which decoder.h does not know; and what tests compare that one with. */
#ifndef MEASURE_TRACE_STREAM_LIBRARY_READER_H
#define MEASURE_TRACE_STREAM_LIBRARY_READER_H

#include <otf2/otf2.h>

#include "record.h"

struct measure_library_reader;

/* NULL: the library cannot read that location. Applies the mapping tables that `archive` has read. */
struct measure_library_reader *measure_library_reader_open(
	OTF2_Reader *archive, OTF2_LocationRef location);

/* The next record, valid until the next call; NULL: `*status` says why there is none. */
const struct measure_record *measure_library_reader_next(
	struct measure_library_reader *reader, OTF2_ErrorCode *status);

void measure_library_reader_close(struct measure_library_reader *reader);

#endif
