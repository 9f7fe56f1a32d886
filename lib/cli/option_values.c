/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of options; see option_values.h. */
#include "config.h"

#include "option_values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "suggest.h"

int measure_choose_word(const char *option, const char *value, const char *const *words, size_t nr)
{
	char list[256] = "", guess[64];

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(words[i], value))
			return (int)i;
		strncat(list, i ? ", " : "", sizeof(list) - strlen(list) - 1);
		strncat(list, words[i], sizeof(list) - strlen(list) - 1);
	}
	measure_suggest_word(list, ", ", value, guess, sizeof(guess));
	measure_cli_say("%s: '%s' is not one of %s%s", option, value, list, guess);
	return -1;
}

int measure_take_number(const char *option, const char *value, long least, long most, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(value, &end, 10);
	if (errno || end == value || *end || *number < least || *number > most)
		return measure_cli_usage(
			"%s: '%s' is not a number from %ld to %ld", option, value, least, most);
	return -1;
}

int measure_take_time_bound(const char *option, const char *value, struct measure_time_bound *bound)
{
	char *end;

	bound->value = strtod(value, &end);
	bound->is_given = true;
	bound->is_share = end != value && !strcmp(end, "%");
	if (end == value || (*end && !bound->is_share && strcmp(end, "s") != 0) ||
		!(bound->value >= 0) || (bound->is_share && bound->value > 100))
		return measure_cli_usage(
			"%s: '%s' is neither seconds like 1.5 nor a share like 25%%", option,
			value);
	return -1;
}

int measure_check_time_bounds(
	const struct measure_time_bound *from, const struct measure_time_bound *until)
{
	if (from->is_given && until->is_given && from->is_share == until->is_share &&
		until->value < from->value)
		return measure_cli_usage("--until is before --from");
	return -1;
}

uint64_t measure_time_bound_ticks(
	const struct measure_time_bound *bound, uint64_t length, uint64_t ticks_per_second)
{
	const double ticks = bound->is_share ? bound->value / 100 * (double)length
					     : bound->value * (double)ticks_per_second;

	return ticks < (double)UINT64_MAX ? (uint64_t)(ticks + 0.5) : UINT64_MAX;
}
