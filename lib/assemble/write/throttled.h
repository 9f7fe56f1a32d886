/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that --overhead has switched off while the program ran: of all processes together. */
#ifndef MEASURE_ASSEMBLE_WRITE_THROTTLED_H
#define MEASURE_ASSEMBLE_WRITE_THROTTLED_H

#include <stdint.h>

#include "assemble/clocks/clock_correction.h"
#include "assemble/unify/unify.h"
#include "base/array.h"
#include "status.h"

struct measure_throttled {
	uint32_t region; /* of the archive */
	uint32_t nr_processes;
	size_t process;     /* the last one of these */
	uint64_t looked_at; /* calls for which it was switched off ... */
	double seconds;     /* ... and what they took */
	double after; /* seconds since its process began, in the first one; infinite: not known */
};

typedef MEASURE_ARRAY(struct measure_throttled) measure_throttled_list_t;

/* By the calls that were looked at, most first. free() its items. */
measure_status_t measure_throttled_make(const struct measure_unified *unified,
	const struct measure_clock_correction *timeline, measure_throttled_list_t *list);

/* Seconds; negative: not known, as only processes are left whose parents have switched it off. */
static inline double measure_throttled_mean(const struct measure_throttled *throttled)
{
	return throttled->looked_at ? throttled->seconds / (double)throttled->looked_at : -1;
}

#endif
