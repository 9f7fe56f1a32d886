/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions by names that the program or a library makes up: codelets, kernels. Each adapter is built
 * with a copy of its own. */
#ifndef MEASURE_NAMED_REGIONS_H
#define MEASURE_NAMED_REGIONS_H

#include "adapter.h"

/* The region of a name and role: the same for equal ones. A first call takes a lock.
 * MEASURE_UNDEFINED: there are too many. */
measure_region_t measure_named_region(
	const char *name, const char *canonical_name, uint8_t role, uint8_t paradigm);

#endif
