/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's side of a filter: a thread that reads the symbols of the modules that the process
 * asks for, and says which functions are left out (memory/filter_area.h). */
#ifndef MEASURE_BIN_JUDGE_H
#define MEASURE_BIN_JUDGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "filter/filter.h"
#include "journal_tail.h"
#include "memory/segment.h"

struct measure_judge {
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
void measure_judge_begin(struct measure_judge *judge);
void measure_judge_end(struct measure_judge *judge);

#endif
