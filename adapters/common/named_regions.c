/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions by names; see named_regions.h. */
#include "config.h"

#include "named_regions.h"

#include <stdatomic.h>

#include "mutex.h"

/* By a hash of name and role, so that names are compared in a few nanoseconds, also those that the
 * program has made up for each task. */
#define NR_REGIONS 4096

static struct named_region {
	_Atomic uint64_t hash; /* 0: free */
	measure_region_t region;
} regions[NR_REGIONS];
static struct measure_mutex region_mutex;

static uint64_t region_hash(const char *name, uint8_t role)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ role;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
	return hash | 1;
}

/* The place of the hash, or a free one; NULL: neither. */
static struct named_region *region_place(uint64_t hash)
{
	for (uint32_t i = 0; i < NR_REGIONS; i++) {
		struct named_region *place = &regions[(hash + i) % NR_REGIONS];
		/* pairs with the store in region_make() */
		const uint64_t found = atomic_load_explicit(&place->hash, memory_order_acquire);

		if (found == hash || found == 0)
			return place;
	}
	return NULL;
}

static measure_region_t region_make(uint64_t hash, const struct measure_region_info *info)
{
	measure_region_t region = MEASURE_UNDEFINED;
	struct named_region *place;

	measure_mutex_lock(&region_mutex);
	place = region_place(hash);
	if (place && atomic_load_explicit(&place->hash, memory_order_relaxed) == 0) {
		place->region = measure_region_define(info);
		if (place->region != MEASURE_UNDEFINED)
			atomic_store_explicit(&place->hash, hash, memory_order_release);
	}
	if (place)
		region = place->region;
	measure_mutex_unlock(&region_mutex);
	return region;
}

measure_region_t measure_named_region(
	const char *name, const char *canonical_name, uint8_t role, uint8_t paradigm)
{
	const uint64_t hash = region_hash(name, role);
	const struct named_region *place = region_place(hash);
	const struct measure_region_info info = {.name = name,
		.canonical_name = canonical_name,
		.role = role,
		.paradigm = paradigm};

	if (place && atomic_load_explicit(&place->hash, memory_order_acquire) == hash)
		return place->region;
	return region_make(hash, &info);
}
