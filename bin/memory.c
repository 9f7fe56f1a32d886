/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bounds of memory: of the machine, of control groups, of this process. */
#include "config.h"

#include "memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/procfs.h"

static uint64_t physical_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

/* "max" and a file that is not there bound nothing. */
static uint64_t read_limit(const char *root, const char *group, int length, const char *file)
{
	char path[4096], text[64];

	snprintf(path, sizeof(path), "%s%.*s/%s", root, length, group, file);
	if (measure_text_read(path, text, sizeof(text)) < 0 || text[0] < '0' || text[0] > '9')
		return UINT64_MAX;
	return strtoull(text, NULL, 10);
}

/* The least limit of a group and those above it, up to the root of what we can see. */
static uint64_t group_limit(const char *root, const char *group, const char *file)
{
	uint64_t least = UINT64_MAX;
	int length = (int)strlen(group);

	if (length == 1)
		length = 0;
	for (;;) {
		uint64_t limit = read_limit(root, group, length, file);
		if (limit < least)
			least = limit;
		if (length == 0)
			return least;
		while (length > 0 && group[--length] != '/')
			;
	}
}

/* Does the comma list of controllers between two colons name memory? */
static bool has_memory(const char *list, size_t length)
{
	const char *end = list + length;

	while (list < end) {
		size_t word = strcspn(list, ",:");
		if (word == 6 && strncmp(list, "memory", 6) == 0)
			return true;
		list += word + 1;
	}
	return false;
}

/* Lines of /proc/self/cgroup: "0::/group" (version 2) or "9:memory,cpu:/group" (version 1). */
static uint64_t cgroup_memory(void)
{
	char text[8192];
	char *rest;
	uint64_t least = UINT64_MAX, limit;

	if (measure_text_read("/proc/self/cgroup", text, sizeof(text)) < 0)
		return least;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *list = strchr(line, ':');
		char *group = list ? strchr(list + 1, ':') : NULL;
		if (!group)
			continue;
		list++;
		if (group == list)
			limit = group_limit("/sys/fs/cgroup", group + 1, "memory.max");
		else if (has_memory(list, (size_t)(group - list)))
			limit = group_limit(
				"/sys/fs/cgroup/memory", group + 1, "memory.limit_in_bytes");
		else
			continue;
		if (limit < least)
			least = limit;
	}
	return least;
}

uint64_t measure_address_space(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t measure_memory_there_is(void)
{
	return lesser(lesser(physical_memory(), cgroup_memory()), measure_address_space());
}

/* In KiB in /proc/meminfo. */
uint64_t measure_memory_available(void)
{
	static const char word[] = "MemAvailable:";
	const uint64_t memory = measure_memory_there_is();
	char text[4096];
	const char *line;

	if (measure_text_read("/proc/meminfo", text, sizeof(text)) < 0)
		return memory;
	line = strstr(text, word);
	if (!line)
		return memory;
	return lesser(strtoull(line + strlen(word), NULL, 10) << 10, memory);
}
