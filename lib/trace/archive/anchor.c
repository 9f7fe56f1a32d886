/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From what the user typed to the anchor file: the file itself, or the only .otf2 file in a
 * directory. */
#include "config.h"

#include "anchor.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "format/run_layout.h"
#include "trace/common/trace_error.h"
#include "trace/common/containers.h"

#define SUFFIX ".otf2"

/* Anchor file: record type, byte order ('#' is big endian), "OTF2", format, 38 bytes of numbers,
 * machine, creator, description, and from format 2 on the number of properties. */
#define ANCHOR_BYTE_ORDER 1
#define ANCHOR_FORMAT     7
#define ANCHOR_STRINGS    46
#define ANCHOR_READ_SIZE  65536

static bool has_suffix(const char *name)
{
	size_t length = strlen(name);

	return length > strlen(SUFFIX) && !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

static char *anchor_join(const char *directory, const char *name)
{
	char *path = measure_zeroed(strlen(directory) + strlen(name) + 2, 1);

	sprintf(path, "%s/%s", directory, name);
	return path;
}

static bool is_unfinished(const char *directory)
{
	char *parts = anchor_join(directory, MEASURE_PARTS_NAME);
	struct stat status;
	bool is_there = stat(parts, &status) == 0;

	measure_free(parts);
	return is_there;
}

/* traces.otf2 wins where there are several. */
static measure_status_t anchor_choose(const char *directory, DIR *listing, char **anchor)
{
	char *found = NULL;
	int nr_found = 0;

	for (struct dirent *entry; (entry = readdir(listing));) {
		if (!has_suffix(entry->d_name))
			continue;
		nr_found++;
		if (found && strcmp(entry->d_name, MEASURE_ANCHOR_NAME) != 0)
			continue;
		measure_free(found);
		found = anchor_join(directory, entry->d_name);
		if (!strcmp(entry->d_name, MEASURE_ANCHOR_NAME)) {
			nr_found = 1;
			break;
		}
	}
	if (nr_found == 1) {
		*anchor = found;
		return MEASURE_OK;
	}
	measure_free(found);
	if (nr_found > 1)
		measure_error_set("%s: has %d archives; name the .otf2 file", directory, nr_found);
	else if (is_unfinished(directory))
		measure_error_set("%s: not assembled yet; when the job is over, run "
				  "'measure-repair %s'",
			directory, directory);
	else
		measure_error_set("%s: no .otf2 file in this directory; name the directory of an "
				  "archive",
			directory);
	return MEASURE_ERROR_NOT_FOUND;
}

measure_status_t measure_anchor_find(const char *path, char **anchor)
{
	struct stat status;
	measure_status_t result;
	DIR *listing;

	if (stat(path, &status) != 0) {
		measure_error_set(
			"%s: %s; name a directory or an .otf2 file", path, strerror(errno));
		return MEASURE_ERROR_NOT_FOUND;
	}
	if (!S_ISDIR(status.st_mode)) {
		if (S_ISREG(status.st_mode) && has_suffix(path)) {
			*anchor = measure_copy_text(path);
			return MEASURE_OK;
		}
		measure_error_set("%s: not an .otf2 file; name the archive's directory or its "
				  ".otf2 file",
			path);
		return MEASURE_ERROR_USAGE;
	}
	listing = opendir(path);
	if (!listing) {
		measure_error_set("%s: %s; make it readable", path, strerror(errno));
		return MEASURE_ERROR_IO;
	}
	result = anchor_choose(path, listing, anchor);
	closedir(listing);
	return result;
}

static size_t skip_strings(const unsigned char *bytes, size_t size, int nr)
{
	size_t at = ANCHOR_STRINGS;

	for (; nr > 0 && at < size; at++)
		nr -= bytes[at] == '\0';
	return at;
}

static bool is_plausible(const unsigned char *bytes, size_t size)
{
	size_t at = skip_strings(bytes, size, 3);
	uint64_t nr_properties = 0;

	if (size < ANCHOR_STRINGS || bytes[ANCHOR_FORMAT] < 2 || at + 4 > size)
		return true;
	for (int i = 0; i < 4; i++)
		nr_properties |= (uint64_t)bytes[at + i]
				 << (bytes[ANCHOR_BYTE_ORDER] == '#' ? 24 - 8 * i : 8 * i);
	/* A property is two strings, each with a byte at its end. */
	return size == ANCHOR_READ_SIZE || 2 * nr_properties <= size - at;
}

bool measure_anchor_is_plausible(const char *anchor)
{
	FILE *file = fopen(anchor, "rbe");
	unsigned char *bytes;
	bool result;

	if (!file)
		return true;
	bytes = measure_zeroed(ANCHOR_READ_SIZE, 1);
	result = is_plausible(bytes, fread(bytes, 1, ANCHOR_READ_SIZE, file));
	measure_free(bytes);
	fclose(file);
	return result;
}
