/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bounds of memory: of the machine, of control groups, of this process. */
#include "config.h"

#include "memory_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/procfs.h"

static uint64_t physical_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
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
	return lesser(lesser(physical_memory(), measure_cgroup_memory("")), measure_address_space());
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

#define LEAST_BUFFER (UINT64_C(4) << 20)
#define MOST_BUFFER (UINT64_C(256) << 20)
#define BUFFER_SHARE 20 /* 5 % */

uint64_t measure_buffer_default(uint64_t local_size)
{
	const uint64_t memory = measure_memory_there_is() / BUFFER_SHARE / (local_size ? local_size : 1);

	if (memory < LEAST_BUFFER)
		return LEAST_BUFFER;
	return memory < MOST_BUFFER ? memory : MOST_BUFFER;
}
