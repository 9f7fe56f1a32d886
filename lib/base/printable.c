/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names for people; see printable.h. */
#include "config.h"

#include "printable.h"

#include <stdio.h>
#include <string.h>

#define MORE "..."

static size_t length_by_first(unsigned char first)
{
	return first < 0x80                    ? 1
	       : first >= 0xf0 && first < 0xf5 ? 4
	       : first >= 0xe0 && first < 0xf0 ? 3
	       : first >= 0xc2 && first < 0xe0 ? 2
					       : 0;
}

/* Longer than need be, half of a pair of UTF-16, or beyond the last character. */
static bool is_excluded(const unsigned char *text)
{
	return (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
	       (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90);
}

size_t measure_utf8_length(const char *text)
{
	const size_t length = length_by_first((unsigned char)*text);

	for (size_t i = 1; i < length; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
	return is_excluded((const unsigned char *)text) ? 0 : length;
}

const char *measure_text_end(const char *text, size_t size)
{
	const size_t length = strlen(text);

	if (length <= size)
		return text;
	text += length - size;
	while (((unsigned char)*text & 0xc0) == 0x80)
		text++;
	return text;
}

/* Of two bytes: U+0080 to U+009F, which some terminals take for control characters. Others:
 * separators of lines, and marks that turn the direction of writing round. */
bool measure_is_shown(const char *text, size_t length)
{
	static const char *const hidden[] = {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029",
		"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068",
		"\u2069"};

	if (length < 2)
		return length && (unsigned char)*text >= ' ' && *text != 0x7f;
	if ((unsigned char)text[0] == 0xc2 && (unsigned char)text[1] < 0xa0)
		return false;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(*hidden); i++)
		if (strncmp(text, hidden[i], strlen(hidden[i])) == 0)
			return false;
	return true;
}

/* The next character as it is written, and its bytes in the text. */
static size_t write_next(const char *text, char out[20])
{
	static const char escapes[] = "\n\t\r", letters[] = "ntr";
	const size_t length = measure_utf8_length(text), nr = length ? length : 1;
	const char *escape = strchr(escapes, *text);

	if (measure_is_shown(text, length)) {
		memcpy(out, text, nr);
		out[nr] = '\0';
	} else if (escape) {
		snprintf(out, 20, "\\%c", letters[escape - escapes]);
	} else {
		for (size_t i = 0; i < nr; i++)
			snprintf(out + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
	}
	return nr;
}

static bool is_all_shown(const char *text)
{
	for (size_t length; *text; text += length) {
		length = measure_utf8_length(text);
		if (!measure_is_shown(text, length))
			return false;
	}
	return true;
}

const char *measure_printable(const char *text, char *buffer, size_t size)
{
	size_t used = 0;
	char next[20];

	if (is_all_shown(text))
		return text;
	buffer[0] = '\0';
	while (*text) {
		text += write_next(text, next);
		if (used + strlen(next) + strlen(MORE) >= size) {
			strcpy(buffer + used, MORE);
			break;
		}
		strcpy(buffer + used, next);
		used += strlen(next);
	}
	return buffer;
}
