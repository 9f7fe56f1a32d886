/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What record.c has for the other files of the event path. */
#ifndef MEASURE_EVENT_RECORD_INTERNAL_H
#define MEASURE_EVENT_RECORD_INTERNAL_H

#include "event/record_inline.h"

#define cold __attribute__((cold, noinline))

/* Does what was put off until now. It opens brackets of its own. */
void measure_run_deferred(struct measure_location *location);

/* As measure_record_begin_slow(), for the exit of a function: what was put off stays so. */
struct measure_location *measure_exit_begin_slow(uintptr_t here);

/* Closes the `above` regions on top of the stack that were left without our seeing it. */
void measure_leave_unseen(struct measure_location *location, uint32_t above);

/* The region left is not the one on top. `function` 0: look for the region. */
void measure_leave_other(struct measure_location *location, uint32_t region, uint32_t function);

#endif
