/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was done with files: the tallies of all handles together, by file and interface. */
#ifndef MEASURE_ANALYSIS_SUMMARY_FILE_STATISTICS_H
#define MEASURE_ANALYSIS_SUMMARY_FILE_STATISTICS_H

#include <stdint.h>

#include "assemble/unify/unify.h"
#include "base/array.h"
#include "status.h"

struct measure_file_statistics {
	uint32_t file;     /* of the archive; as many as there are: none */
	uint32_t paradigm; /* of I/O */
	uint64_t operations;
	uint64_t empty; /* of these, without a byte where some were asked for */
	uint64_t read;  /* bytes */
	uint64_t written;
	uint64_t unknown; /* operations of which the bytes are not known (scanf) */
	double seconds; /* of all operations; of threads together */
};

typedef MEASURE_ARRAY(struct measure_file_statistics) measure_files_t;

/* The most bytes first; `tick`: its seconds. To be freed also after an error. */
measure_status_t measure_files_make(
	const struct measure_unified *unified, double tick, measure_files_t *files);

#endif
