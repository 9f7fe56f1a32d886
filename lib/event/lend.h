/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The location of a thread while another process runs in its place, on its stack. */
#ifndef MEASURE_EVENT_LEND_H
#define MEASURE_EVENT_LEND_H

struct measure_location;

/* From now on the calling thread has a location in which nothing is recorded, and nothing missed.
 * Returns its own one, NULL: it had none. */
struct measure_location *measure_location_lend(void);

void measure_location_regain(struct measure_location *location);

#endif
