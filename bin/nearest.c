/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The distance of two names is that of Levenshtein (1966): characters to put in, to leave out or to
 * change; upper and lower case are the same. */
#include "config.h"

#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 128

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static unsigned int differs(char a, char b)
{
	return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Row by row: distances of the first i characters of `a` from the first k of `b`. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[LONGEST + 1], before, above;
	size_t length = strnlen(b, LONGEST);

	for (size_t k = 0; k <= length; k++)
		row[k] = (unsigned int)k;
	for (size_t i = 0; a[i]; i++) {
		before = row[0]++;
		for (size_t k = 0; k < length; k++) {
			above = row[k + 1];
			row[k + 1] = least(least(row[k], above) + 1, before + differs(a[i], b[k]));
			before = above;
		}
	}
	return row[length];
}

void measure_nearest_begin(struct measure_nearest *nearest, const char *wrong)
{
	*nearest = (struct measure_nearest){.wrong = wrong};
}

void measure_nearest_offer(struct measure_nearest *nearest, const char *name)
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

void measure_nearest_print(const struct measure_nearest *nearest, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < MEASURE_NEAREST && nearest->best[i].name && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
			i ? ", " : "; the nearest are ", nearest->best[i].name);
}
