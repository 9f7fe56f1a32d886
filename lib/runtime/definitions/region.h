/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Region ids: one number space for regions defined by name and by code address. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_REGION_H
#define MEASURE_RUNTIME_DEFINITIONS_REGION_H

#include <stdint.h>

#include "format/journal_records.h"

/* Under the definition lock. */
uint32_t measure_region_next_id(void);

/* An entry or exit of a region that was defined by name has been repaired: writes it down, once for
 * each region and way. May be called in a bracket. */
void measure_region_unbalanced(uint32_t region, enum measure_unbalanced how);

#endif
