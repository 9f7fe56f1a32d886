/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Definitions that places of the program stand for, each made on first use. Each adapter is built
 * with a copy of its own. */
#ifndef MEASURE_COMMON_SITE_IDS_H
#define MEASURE_COMMON_SITE_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"

/* A place is as programs have it. */
#define MEASURE_USER_CALLS_ONLY
#include "measure.h"

/* What the adapter has: whether this process records. */
bool measure_sites_are_on(void);

/* The site's id + 1; 0: nothing is recorded. `define` makes it, and sees no id yet; two threads may
 * come at once: the first one's is everybody's. Acquire pairs with the release in the slow half. */
typedef uint32_t (*measure_site_define_fn)(struct measure_site *site);

uint32_t measure_site_define_slow(struct measure_site *site, measure_site_define_fn define);

static inline uint32_t measure_site_id(struct measure_site *site, measure_site_define_fn define)
{
	uint32_t id = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);

	return __builtin_expect(id != 0, 1) ? id : measure_site_define_slow(site, define);
}

#endif
