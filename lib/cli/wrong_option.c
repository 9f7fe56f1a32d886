/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words for wrong options; see wrong_option.h. */
#include "config.h"

#include "wrong_option.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "suggest.h"

#define FIRST_LONG 256 /* options without a letter have such values */

bool measure_has_single_dash(const char *word, const struct option *options)
{
	if (word[0] != '-' || word[1] == '-' || word[1] == '\0' || word[2] == '\0')
		return false;
	size_t length = strcspn(word + 1, "=");
	for (; options->name; options++)
		if (strlen(options->name) == length &&
			strncmp(options->name, word + 1, length) == 0)
			return true;
	return false;
}

/* "--metrics, --mpi-groups": all that begin with the name. At least two: it is ambiguous. */
static int list_beginnings(
	char *list, size_t size, const char *name, size_t length, const struct option *options)
{
	size_t used = 0;
	int nr = 0;

	for (; options->name && used < size; options++)
		if (strncmp(options->name, name, length) == 0)
			used += (size_t)snprintf(list + used, size - used, "%s--%s",
				nr++ ? ", " : "", options->name);
	return nr;
}

static void describe_long(char *text, size_t size, const char *word, const struct option *options)
{
	size_t length = strcspn(word, "=");
	char list[256], name[128], guess[160];
	struct measure_suggest nearest;

	if (list_beginnings(list, sizeof(list), word + 2, length - 2, options) > 1) {
		snprintf(text, size, "%.*s: ambiguous: one of %s", (int)length, word, list);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)length - 2, word + 2);
	measure_suggest_begin(&nearest, name);
	for (const struct option *option = options; option->name; option++)
		measure_suggest_offer(&nearest, option->name);
	measure_suggest_ask(&nearest, "--", guess, sizeof(guess));
	if (!guess[0])
		snprintf(guess, sizeof(guess), ": see %.40s --help", measure_cli_tool());
	snprintf(text, size, "%.*s: unknown option%s", (int)length, word, guess);
}

void measure_wrong_option(
	char *text, size_t size, int error, char **words, const struct option *options)
{
	const char *word = words[optind - 1];

	if (error == ':')
		snprintf(text, size, "%s: needs a value: see %s --help", word, measure_cli_tool());
	else if (optopt >= FIRST_LONG || (optopt > 0 && strncmp(word, "--", 2) == 0 && word[2]))
		snprintf(text, size, "%.*s: takes no value", (int)strcspn(word, "="), word);
	else if (optopt > 0)
		snprintf(text, size, "-%c: unknown option: see %s --help", optopt,
			measure_cli_tool());
	else
		describe_long(text, size, word, options);
}

int measure_refuse_option(int error, char **words, const struct option *options)
{
	char text[512];

	measure_wrong_option(text, sizeof(text), error, words, options);
	measure_cli_say("%s", text);
	return MEASURE_EXIT_CANNOT;
}
