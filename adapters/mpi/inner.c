/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells by the file of the calling function whether a call is the MPI library's own. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "inner.h"

/* The last site seen at each place: its address << 1 | whether it is a component's. */
#define NR_SITES 64u
static _Atomic uintptr_t sites[NR_SITES];

static bool is_in_component(const void *site)
{
	const char *name;
	Dl_info info;

	if (!dladdr((const char *)site - 1, &info) || !info.dli_fname)
		return false;
	name = strrchr(info.dli_fname, '/');
	return strncmp(name ? name + 1 : info.dli_fname, "mca_", 4) == 0;
}

bool measure_inner_calls(const void *site)
{
	const uintptr_t address = (uintptr_t)site;
	_Atomic uintptr_t *place = &sites[((address * 0x9e3779b97f4a7c15u) >> 32) % NR_SITES];
	const uintptr_t known = atomic_load_explicit(place, memory_order_relaxed);
	bool is_inner;

	if (known >> 1 == address)
		return known & 1;
	is_inner = is_in_component(site);
	atomic_store_explicit(place, address << 1 | is_inner, memory_order_relaxed);
	return is_inner;
}
