/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of ranges of numbers and times, as conditions have them. lib/filter only. */
#ifndef MEASURE_FILTER_NUMBERS_H
#define MEASURE_FILTER_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "status.h"

struct measure_range {
	uint64_t first;
	uint64_t last;
};

struct measure_ranges {
	MEASURE_ARRAY(struct measure_range) list;
};

/* "0,2-5,8-": appends. MEASURE_ERROR_FORMAT: it is none. */
measure_status_t measure_ranges_parse(struct measure_ranges *ranges, const char *text);

/* "10-20,1.5s-,-200ms" in nanoseconds; without a unit it is seconds. */
measure_status_t measure_ranges_parse_times(struct measure_ranges *ranges, const char *text);

bool measure_ranges_hold(const struct measure_ranges *ranges, uint64_t number);

/* One number, one time in nanoseconds. *end: behind it. False: there is none. */
bool measure_number_parse(const char *text, uint64_t *number, const char **end);
bool measure_time_parse(const char *text, uint64_t *nanoseconds, const char **end);

#endif
