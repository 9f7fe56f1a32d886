/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking for the template; see page_template.h. */
#include "config.h"

#include "page_template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOKED_AT 4194304 /* bytes of a page: the licences of libraries are before its data */

static const char data[] = "id=\"measure-report\"";

static bool try_directory(char path[PATH_MAX], const char *base, const char *below)
{
	return snprintf(path, PATH_MAX, "%s%s/%s", base, below, MEASURE_PAGE_TEMPLATE) < PATH_MAX &&
	       access(path, R_OK) == 0;
}

bool measure_page_template_find(char path[PATH_MAX])
{
	const char *told = getenv("MEASURE_DATADIR");
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (told && *told)
		return try_directory(path, told, "");
	self[length > 0 ? length : 0] = '\0';
	if (length > 0)
		*strrchr(self, '/') = '\0';
	return (length > 0 && (try_directory(path, self, "/share/report") ||
				      try_directory(path, self, "/../share/measure"))) ||
	       try_directory(path, MEASURE_PKGDATADIR, "");
}

bool measure_page_is_one(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text;
	size_t nr;
	bool is_one;

	if (!file)
		return false;
	text = malloc(LOOKED_AT);
	nr = text ? fread(text, 1, LOOKED_AT, file) : 0;
	is_one = nr > 0 && memmem(text, nr, data, strlen(data));
	free(text);
	fclose(file);
	return is_one;
}
