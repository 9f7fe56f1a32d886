/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes anchor, global definitions and markers of an archive; local_definitions.h has the others.
 * Order of calls: create, properties, global, close. */
#ifndef MEASURE_ASSEMBLE_WRITE_ARCHIVE_WRITER_H
#define MEASURE_ASSEMBLE_WRITE_ARCHIVE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "archive_definitions.h"
#include "status.h"

struct measure_archive;

/* Files go to `directory`: traces.otf2, traces.def, traces/. `chunk_size`: of all event files.
 * `largest`: members of the largest group, bytes of the longest string, or as many members as a
 * file of local definitions has room for, whichever is most: what a chunk of definitions must hold.
 */
measure_status_t measure_archive_create(const char *directory, uint64_t chunk_size,
	uint64_t largest, struct measure_archive **archive);

/* Creator and properties of the whole trace; `name` like "OTF2::MPI_COMMUNICATION_COMPLETE". */
measure_status_t measure_archive_creator(struct measure_archive *archive, const char *creator);
measure_status_t measure_archive_property(struct measure_archive *archive, const char *name,
	const char *value);

/* Whether all that belongs to the communication of a paradigm class (OTF2_ParadigmClass) is in
 * the trace; readers that match messages or teams want to know. */
measure_status_t measure_archive_complete(struct measure_archive *archive, uint8_t paradigm_class,
	bool is_complete);

measure_status_t measure_archive_global(
	struct measure_archive *archive, const struct measure_archive_definitions *definitions);

/* Writes the anchor. Afterwards the archive is gone, also after an error. */
measure_status_t measure_archive_close(struct measure_archive *archive);

#endif
