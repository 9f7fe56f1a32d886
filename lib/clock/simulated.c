/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The simulated clock; see simulated.h and clock.h for the parameters. */
#include "config.h"

#include "clock/simulated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct simulated_unit {
	const char *name;
	double factor;
};

static const struct simulated_unit time_units[] = {
	{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"", 1}};
static const struct simulated_unit rate_units[] = {{"ppm", 1e-6}, {"", 1e-6}};

static measure_status_t parse_amount(const char *text, size_t length,
	const struct simulated_unit *units, size_t nr_units, double *amount)
{
	char copy[64], *end;

	if (length == 0 || length >= sizeof(copy))
		return MEASURE_ERROR_USAGE;
	memcpy(copy, text, length);
	copy[length] = '\0';
	double value = strtod(copy, &end);
	if (end == copy || !isfinite(value))
		return MEASURE_ERROR_USAGE;
	for (size_t i = 0; i < nr_units; i++) {
		if (strcmp(end, units[i].name) == 0) {
			*amount = value * units[i].factor;
			return MEASURE_OK;
		}
	}
	return MEASURE_ERROR_USAGE;
}

static measure_status_t parse_time(const char *text, size_t length, double *seconds)
{
	return parse_amount(text, length, time_units, sizeof(time_units) / sizeof(*time_units),
		seconds);
}

static measure_status_t parse_rate(const char *text, size_t length, double *rate)
{
	return parse_amount(text, length, rate_units, sizeof(rate_units) / sizeof(*rate_units),
		rate);
}

static measure_status_t parse_step(struct measure_simulated *simulated, const char *text,
	size_t length)
{
	const char *at = memchr(text, '@', length);

	if (!at)
		return MEASURE_ERROR_USAGE;
	measure_status_t status = parse_time(text, (size_t)(at - text), &simulated->step);
	if (status != MEASURE_OK)
		return status;
	return parse_time(at + 1, (size_t)(text + length - at - 1), &simulated->step_at);
}

static measure_status_t parse_clock(struct measure_simulated *simulated, const char *text,
	size_t length)
{
	if (length == 0 || length >= sizeof(simulated->clock))
		return MEASURE_ERROR_USAGE;
	memcpy(simulated->clock, text, length);
	simulated->clock[length] = '\0';
	return MEASURE_OK;
}

static measure_status_t parse_pair(struct measure_simulated *simulated, const char *text,
	size_t length)
{
	const char *equals = memchr(text, '=', length);

	if (!equals)
		return MEASURE_ERROR_USAGE;

	size_t key = (size_t)(equals - text);
	const char *value = equals + 1;
	size_t size = length - key - 1;

	if (key == 6 && memcmp(text, "offset", key) == 0)
		return parse_time(value, size, &simulated->offset);
	if (key == 5 && memcmp(text, "drift", key) == 0)
		return parse_rate(value, size, &simulated->drift);
	if (key == 4 && memcmp(text, "walk", key) == 0)
		return parse_rate(value, size, &simulated->walk);
	if (key == 4 && memcmp(text, "step", key) == 0)
		return parse_step(simulated, value, size);
	if (key == 5 && memcmp(text, "clock", key) == 0)
		return parse_clock(simulated, value, size);
	if (key == 4 && memcmp(text, "seed", key) == 0) {
		simulated->seed = strtoull(value, NULL, 10);
		return MEASURE_OK;
	}
	return MEASURE_ERROR_USAGE;
}

/* Of the seed alone: the walk must be the same for the keeper and its process. */
static double random_unit(uint64_t *state)
{
	return (double)(measure_random(state) >> 11) / (double)(UINT64_C(1) << 52) - 1.0;
}

static void walk(struct measure_simulated *simulated, uint32_t rank)
{
	uint64_t state = simulated->seed * UINT64_C(1000003) + rank;
	double drift = 0;

	simulated->walked[0] = 0;
	for (int i = 0; i < MEASURE_SIMULATED_WALK; i++) {
		drift += simulated->walk * random_unit(&state);
		simulated->walked[i + 1] = simulated->walked[i] + drift;
	}
}

measure_status_t measure_simulated_parse(struct measure_simulated *simulated,
	const char *parameters, uint32_t rank)
{
	memset(simulated, 0, sizeof(*simulated));
	for (const char *text = parameters; *text;) {
		size_t length = strcspn(text, ",");
		measure_status_t status = parse_pair(simulated, text, length);

		if (status != MEASURE_OK)
			return status;
		text += length;
		text += *text == ',';
	}
	simulated->offset *= rank;
	simulated->drift *= rank;
	simulated->walk *= rank;
	simulated->step *= rank;
	walk(simulated, rank);
	return MEASURE_OK;
}

static double walked(const struct measure_simulated *simulated, double seconds)
{
	if (seconds <= 0)
		return 0;
	if (seconds >= MEASURE_SIMULATED_WALK)
		return simulated->walked[MEASURE_SIMULATED_WALK];

	int whole = (int)seconds;
	double from = simulated->walked[whole];
	return from + (simulated->walked[whole + 1] - from) * (seconds - whole);
}

uint64_t measure_simulated_bend(const struct measure_simulated *simulated, uint64_t ticks)
{
	double seconds = (double)(int64_t)(ticks - simulated->origin) / simulated->frequency;
	double error = simulated->offset + simulated->drift * seconds + walked(simulated, seconds);

	if (simulated->step != 0 && seconds >= simulated->step_at)
		error += simulated->step;
	return ticks + (uint64_t)(int64_t)llrint(error * simulated->frequency);
}
