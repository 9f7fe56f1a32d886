/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a program does between two events, for as long as is wished: it computes, or it reads
 * through memory of a given size, again and again, and goes on where it has stopped. */
#ifndef MEASURE_EVENT_COSTS_WORK_H
#define MEASURE_EVENT_COSTS_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "costs/event_costs.h"

#define WORK_LINE 64

struct event_work {
	const char *memory; /* NULL: it computes */
	size_t size;        /* of it; a power of 2 */
	size_t cursor;
	uint64_t value;
	bool varies; /* its time: it reads more than the first cache has */
	double unit; /* ns for one step */
};

/* False: there is no memory. */
bool measure_work_start(struct event_work *work, enum measure_working_set set);
void measure_work_end(struct event_work *work);

static inline void measure_work_do(struct event_work *work, unsigned long steps)
{
	uint64_t value = work->value;

	if (!work->memory) {
		for (unsigned long i = 0; i < steps; i++) {
			value = value * 6364136223846793005u + 1442695040888963407u;
			__asm__ volatile("" : "+r"(value));
		}
	} else {
		size_t cursor = work->cursor;
		for (unsigned long i = 0; i < steps; i++) {
			value += *(const volatile uint64_t *)(work->memory + cursor);
			cursor = (cursor + WORK_LINE) & (work->size - 1);
		}
		work->cursor = cursor;
	}
	work->value = value;
}

#endif
