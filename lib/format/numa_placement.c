/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory nodes; see numa_placement.h. By system calls and not by libnuma, which programs may have
 * in any version. */
#include "config.h"

#include "numa_placement.h"

#include <linux/mempolicy.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/procfs.h"

#define NODES_WITH_PROCESSORS "/sys/devices/system/node/has_cpu"

/* Bits first to last, of which those that are too high are left out. */
static uint64_t range(unsigned long first, unsigned long last)
{
	uint64_t bits = 0;

	for (; first <= last && first < MEASURE_HOMES; first++)
		bits |= UINT64_C(1) << first;
	return bits;
}

uint64_t measure_numa_parse(const char *list)
{
	uint64_t nodes = 0;

	while (*list >= '0' && *list <= '9') {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		nodes |= range(first, last);
		list = *end == ',' ? end + 1 : end;
	}
	return *list == '\0' || *list == '\n' ? nodes : 0;
}

bool measure_numa_are_free(void)
{
	int mode;

	return syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) != 0 || mode == MPOL_DEFAULT;
}

bool measure_numa_are_several(void)
{
	char list[256];
	uint64_t nodes;

	if (measure_text_read(NODES_WITH_PROCESSORS, list, sizeof(list)) <= 0)
		return false;
	nodes = measure_numa_parse(list);
	return (nodes & (nodes - 1)) != 0 && measure_numa_are_free();
}

uint32_t measure_numa_mine(const struct measure_segment_header *header)
{
	unsigned cpu, node;

	if (!atomic_load_explicit(&header->has_homes, memory_order_relaxed) ||
		syscall(SYS_getcpu, &cpu, &node, NULL) != 0 || node >= MEASURE_HOMES)
		return MEASURE_HOME_UNKNOWN;
	return node + 1;
}

/* The thread's policy and not that of the memory, which would be the file's and hold for what the
 * process makes of it as well. */
bool measure_numa_prefer(uint32_t home)
{
	unsigned long node = 1UL << (home - 1);

	return syscall(SYS_set_mempolicy, MPOL_PREFERRED, &node, MEASURE_HOMES + 1) == 0;
}
