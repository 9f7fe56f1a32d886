/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a program has done, by thread and time: a file that it maps, and that outlives it. */
#ifndef MEASURE_TESTS_HISTORY_H
#define MEASURE_TESTS_HISTORY_H

#include <stdint.h>

#define HISTORY_THREADS 8
#define HISTORY_SLOT_NS 10000000
#define HISTORY_SLOTS	6000 /* one minute */

struct measure_history {
	uint64_t counts[HISTORY_THREADS]; /* by now */
	uint64_t begin;                   /* CLOCK_REALTIME, ns */
	uint64_t slots[HISTORY_SLOTS][HISTORY_THREADS]; /* counts at its end; 0: it was idle */
};

#endif
