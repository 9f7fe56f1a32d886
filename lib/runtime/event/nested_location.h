/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events that come while their thread is in a transaction: from inside it, from a signal handler,
 * or from another context of the program (a coroutine). For these a thread has further locations,
 * in a chain: as many as have been interrupted in a transaction at one time, and one more. */
#ifndef MEASURE_EVENT_NESTED_LOCATION_H
#define MEASURE_EVENT_NESTED_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

struct measure_location;

/* True if both of these addresses or frames lie on the thread's own stack, and neither on that of
 * its signals. If not, one of them is a signal handler's or a coroutine's. */
bool measure_is_one_stack(struct measure_location *location, uint64_t frame, uint64_t other);

/* The location is in a transaction: is an event at stack address `here` called from inside that, or
 * is it a signal handler's? Both lie deeper on the stack, or on the one for signals. */
bool measure_nested_is(struct measure_location *location, uintptr_t here);

/* It is neither. A signal handler may have left the transaction by siglongjmp(), so that it is
 * never continued; or by switching to another context, which has a stack of its own: then it is
 * continued when its context is. Returns where the thread records from now on; NULL: it has no
 * location. */
struct measure_location *measure_nested_leave(struct measure_location *location, uintptr_t here);

/* Gives up a location whose last record is half written and will never be complete, as a handler
 * has left its transaction by siglongjmp(), or the thread was cancelled. Its events end with the
 * last one committed, as those of a killed thread. Returns a free location of the thread's, which
 * may have the handler's functions open, and is its own from now on; NULL: it has none. */
struct measure_location *measure_location_abandon(struct measure_location *location);

/* A signal handler has interrupted a transaction of this location, and will be over before that
 * goes on. Returns where a function that the handler calls is recorded, while the thread keeps its
 * own location; NULL: nowhere (counted). Takes the definition lock. */
struct measure_location *measure_nested_find(struct measure_location *location);

/* The same, but none is made; NULL: there is none. */
struct measure_location *measure_nested_free(struct measure_location *location);

#endif
