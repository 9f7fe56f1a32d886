/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the archive says of itself in properties: doc/properties.md lists them. */
#ifndef MEASURE_ASSEMBLE_WRITE_PROPERTIES_H
#define MEASURE_ASSEMBLE_WRITE_PROPERTIES_H

#include "analysis/summary/trace_statistics.h"
#include "assemble.h"
#include "archive_writer.h"

/* Only what is not 0. A failure is the archive's, and comes out when that is closed. */
void measure_properties_write(struct measure_archive *archive,
	const struct measure_unified *unified, const struct measure_clock_correction *timeline,
	const struct measure_assemble_report *report,
	const struct measure_trace_statistics *account);

#endif
