/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions behind the ones that this adapter interposes: those of the C library, or of an
 * allocator that is linked or preloaded beside it. */
#ifndef MEASURE_MEMORY_NEXT_H
#define MEASURE_MEMORY_NEXT_H

#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

#define ROW(type, symbol, name, role, otherwise, parameters, arguments)                            \
	type(*_Atomic symbol) parameters;
struct measure_memory_next {
#include "memory_calls.def"
};

extern struct measure_memory_next measure_memory_next;

/* Looks all of them up; what is called before is looked up then. */
void measure_memory_resolve(void);

/* One of them; never NULL. */
#define NEXT(symbol) atomic_load_explicit(&measure_memory_next.symbol, memory_order_relaxed)

#endif
