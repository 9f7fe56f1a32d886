/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Text in JSON; see json_text.h. */
#include "config.h"

#include "json_text.h"

/* Names in damaged archives may hold any bytes: what is not ASCII is passed on only as part
 * of valid UTF-8, otherwise replaced. */
static size_t utf8_length(const unsigned char *text)
{
	size_t length = text[0] >= 0xf0 && text[0] < 0xf5   ? 4
			: text[0] >= 0xe0 && text[0] < 0xf0 ? 3
			: text[0] >= 0xc2 && text[0] < 0xe0 ? 2
							    : 0;

	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return length;
}

void measure_json_text(FILE *file, const char *text)
{
	putc('"', file);
	for (const unsigned char *c = (const unsigned char *)text; *c;) {
		size_t length = *c < 0x80 ? 1 : utf8_length(c);

		if (*c == '"' || *c == '\\')
			fprintf(file, "\\%c", *c);
		else if (*c < 0x20 || *c == 0x7f)
			fprintf(file, "\\u%04x", *c);
		else if (length)
			fwrite(c, 1, length, file);
		else
			fputs("\\ufffd", file);
		c += length ? length : 1;
	}
	putc('"', file);
}
