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

#include "cli/cli.h"

static bool try_directory(char *directory, const char *base, const char *below, const char *file)
{
	char path[PATH_MAX + 32];
	size_t length = (size_t)snprintf(directory, PATH_MAX, "%s%s", base, below);

	if (length >= PATH_MAX)
		return false;
	snprintf(path, sizeof(path), "%s/%s", directory, file);
	return access(path, R_OK) == 0;
}

/* Of the tool that this is; "" where that is not known. PATH_MAX bytes. */
static void find_self(char *directory)
{
	ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);

	directory[length > 0 ? length : 0] = '\0';
	if (length > 0)
		*strrchr(directory, '/') = '\0';
}

bool measure_libdir_find(char *directory, const char *file, const char *meaning, const char *remedy)
{
	const char *told = getenv("MEASURE_LIBDIR");
	char self[PATH_MAX];

	if (told && *told) {
		if (try_directory(directory, told, "", file))
			return true;
		measure_cli_say(
			"MEASURE_LIBDIR: '%s' does not contain %s: %s", told, file, meaning);
		return false;
	}
	find_self(self);
	if (*self && (try_directory(directory, self, "/.libs", file) ||
			     try_directory(directory, self, "/../lib/measure", file)))
		return true;
	if (try_directory(directory, MEASURE_PKGLIBDIR, "", file))
		return true;
	measure_cli_say("%s/%s: not found: %s", directory, file, remedy);
	return false;
}

bool measure_libdir_locate(char *path, size_t size, const char *program)
{
	const char *told = getenv("MEASURE_LIBDIR");
	char self[PATH_MAX], directory[PATH_MAX];

	find_self(self);
	if (!(told && *told && try_directory(directory, told, "", program)) &&
		!(*self && (try_directory(directory, self, "", program) ||
				   try_directory(directory, self, "/../lib/measure", program))) &&
		!try_directory(directory, MEASURE_PKGLIBDIR, "", program))
		return false;
	return (size_t)snprintf(path, size, "%s/%s", directory, program) < size;
}
