/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the text and the JSON of root causes share. */
#ifndef MEASURE_ANALYSIS_CAUSES_CAUSES_REPORT_H
#define MEASURE_ANALYSIS_CAUSES_CAUSES_REPORT_H

#include "analysis/report/profile_report.h"
#include "root_causes.h"

/* The longest segments of the critical path, at most nr_most of them: by length, then by time; to
 * be freed with free(). */
struct measure_path_segment *measure_longest_segments(
	const struct measure_root_causes *causes, size_t nr_most, size_t *nr);

/* The call path that a segment was in longest, and its ticks. */
uint32_t measure_segment_path(const struct measure_root_causes *causes,
	const struct measure_path_segment *segment, uint64_t *ticks);

#endif
