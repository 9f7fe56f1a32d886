/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Region ids: one number space for regions defined by name and by code address. */
#ifndef MEASURE_DEFS_REGION_H
#define MEASURE_DEFS_REGION_H

#include <stdint.h>

/* Under the definition lock. */
uint32_t measure_region_next_id(void);

#endif
