/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profile as an OTF2 archive: the definitions of its trace, a calling context for each call path,
 * and the numbers as metric events instead of the events that they came from (doc/profile.md).
 * measure_profile_read() reads it as if it were the trace. */
#ifndef MEASURE_ANALYSIS_ARCHIVE_PROFILE_ARCHIVE_H
#define MEASURE_ANALYSIS_ARCHIVE_PROFILE_ARCHIVE_H

#include "analysis/profile/profile.h"

/* Makes the directory, which must not exist, and the archive "traces" in it. On any other status
 * than MEASURE_OK measure_trace_error() says why, and there is no directory; MEASURE_ERROR_EXISTS:
 * it was there before, and is as it was. */
measure_status_t measure_profile_archive_write(
	const struct measure_profile *profile, const char *directory);

/* The archive says that it holds a profile. */
bool measure_profile_archive_is_one(const struct measure_trace *trace);

/* What measure_profile_read() does then: the first process of a job reads it alone. */
measure_status_t measure_profile_archive_read(struct measure_trace *trace,
	const struct measure_profile_options *options, struct measure_profile *profile);

/* The event file of a location of a trace. */
struct measure_event_file_size {
	uint64_t nr_events; /* as the archive says */
	uint64_t nr_bytes;
};

/* By location, measure_free() it. Of a profile's archive: those of the trace. */
struct measure_event_file_size *measure_profile_event_files(const struct measure_trace *trace);

/* Puts the archive in MEASURE_REPLACEMENT_NAME of a run directory in the place of that of the run,
 * and goes on where somebody was killed meanwhile. The directory stays: it says that the
 * parts of the run are not needed any more. MEASURE_ERROR_NOT_FOUND: it is not there. */
measure_status_t measure_profile_archive_put(int directory);

#endif
