/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers and times; see numbers.h. They are read without the locale: it is the traced
 * program's. */
#include "config.h"

#include "filter/numbers.h"

#include <stddef.h>
#include <string.h>

#define SECOND UINT64_C(1000000000)

typedef bool (*parse_fn)(const char *text, uint64_t *number, const char **end);

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool measure_number_parse(const char *text, uint64_t *number, const char **end)
{
	uint64_t value = 0;

	if (!is_digit(*text))
		return false;
	for (; is_digit(*text); text++) {
		unsigned int digit = (unsigned int)(*text - '0');
		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = 10 * value + digit;
	}
	*number = value;
	*end = text;
	return true;
}

static uint64_t unit_of(const char *text, size_t *length)
{
	static const struct {
		const char *name;
		uint64_t nanoseconds;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", SECOND}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		*length = strlen(units[i].name);
		if (strncmp(text, units[i].name, *length) == 0)
			return units[i].nanoseconds;
	}
	*length = 0;
	return SECOND;
}

bool measure_time_parse(const char *text, uint64_t *nanoseconds, const char **end)
{
	uint64_t whole = 0, part = 0, scale = 1, unit;
	size_t length;

	if (!measure_number_parse(text, &whole, &text))
		return false;
	if (*text == '.' && is_digit(text[1]))
		for (text++; is_digit(*text); text++)
			if (scale < SECOND) {
				part = 10 * part + (uint64_t)(*text - '0');
				scale *= 10;
			}
	unit = unit_of(text, &length);
	if (whole > UINT64_MAX / unit - 1)
		return false;
	*nanoseconds = whole * unit + part * unit / scale;
	*end = text + length;
	return true;
}

/* "5", "2-5", "8-", "-3"; *end: behind it. */
static bool parse_range(const char *text, parse_fn parse, bool is_single_good,
	struct measure_range *range, const char **end)
{
	bool has_first = parse(text, &range->first, &text);
	bool has_last;

	if (!has_first)
		range->first = 0;
	if (*text != '-') {
		range->last = range->first;
		*end = text;
		return has_first && is_single_good;
	}
	text++;
	has_last = parse(text, &range->last, &text);
	if (!has_last)
		range->last = UINT64_MAX;
	*end = text;
	return (has_first || has_last) && range->first <= range->last;
}

static measure_status_t parse_list(
	struct measure_ranges *ranges, const char *text, parse_fn parse, bool is_single_good)
{
	for (;;) {
		struct measure_range range;
		if (!parse_range(text, parse, is_single_good, &range, &text))
			return MEASURE_ERROR_FORMAT;
		measure_status_t status = measure_array_push(&ranges->list, range);
		if (status != MEASURE_OK)
			return status;
		if (*text == '\0')
			return MEASURE_OK;
		if (*text++ != ',')
			return MEASURE_ERROR_FORMAT;
	}
}

measure_status_t measure_ranges_parse(struct measure_ranges *ranges, const char *text)
{
	return parse_list(ranges, text, measure_number_parse, true);
}

measure_status_t measure_ranges_parse_times(struct measure_ranges *ranges, const char *text)
{
	return parse_list(ranges, text, measure_time_parse, false);
}

bool measure_ranges_hold(const struct measure_ranges *ranges, uint64_t number)
{
	for (size_t i = 0; i < ranges->list.nr; i++)
		if (number >= ranges->list.items[i].first && number <= ranges->list.items[i].last)
			return true;
	return false;
}
