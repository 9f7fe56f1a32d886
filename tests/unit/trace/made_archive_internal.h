/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of writing a test archive: made_archive_definitions.c, made_archive_events.c. */
#ifndef MEASURE_TEST_TRACE_ARCHIVE_INTERNAL_H
#define MEASURE_TEST_TRACE_ARCHIVE_INTERNAL_H

#include "made_archive.h"

extern const uint64_t t_location_ids[T_NR_LOCATIONS];

void t_write_global(const struct t_archive *archive, OTF2_Archive *otf2);
void t_write_local(const struct t_archive *archive, OTF2_Archive *otf2);
bool t_write_events(const struct t_archive *archive, OTF2_Archive *otf2);

#endif
