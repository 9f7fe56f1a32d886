/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locations that a thread has besides the one it records in. Those of a thread are a chain: as many
 * as have been interrupted in a bracket at one time, and one more. */
#ifndef MEASURE_RUNTIME_EVENT_NESTED_LOCATION_H
#define MEASURE_RUNTIME_EVENT_NESTED_LOCATION_H

struct measure_location;

/* Another process runs in the calling thread's place, on its stack: from now on the thread has a
 * location in which nothing is recorded, and nothing missed. Returns its own one, NULL: it had
 * none. */
struct measure_location *measure_location_lend(void);

void measure_location_regain(struct measure_location *location);

/* A context of the program has been interrupted in a bracket of this location, and another one goes
 * on in its place: leaves the location to that bracket. Returns the one that the thread records in
 * from now on; NULL: it has none. */
struct measure_location *measure_location_set_aside(struct measure_location *location);

/* Gives up a location whose last record is half written and will never be complete, as a handler has
 * left its bracket by siglongjmp(), or the thread was cancelled. Its events stop at the last one
 * committed, as those of a killed thread. Returns a free location of the thread's, which may have
 * the handler's functions open, and is its own from now on; NULL: it has none. */
struct measure_location *measure_location_abandon(struct measure_location *location);

/* A signal handler has interrupted a bracket of this location, and will be over before that goes
 * on. Returns where a function that the handler calls is recorded, while the thread keeps its own
 * location; NULL: nowhere (counted). Takes the definition lock. */
struct measure_location *measure_location_beside(struct measure_location *location);

/* The same, but none is made; NULL: there is none. */
struct measure_location *measure_location_free_beside(struct measure_location *location);

#endif
