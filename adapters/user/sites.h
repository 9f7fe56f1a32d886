/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The regions that sites of measure.h stand for, and sites that are looked up by name. */
#ifndef MEASURE_USER_SITES_H
#define MEASURE_USER_SITES_H

#include "../common/site_ids.h"
#include "user_start.h"

/* A region; its number is MEASURE_UNDEFINED where nothing is recorded. */
measure_region_t measure_site_region(struct measure_site *site);

#endif
