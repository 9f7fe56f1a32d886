/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Text in JSON; see json_text.h. */
#include "config.h"

#include "json_text.h"

#include "base/printable.h"

/* Names in damaged archives may hold any bytes: what is not ASCII is passed on only as part
 * of valid UTF-8, otherwise replaced. */
void measure_json_text(FILE *file, const char *text)
{
	putc('"', file);
	for (const char *c = text; *c;) {
		const unsigned char byte = (unsigned char)*c;
		const size_t length = measure_utf8_length(c);

		if (byte == '"' || byte == '\\')
			fprintf(file, "\\%c", byte);
		else if (byte < 0x20 || byte == 0x7f)
			fprintf(file, "\\u%04x", byte);
		else if (length)
			fwrite(c, 1, length, file);
		else
			fputs("\\ufffd", file);
		c += length ? length : 1;
	}
	putc('"', file);
}
