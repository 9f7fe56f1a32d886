/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits of control groups; see cgroup.h. */
#include "config.h"

#include "cgroup.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/procfs.h"

#define MOST_TEXT (256 * 1024) /* of /proc/self/mountinfo */

/* Version 2 has one hierarchy, version 1 one for memory. */
struct version {
	const char *type; /* of file system */
	bool is_2;
	const char *files[2]; /* what is in them are limits */
};

static const struct version versions[] = {
	{"cgroup2", true, {"memory.max", "memory.high"}},
	{"cgroup", false, {"memory.limit_in_bytes", NULL}},
};

/* Is the word in a list with commas, of that length? */
static bool has_word(const char *list, size_t length, const char *word)
{
	const char *end = list + length;

	while (list < end) {
		size_t size = strcspn(list, ",: \n");
		if (size == strlen(word) && strncmp(list, word, size) == 0)
			return true;
		list += size + 1;
	}
	return false;
}

static uint64_t cgroup_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* "max" and a file that is not there bound nothing. */
static uint64_t read_limit(const char *directory, const char *file)
{
	char path[4 * PATH_MAX], text[64];

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	if (measure_text_read(path, text, sizeof(text)) < 0 || text[0] < '0' || text[0] > '9')
		return UINT64_MAX;
	return strtoull(text, NULL, 10);
}

/* Of the group in a directory and of those above it, up to the one that is mounted. */
static uint64_t limit_of(const struct version *version, char *directory, size_t mounted)
{
	uint64_t limit = UINT64_MAX;

	for (;;) {
		for (int i = 0; i < 2 && version->files[i]; i++)
			limit = cgroup_least(limit, read_limit(directory, version->files[i]));
		char *slash = strrchr(directory, '/');
		if (!slash || (size_t)(slash - directory) < mounted)
			return limit;
		*slash = '\0';
	}
}

/* What of a group's path lies below the directory of the hierarchy that is mounted. In a
 * container what is mounted may be the group itself, and its path that of outside. */
static const char *below(const char *group, const char *mounted)
{
	size_t length = strlen(mounted);

	if (strstr(group, "/..") || strcmp(group, "/") == 0)
		return "";
	if (strcmp(mounted, "/") == 0)
		return group;
	return strncmp(group, mounted, length) == 0 && group[length] == '/' ? group + length : "";
}

/* The group of this process, from lines "0::/group" or "4:memory,cpu:/group". */
static bool find_group(const struct version *version, const char *text, char group[PATH_MAX])
{
	const char *next;

	for (const char *line = text; line && *line; line = next ? next + 1 : NULL) {
		const char *list = strchr(line, ':');
		const char *path = list ? strchr(list + 1, ':') : NULL;

		if (!path)
			return false;
		next = strchr(line, '\n');
		bool is_it = version->is_2
				     ? path == list + 1
				     : has_word(list + 1, (size_t)(path - list - 1), "memory");
		if (!is_it)
			continue;
		snprintf(group, PATH_MAX, "%.*s", (int)strcspn(path + 1, "\n"), path + 1);
		return true;
	}
	return false;
}

/* A line "31 23 0:28 /mounted /where options ... - type source options" of the hierarchy. */
static bool is_mount(const struct version *version, const char *line, char mounted[PATH_MAX],
	char where[PATH_MAX])
{
	char type[32], options[1024] = "";
	const char *rest = strstr(line, " - ");
	size_t length = strcspn(line, "\n");

	if (!rest || rest > line + length ||
		sscanf(line, "%*s %*s %*s %4095s %4095s", mounted, where) != 2 ||
		sscanf(rest, " - %31s %*s %1023s", type, options) < 1)
		return false;
	return strcmp(type, version->type) == 0 &&
	       (version->is_2 || has_word(options, strlen(options), "memory"));
}

static uint64_t version_limit(
	const char *root, const struct version *version, const char *groups, const char *mounts)
{
	char group[PATH_MAX], mounted[PATH_MAX], where[PATH_MAX], directory[3 * PATH_MAX];
	uint64_t limit = UINT64_MAX;

	if (!find_group(version, groups, group))
		return limit;
	for (const char *line = mounts; *line; line += *line == '\n') {
		if (is_mount(version, line, mounted, where)) {
			int length = snprintf(directory, sizeof(directory), "%s%s", root, where);
			snprintf(directory + length, sizeof(directory) - (size_t)length, "%s",
				below(group, mounted));
			limit = cgroup_least(limit, limit_of(version, directory, (size_t)length));
		}
		line += strcspn(line, "\n");
	}
	return limit;
}

uint64_t measure_cgroup_memory(const char *root)
{
	char path[PATH_MAX], *groups = calloc(2, MOST_TEXT);
	char *mounts = groups ? groups + MOST_TEXT : NULL;
	uint64_t limit = UINT64_MAX;

	if (!groups)
		return limit;
	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	measure_text_read(path, groups, MOST_TEXT);
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", root);
	measure_text_read(path, mounts, MOST_TEXT);
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		limit = cgroup_least(limit, version_limit(root, &versions[i], groups, mounts));
	free(groups);
	return limit;
}
