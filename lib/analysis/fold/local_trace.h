/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A trace of one process in its own words, while it runs: what folding its events asks of its
 * journal. Ids are indices, times are those of its clock. There is one location, number 0, which
 * stands for each of them. Metric classes that say the same are one, as they are in archives: each
 * place of a program that records a metric defines its own. */
#ifndef MEASURE_ANALYSIS_FOLD_LOCAL_TRACE_H
#define MEASURE_ANALYSIS_FOLD_LOCAL_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "fold.h"
#include "trace/archive/trace.h"

struct measure_local_metric {
	struct measure_metric_member member;
	uint32_t meaning; /* MEASURE_NONE: not defined */
};

struct measure_local_trace {
	struct measure_trace trace;
	struct measure_findings findings;
	struct measure_clock_function offsets;                  /* none */
	struct measure_id_mapping *mapping;                     /* NULL */
	uint32_t *indices;                                      /* each is its own */
	uint32_t *class_indices;                /* of those that are equal: the first one */
	struct measure_intern metrics, classes; /* what definitions say */
	MEASURE_GROWING(struct measure_local_metric, members); /* by local id */
	MEASURE_GROWING(uint32_t, numbers); /* of members, by what they say, or MEASURE_NONE */
	MEASURE_GROWING(uint32_t, first_classes);               /* by what they say */
	size_t nr_read;                                         /* bytes of the journal */
};

void measure_local_trace_start(struct measure_local_trace *local, uint64_t chunk_size);
void measure_local_trace_free(struct measure_local_trace *local);

/* The journal as it is now: what was read before must still be the same. Reads what is new; stops
 * where it is damaged. */
void measure_local_trace_read(
	struct measure_local_trace *local, const uint8_t *journal, size_t size);

/* The member i of class c is number c * MEASURE_LOCAL_MEMBERS + i in a measure_profile_metric; c is
 * the first class that has it. */
#define MEASURE_LOCAL_MEMBERS 256

#endif
