/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Region of a function by its address: a lock-free look-up in an open-addressing table that
 * is replaced as a whole when it grows. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_CODE_REGION_INLINE_H
#define MEASURE_RUNTIME_DEFINITIONS_CODE_REGION_INLINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/likely.h"

/* A slot's region and module are written before its key (release); whoever sees the key
 * (acquire) sees them. A function's key is its address; a construct's is a hash with the highest
 * bit set, which no address in a process has. 0: empty.
 *
 * Of a slot in use only two bits of the region are changed:
 *
 * MEASURE_CODE_GONE, as long as its module is not loaded: no thread can be in such code, so nobody
 * has to see it at once. Another module at the same address has slots of its own further on.
 *
 * MEASURE_CODE_OFF, as long as the function is not recorded. Its module may come and go. */
#define MEASURE_CODE_GONE (UINT32_C(1) << 31)
#define MEASURE_CODE_OFF  (UINT32_C(1) << 30)

/* Besides, MEASURE_CODE_ASK where the filter decides call by call: from the first call on, for
 * good. */
#define MEASURE_CODE_ASK   (UINT32_C(1) << 29)
#define MEASURE_CODE_MARKS (MEASURE_CODE_GONE | MEASURE_CODE_OFF | MEASURE_CODE_ASK)

struct measure_code_slot {
	_Atomic uint64_t key;
	_Atomic uint32_t region;
	uint32_t module;
};

struct measure_code_table {
	uint32_t mask;	/* slots - 1 */
	uint32_t used;	/* under the definition lock */
	struct measure_code_table *older; /* whose place it has taken */
	struct measure_code_slot slots[];
};

/* Pairs with the release store in code_region.c when a larger table takes over. Old tables stay. */
extern _Atomic(struct measure_code_table *) measure_codes;

/* A function has been switched off or on since the first call of it, so that there may be calls
 * that were not recorded inside of one that was. Set for good; before MEASURE_CODE_OFF is. */
extern _Atomic bool measure_code_is_switched;

/* First call for a function: defines the region. As measure_code_find() otherwise. */
uint32_t measure_code_define(const void *function);

/* Functions start on 16-byte boundaries more often than not. */
static inline uint32_t measure_code_hash(uint64_t key)
{
	return (uint32_t)((key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The region, with MEASURE_CODE_OFF where that is set. UINT32_MAX: not there yet. Acquire: whoever
 * sees a function off sees measure_code_is_switched, too. */
static inline uint32_t measure_code_find(uint64_t key)
{
	struct measure_code_table *table =
		atomic_load_explicit(&measure_codes, memory_order_acquire);
	uint32_t place = measure_code_hash(key);

	for (;; place++) {
		struct measure_code_slot *slot = &table->slots[place & table->mask];
		uint64_t found = atomic_load_explicit(&slot->key, memory_order_acquire);
		if (likely(found == key)) {
			uint32_t region =
				atomic_load_explicit(&slot->region, memory_order_acquire);
			if (likely(region < MEASURE_CODE_GONE))
				return region;
		}
		if (found == 0)
			return UINT32_MAX;
	}
}

static inline bool measure_code_is_off(uint32_t region)
{
	return (region & (MEASURE_CODE_GONE | MEASURE_CODE_OFF)) == MEASURE_CODE_OFF;
}

/* Whether it is switched off meanwhile, or not. */
static inline bool measure_code_is_asked(uint32_t region)
{
	return (region & (MEASURE_CODE_GONE | MEASURE_CODE_ASK)) == MEASURE_CODE_ASK;
}

static inline uint32_t measure_code_region(const void *function)
{
	uint32_t region = measure_code_find((uintptr_t)function);

	return likely(region != UINT32_MAX) ? region : measure_code_define(function);
}

#endif
