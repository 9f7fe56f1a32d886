/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory nodes; see homes.h. By system calls and not by libnuma, which programs may have in any
 * version. */
#include "config.h"

#include "memory/homes.h"

#include <linux/mempolicy.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/pages.h"
#include "base/procfs.h"

#define NODES_WITH_PROCESSORS "/sys/devices/system/node/has_cpu"

static uint8_t *_Atomic homes; /* by chunk; NULL: none are kept */
static uint32_t nr_homes;
static _Atomic bool is_looked_up;

/* Bits first to last, of which those that are too high are left out. */
static uint64_t range(unsigned long first, unsigned long last)
{
	uint64_t bits = 0;

	for (; first <= last && first < MEASURE_HOMES; first++)
		bits |= UINT64_C(1) << first;
	return bits;
}

uint64_t measure_homes_parse(const char *list)
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

void measure_homes_stop(void)
{
	uint8_t *table = atomic_exchange(&homes, NULL);

	atomic_store(&is_looked_up, false);
	if (table)
		measure_pages_return(table, nr_homes);
}

void measure_homes_keep(uint64_t nodes, uint32_t nr_chunks)
{
	if ((nodes & (nodes - 1)) == 0 || atomic_load(&homes))
		return;
	nr_homes = nr_chunks;
	atomic_store(&homes, measure_pages_get(nr_chunks));
}

/* What was inherited from who made the thread is MPOL_DEFAULT where nobody chose anything. */
static bool is_free_to_choose(void)
{
	int mode;

	return syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) == 0 && mode == MPOL_DEFAULT;
}

void measure_homes_start(uint32_t nr_chunks)
{
	char list[256];

	if (atomic_exchange(&is_looked_up, true))
		return;
	if (measure_text_read(NODES_WITH_PROCESSORS, list, sizeof(list)) > 0 && is_free_to_choose())
		measure_homes_keep(measure_homes_parse(list), nr_chunks);
}

uint32_t measure_homes_mine(void)
{
	unsigned cpu, node;

	if (!atomic_load_explicit(&homes, memory_order_relaxed) ||
		syscall(SYS_getcpu, &cpu, &node, NULL) != 0 || node >= MEASURE_HOMES)
		return MEASURE_HOME_UNKNOWN;
	return node + 1;
}

/* Relaxed: whoever is wrong about a home has a chunk that is farther away, no more. */
uint32_t measure_homes_get(uint32_t chunk)
{
	const uint8_t *table = atomic_load_explicit(&homes, memory_order_acquire);

	return table ? __atomic_load_n(&table[chunk], __ATOMIC_RELAXED) : MEASURE_HOME_UNKNOWN;
}

void measure_homes_set(uint32_t chunk, uint32_t home)
{
	uint8_t *table = atomic_load_explicit(&homes, memory_order_acquire);

	if (table)
		__atomic_store_n(&table[chunk], (uint8_t)home, __ATOMIC_RELAXED);
}

/* The thread's policy and not that of the memory: a range with a policy of its own would be a
 * mapping of its own in the program's process, and of these there may be only so many. */
bool measure_homes_prefer(uint32_t home)
{
	unsigned long node = 1UL << (home - 1);

	return syscall(SYS_set_mempolicy, MPOL_PREFERRED, &node, MEASURE_HOMES + 1) == 0;
}
