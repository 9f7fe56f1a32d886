/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The distance of two names is that of Levenshtein (1966), with Damerau's (1964) exchange of two
 * neighbours: characters to insert, delete, change or exchange; upper and lower case are the same.
 */
#include "config.h"

#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LONGEST 128

static unsigned int suggest_least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool suggest_is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Row by row, of which the last three are kept: rows[i % 3][k] is the distance of the first i
 * characters of `a` from the first k of `b`. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[3][LONGEST + 1];
	size_t i, length = strnlen(b, LONGEST);

	for (size_t k = 0; k <= length; k++)
		rows[0][k] = (unsigned int)k;
	for (i = 1; a[i - 1]; i++) {
		unsigned int *row = rows[i % 3], *above = rows[(i + 2) % 3];
		row[0] = (unsigned int)i;
		for (size_t k = 1; k <= length; k++) {
			row[k] = suggest_least(suggest_least(above[k], row[k - 1]) + 1,
				above[k - 1] + !suggest_is_same(a[i - 1], b[k - 1]));
			if (i > 1 && k > 1 && suggest_is_same(a[i - 1], b[k - 2]) &&
				suggest_is_same(a[i - 2], b[k - 1]))
				row[k] = suggest_least(row[k], rows[(i + 1) % 3][k - 2] + 1);
		}
	}
	return rows[(i + 2) % 3][length];
}

void measure_suggest_begin(struct measure_suggest *nearest, const char *wrong)
{
	*nearest = (struct measure_suggest){.wrong = wrong};
}

void measure_suggest_offer(struct measure_suggest *nearest, const char *name)
{
	unsigned int far = distance(nearest->wrong, name);
	int place = MEASURE_NEAREST;

	while (place > 0 &&
		(!nearest->best[place - 1].name || far < nearest->best[place - 1].distance))
		place--;
	if (place == MEASURE_NEAREST)
		return;
	memmove(&nearest->best[place + 1], &nearest->best[place],
		(size_t)(MEASURE_NEAREST - 1 - place) * sizeof(nearest->best[0]));
	nearest->best[place].name = name;
	nearest->best[place].distance = far;
}

/* One character of three may be wrong, or two at the end be missing or too many. */
const char *measure_suggest_guess(const struct measure_suggest *nearest)
{
	const char *name = nearest->best[0].name;
	unsigned int far = nearest->best[0].distance;
	size_t length = strlen(nearest->wrong);

	if (name && strlen(name) < length)
		length = strlen(name);
	if (!name || length == 0)
		return NULL;
	bool is_longer = length > 3 && far <= 2 && strncasecmp(name, nearest->wrong, length) == 0;
	return is_longer || 3 * far <= length ? name : NULL;
}

void measure_suggest_ask(
	const struct measure_suggest *nearest, const char *prefix, char *text, size_t size)
{
	const char *name = measure_suggest_guess(nearest);

	text[0] = '\0';
	if (name)
		snprintf(text, size, ": did you mean %s%s?", prefix, name);
}

void measure_suggest_word(
	const char *words, const char *separators, const char *wrong, char *text, size_t size)
{
	struct measure_suggest nearest;
	char copy[2048], *rest = copy;

	snprintf(copy, sizeof(copy), "%s", words);
	measure_suggest_begin(&nearest, wrong);
	for (char *word; (word = strsep(&rest, separators));)
		if (*word)
			measure_suggest_offer(&nearest, word);
	measure_suggest_ask(&nearest, "", text, size);
}

void measure_suggest_print(const struct measure_suggest *nearest, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < MEASURE_NEAREST && nearest->best[i].name && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
			i ? ", " : "; similar names: ", nearest->best[i].name);
}
