/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking for shared objects; see libdir.h. */
#include "config.h"

#include "libdir.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static bool try_directory(char *directory, const char *base, const char *below, const char *file)
{
	char path[PATH_MAX + 32];
	size_t length = (size_t)snprintf(directory, PATH_MAX, "%s%s", base, below);

	if (length >= PATH_MAX)
		return false;
	snprintf(path, sizeof(path), "%s/%s", directory, file);
	return access(path, R_OK) == 0;
}

bool measure_libdir_find(char *directory, const char *file, const char *meaning, const char *remedy)
{
	const char *told = getenv("MEASURE_LIBDIR");
	char self[PATH_MAX] = "";
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (told && *told) {
		if (try_directory(directory, told, "", file))
			return true;
		measure_cli_say("MEASURE_LIBDIR: '%s' has no %s in it: %s", told, file, meaning);
		return false;
	}
	if (length > 0) {
		self[length] = '\0';
		*strrchr(self, '/') = '\0';
		if (try_directory(directory, self, "/.libs", file) ||
			try_directory(directory, self, "/../lib/measure", file))
			return true;
	}
	if (try_directory(directory, MEASURE_PKGLIBDIR, "", file))
		return true;
	measure_cli_say("%s/%s: not found: %s", directory, file, remedy);
	return false;
}
