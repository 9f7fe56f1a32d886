/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The filter resolver: a thread of the keeper that reads the symbols of the modules that the
 * process asks about, and decides which functions are excluded (format/filter_area.h). */
#ifndef MEASURE_KEEPER_SYMBOLS_FILTER_RESOLVER_H
#define MEASURE_KEEPER_SYMBOLS_FILTER_RESOLVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "filter/filter.h"
#include "keeper/process/journal_tail.h"
#include "format/segment.h"

struct measure_filter_resolver {
	const struct measure_segment *segment;
	const struct measure_filter *filter;
	uint32_t rank;
	pthread_t thread;
	_Atomic bool is_over;
	bool is_running;
	struct measure_journal_tail journal; /* read up to the last module's record */
	uint32_t nr_ranges;
};

/* Nothing where the segment has no filter. All zero but for the first three before. */
void measure_filter_resolver_begin(struct measure_filter_resolver *resolver);
void measure_filter_resolver_end(struct measure_filter_resolver *resolver);

#endif
