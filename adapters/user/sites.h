/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a site of measure.h stands for here: its definition, made on first use. */
#ifndef MEASURE_USER_SITES_H
#define MEASURE_USER_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"
#include "user_start.h"

/* The site's id + 1; 0: nothing is recorded. `define` makes it, and sees no id yet; two threads may
 * come at once: the first one's is everybody's. Acquire pairs with the release in the slow half. */
typedef uint32_t (*measure_site_define_fn)(struct measure_site *site);

uint32_t measure_site_define_slow(struct measure_site *site, measure_site_define_fn define);

static inline uint32_t measure_site_id(struct measure_site *site, measure_site_define_fn define)
{
	uint32_t id = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);

	return __builtin_expect(id != 0, 1) ? id : measure_site_define_slow(site, define);
}

/* A region; its number is MEASURE_UNDEFINED where nothing is recorded. */
measure_region_t measure_site_region(struct measure_site *site);

#endif
