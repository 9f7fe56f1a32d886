/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `--sample` says: "997", "wall:100Hz", "1kHz", "on", "off". For `measure`, which checks it,
 * and the adapter.
 */
#ifndef MEASURE_API_SAMPLE_RATE_H
#define MEASURE_API_SAMPLE_RATE_H

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "seconds.h"

#define MEASURE_SAMPLE_MOST_HZ  10000.0
#define MEASURE_SAMPLE_USUAL_HZ 997.0

struct measure_sample_rate {
	clockid_t clock;
	const char *clock_name; /* of the interrupt generator */
	uint64_t period;        /* ns; 0: off */
};

/* Sets the clock; returns what is behind its name, or all of the text where there is none. */
static inline const char *measure_sample_clock(const char *text, struct measure_sample_rate *rate)
{
	static const struct {
		const char *name;
		clockid_t clock;
		const char *generator;
	} clocks[] = {
#define CLOCK(name, clock, generator) {#name ":", clock, generator},
#include "sample_clocks.def"
#undef CLOCK
	};

	rate->clock = clocks[0].clock;
	rate->clock_name = clocks[0].generator;
	for (unsigned int i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (strncmp(text, clocks[i].name, strlen(clocks[i].name)) != 0)
			continue;
		rate->clock = clocks[i].clock;
		rate->clock_name = clocks[i].generator;
		return text + strlen(clocks[i].name);
	}
	return text;
}

/* "on", or a number with or without its unit. */
static inline bool measure_hertz_parse(const char *text, double *hertz)
{
	const char *unit = measure_decimal_read(text, hertz);

	if (strcmp(text, "on") == 0) {
		*hertz = MEASURE_SAMPLE_USUAL_HZ;
		return true;
	}
	if (!unit)
		return false;
	if (strcmp(unit, "kHz") == 0)
		*hertz *= 1000;
	return *unit == '\0' || strcmp(unit, "Hz") == 0 || strcmp(unit, "kHz") == 0;
}

/* False: it is none. */
static inline bool measure_sample_rate_parse(const char *text, struct measure_sample_rate *rate)
{
	double hertz;

	rate->period = 0;
	if (strcmp(text, "off") == 0)
		return true;
	if (!measure_hertz_parse(measure_sample_clock(text, rate), &hertz) || hertz < 1 ||
		hertz > MEASURE_SAMPLE_MOST_HZ)
		return false;
	rate->period = (uint64_t)(1e9 / hertz + 0.5);
	return true;
}

#endif
