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
