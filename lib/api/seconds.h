/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers as options give them: "10", "0.5". In every locale with a point, as strtod() in a
 * program that has set its own would not have it. */
#ifndef MEASURE_API_SECONDS_H
#define MEASURE_API_SECONDS_H

#include <stdbool.h>

/* False: it is none. */
static inline bool measure_decimal_parse(const char *text, double *value)
{
	double unit = 1;
	bool has_digits = false;
	bool has_point = false;

	*value = 0;
	for (const char *c = text; *c; c++) {
		if (*c == '.' && !has_point) {
			has_point = true;
			continue;
		}
		if (*c < '0' || *c > '9')
			return false;
		has_digits = true;
		if (has_point)
			unit /= 10;
		*value = has_point ? *value + (*c - '0') * unit : *value * 10 + (*c - '0');
	}
	return has_digits;
}

/* False: it is none, or longer than a year. */
static inline bool measure_seconds_parse(const char *text, double *seconds)
{
	return measure_decimal_parse(text, seconds) && *seconds <= 366.0 * 86400;
}

#endif
