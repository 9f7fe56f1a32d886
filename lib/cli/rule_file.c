/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading a file with rules; see rule_file.h. */
#include "config.h"

#include "rule_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define LONGEST ((size_t)1 << 20)

static measure_status_t rule_file_refuse(const char *path, const char *why, const char *consequence)
{
	measure_cli_say("%s: %s: %s", path, why, consequence);
	return MEASURE_ERROR_IO;
}

measure_status_t measure_rule_file_load(const char *path, const char *consequence, char **text)
{
	char *data = calloc(1, LONGEST + 1);
	size_t size = 0;
	FILE *file;

	*text = data;
	if (!data)
		return MEASURE_ERROR_MEMORY;
	if (!path[0])
		return MEASURE_OK;
	file = fopen(path, "re");
	if (file) {
		size = fread(data, 1, LONGEST + 1, file);
		if (ferror(file))
			size = 0;
		else
			errno = 0;
		fclose(file);
	}
	if (!file || (size == 0 && errno != 0))
		return rule_file_refuse(path, strerror(errno), consequence);
	if (size > LONGEST)
		return rule_file_refuse(path, "is longer than 1 MiB", consequence);
	return memchr(data, '\0', size) ? rule_file_refuse(path, "is not a text file", consequence)
					: MEASURE_OK;
}
