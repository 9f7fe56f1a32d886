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

#define WORK_STEP(x) ((x)*6364136223846793005u + 1442695040888963407u)

/* Four chains that keep the multiplier busy and do not wait for one another, nor for those before.
 * A single one, which would go on after the event, leaves the processor so much room that the event
 * takes next to no time; several, of which each begins when the one before is not at its end, lose
 * more than the event takes. */
static inline uint64_t measure_work_compute(unsigned long steps)
{
	uint64_t a = 1, b = 2, c = 3, d = 4;

	for (unsigned long i = 0; i < steps; i++) {
		a = WORK_STEP(a);
		b = WORK_STEP(b);
		c = WORK_STEP(c);
		d = WORK_STEP(d);
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
	}
	return a + b + c + d;
}

static inline void measure_work_do(struct event_work *work, unsigned long steps)
{
	uint64_t value = work->value;
	size_t cursor = work->cursor;

	if (!work->memory) {
		work->value = measure_work_compute(steps);
		return;
	}
	for (unsigned long i = 0; i < steps; i++) {
		value += *(const volatile uint64_t *)(work->memory + cursor);
		cursor = (cursor + WORK_LINE) & (work->size - 1);
	}
	work->cursor = cursor;
	work->value = value;
}

#endif
