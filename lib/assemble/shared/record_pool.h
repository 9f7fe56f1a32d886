/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of the journals of many parts, equal ones once: the processes of a job define much the
 * same regions, modules and communicators, and there may be a hundred thousand of them. For
 * threads. */
#ifndef MEASURE_ASSEMBLE_SHARED_RECORD_POOL_H
#define MEASURE_ASSEMBLE_SHARED_RECORD_POOL_H

#include <stddef.h>
#include <stdint.h>

struct measure_record_pool;

/* NULL: no memory. */
struct measure_record_pool *measure_record_pool_open(void);
void measure_record_pool_close(struct measure_record_pool *pool);

/* Equal bytes, which stay as long as the pool, aligned for any type; NULL: no memory. */
const uint8_t *measure_record_pool_keep(
	struct measure_record_pool *pool, const uint8_t *bytes, size_t size);

#endif
