/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reference events: the same work whenever it is done, that of a function's Enter and Leave with all
 * they need in the caches, recorded nowhere. What they take tells how fast the processor is for
 * events just now: its frequency, and what shares the core. */
#ifndef MEASURE_EVENT_REFERENCE_EVENT_H
#define MEASURE_EVENT_REFERENCE_EVENT_H

#include <stdint.h>

/* That are timed at once. */
#define MEASURE_REFERENCE_EVENTS 16

/* Ticks that all of them take, after some that are not timed; 0: another thread is about it, or
 * they were interrupted. Exported for measure-event-costs, which finds it by dlsym(). */
__attribute__((visibility("default"))) uint64_t measure_reference_ticks(void);

#endif
