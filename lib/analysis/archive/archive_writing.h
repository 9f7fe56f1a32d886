/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of writing an archive of a profile: profile_archive.c (order of things, rows),
 * archive_definitions.c. */
#ifndef MEASURE_ANALYSIS_ARCHIVE_ARCHIVE_WRITING_H
#define MEASURE_ANALYSIS_ARCHIVE_ARCHIVE_WRITING_H

#include "archive_rows.h"
#include "trace/archive/id_remapping.h"

struct archive_writing {
	const struct measure_profile *profile;
	const struct measure_definitions *of_trace;
	OTF2_Reader *reader;
	OTF2_Archive *archive;
	struct measure_id_remapping numbering;
	OTF2_GlobalDefWriter *definitions;
	OTF2_StringRef next_string;
	/* Ids of what is added: behind those of the trace, which are their indices. */
	uint32_t first_region, first_context, first_member, first_class;
	struct archive_class classes[ARCHIVE_NR_CLASSES];
	uint64_t time;     /* of all events */
	uint64_t *nr_rows; /* by location */
	uint64_t sum;      /* of the locations that are written */
	OTF2_ErrorCode code;
	bool is_unreadable; /* it is the trace that cannot be read */
	/* the location being written */
	OTF2_EvtWriter *events;
	uint32_t location;
	uint64_t location_sum;
};

static inline void archive_note(struct archive_writing *writing, OTF2_ErrorCode code)
{
	if (writing->code == OTF2_SUCCESS)
		writing->code = code;
}

static inline void archive_note_input(struct archive_writing *writing, OTF2_ErrorCode code)
{
	writing->is_unreadable |= writing->code == OTF2_SUCCESS && code != OTF2_SUCCESS;
	archive_note(writing, code);
}

/* Before anything is written: ids for what is added. False: those of the trace are not its indices.
 */
bool archive_find_places(struct archive_writing *writing);

/* All rows are written. */
void archive_write_definitions(struct archive_writing *writing);

#endif
