/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file of packed numbers, whole or not there: `N.prof`, the profile of a location in the words of
 * its process, and `N.fold`, what its fold has seen so far (assemble/part/part_fold.h).
 *
 *	"MEASPROF" | version | struct measure_profile_note | bytes | checksum of these | bytes ...
*/
#ifndef MEASURE_ANALYSIS_PROFILE_PROFILE_FILE_H
#define MEASURE_ANALYSIS_PROFILE_PROFILE_FILE_H

#include "profile_pack.h"

#define MEASURE_PROFILE_FILE_MOST ((size_t)1 << 30)

/* What there is to know without reading the rest. */
struct measure_profile_note {
	uint64_t nr_events; /* that it tells of */
	uint64_t last;      /* time of the last one */
};

/* Replaces a file of a directory; who reads it meanwhile has the old one or the new one. */
measure_status_t measure_profile_file_store(int directory_fd, const char *name,
	struct measure_profile_note note, const void *data, size_t size);

/* All zero: there is no such file. */
struct measure_profile_note measure_profile_file_note(int directory_fd, const char *name);

/* Its bytes, to be freed by free(); *data points into them. MEASURE_ERROR_NOT_FOUND: there is none.
 * MEASURE_ERROR_FORMAT: it is damaged. */
measure_status_t measure_profile_file_load(
	int directory_fd, const char *name, uint8_t **bytes, const void **data, size_t *size);

#endif
