/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The default bound of event memory; see default_buffer.h. */
#include "config.h"

#include "default_buffer.h"

#include "cli/memory_limits.h"

#define LEAST (UINT64_C(4) << 20)
#define MOST  (UINT64_C(256) << 20)
#define SHARE 20 /* 5 % */

uint64_t measure_buffer_default(uint64_t local_size)
{
	const uint64_t memory = measure_memory_there_is() / SHARE / (local_size ? local_size : 1);

	if (memory < LEAST)
		return LEAST;
	return memory < MOST ? memory : MOST;
}
