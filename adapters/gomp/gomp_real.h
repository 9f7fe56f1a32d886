/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libgomp's own functions, behind the ones that this adapter interposes. */
#ifndef MEASURE_GOMP_REAL_H
#define MEASURE_GOMP_REAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*measure_gomp_fn)(void *data);
typedef void (*measure_gomp_copy_fn)(void *to, void *from);

#define INTERPOSED(type, name, version, parameters) type(*name) parameters;
#define OLD(type, name, version, parameters)        type(*name##_old) parameters;
#define QUERY(type, name, version, parameters)      type(*name) parameters;
struct measure_gomp_real {
#include "gomp_calls.def"
};

extern struct measure_gomp_real measure_gomp_real;
extern atomic_bool measure_gomp_is_resolved;

/* Looks libgomp's functions up, where it is loaded by now. Thread-safe; keeps errno. */
void measure_gomp_resolve_slow(void);

/* Every wrapper calls this first: a library's constructor may run a parallel region before
 * ours has run, and libgomp may have come later, by dlopen. */
static inline void measure_gomp_resolve(void)
{
	/* pairs with the store in measure_gomp_resolve_slow() */
	if (!atomic_load_explicit(&measure_gomp_is_resolved, memory_order_acquire))
		measure_gomp_resolve_slow();
}

/* The functions of gomp_calls.def that are visible to the program in place of libgomp's. Each lies
 * in the file that owns its subject. */
#pragma GCC visibility push(default)
#define INTERPOSED(type, name, version, parameters) type name parameters;
#include "gomp_calls.def"
#pragma GCC visibility pop

#endif
