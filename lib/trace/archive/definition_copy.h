/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies the global definitions of an archive, but for its clock properties, into another one. */
#ifndef MEASURE_TRACE_ARCHIVE_DEFINITION_COPY_H
#define MEASURE_TRACE_ARCHIVE_DEFINITION_COPY_H

#include <otf2/otf2.h>

#include "id_remapping.h"

struct measure_definition_copying {
	const struct measure_id_remapping *numbering; /* of the archive that is read */
	OTF2_GlobalDefWriter *writer;
	/* The number of events of a location that is written: here, and as the archive says. */
	uint64_t (*nr_events)(void *data, uint64_t location, uint64_t nr_said);
	/* Told what came of writing each record. */
	void (*note)(void *data, OTF2_ErrorCode code);
	void *data;
};

/* What came of reading. OTF2_ERROR_UNKNOWN_TYPE: there are records that this version of OTF2 does
 * not know, which would be lost. */
OTF2_ErrorCode measure_definitions_copy(
	const struct measure_definition_copying *copying, OTF2_Reader *reader);

/* The id for a string that is added; MEASURE_NONE: there is none left. */
OTF2_StringRef measure_definitions_next_string(const struct measure_id_remapping *numbering);

#endif
