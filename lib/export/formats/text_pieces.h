/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pieces of a line of text, put together in a buffer: printf() takes longer than reading the event
 * that the line is about. Each returns the place after what it has put. */
#ifndef MEASURE_EXPORT_FORMATS_TEXT_PIECES_H
#define MEASURE_EXPORT_FORMATS_TEXT_PIECES_H

#include <stdint.h>
#include <string.h>

#define MEASURE_MOST_DIGITS 20

static inline char *measure_put_text(char *place, const char *text)
{
	const size_t size = strlen(text);

	memcpy(place, text, size);
	return place + size;
}

static inline char *measure_put_number(char *place, uint64_t number)
{
	char digits[MEASURE_MOST_DIGITS];
	size_t nr = 0;

	do {
		digits[nr++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (nr > 0)
		*place++ = digits[--nr];
	return place;
}

/* With leading zeros, below 1000. */
static inline char *measure_put_thousandths(char *place, uint64_t number)
{
	*place++ = (char)('0' + number / 100);
	*place++ = (char)('0' + number / 10 % 10);
	*place++ = (char)('0' + number % 10);
	return place;
}

#endif
