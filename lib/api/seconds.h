/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers and times as options give them: "10", "0.5", "500ms". In every locale with a point, as
 * strtod() in a program that has set its own would not have it. */
#ifndef MEASURE_API_SECONDS_H
#define MEASURE_API_SECONDS_H

#include <stdbool.h>
#include <string.h>

/* Returns what follows the number, and the blank after it. NULL: it begins with none. */
static inline const char *measure_decimal_read(const char *text, double *value)
{
	double unit = 1;
	bool has_digits = false;
	bool has_point = false;
	const char *c = text;

	*value = 0;
	for (; (*c >= '0' && *c <= '9') || (*c == '.' && !has_point); c++) {
		if (*c == '.') {
			has_point = true;
			continue;
		}
		has_digits = true;
		if (has_point)
			unit /= 10;
		*value = has_point ? *value + (*c - '0') * unit : *value * 10 + (*c - '0');
	}
	if (!has_digits)
		return NULL;
	return *c == ' ' && c[1] ? c + 1 : c;
}

/* A number with a unit, or in those of `factor` seconds without one. False: it is none. */
static inline bool measure_time_parse(const char *text, double factor, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"sec", 1}, {"m", 60},
		{"min", 60}, {"h", 3600}};
	const char *unit = measure_decimal_read(text, seconds);

	if (!unit)
		return false;
	for (unsigned int i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(unit, units[i].name) == 0) {
			*seconds *= units[i].seconds;
			return true;
		}
	*seconds *= factor;
	return *unit == '\0';
}

/* False: it is none, or longer than a year. */
static inline bool measure_seconds_parse(const char *text, double *seconds)
{
	return measure_time_parse(text, 1, seconds) && *seconds <= 366.0 * 86400;
}

#endif
