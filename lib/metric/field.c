/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers in files of /proc; see field.h. */
#include "config.h"

#include "metric/field.h"

#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, uint64_t *value)
{
	char *end;

	*value = strtoull(text, &end, 10);
	return end != text;
}

bool measure_field_by_key(const char *text, const char *key, uint64_t *value)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && line[length] == ':')
			return read_number(line + length + 1, value);
	}
	return false;
}

bool measure_field_of_stat(const char *text, uint32_t number, uint64_t *value)
{
	const char *place = strrchr(text, ')');

	for (uint32_t i = 2; place && i < number; i++) {
		place = strchr(place, ' ');
		place += place != NULL;
	}
	return place && read_number(place, value);
}
