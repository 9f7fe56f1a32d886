/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of one location as the OTF2 library reads them: of compressed files and those in
 * containers, which decoder.h does not know; and what tests compare that one with. */
#ifndef MEASURE_TRACE_STREAM_OTF2_SOURCE_H
#define MEASURE_TRACE_STREAM_OTF2_SOURCE_H

#include <otf2/otf2.h>

#include "record.h"

struct measure_otf2_source;

/* NULL: the library cannot read that location. Applies the mapping tables that `reader` has read. */
struct measure_otf2_source *measure_otf2_source_open(OTF2_Reader *reader, OTF2_LocationRef location);

/* The next record, valid until the next call; NULL: `*status` says why there is none. */
const struct measure_record *measure_otf2_source_next(
	struct measure_otf2_source *source, OTF2_ErrorCode *status);

void measure_otf2_source_close(struct measure_otf2_source *source);

#endif
