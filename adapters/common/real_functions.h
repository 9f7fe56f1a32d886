/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The C library's own functions, behind the ones that an adapter interposes. It has a struct with
 * one _Atomic pointer for each, by its name, and a function that fills all of it. */
#ifndef MEASURE_CALLS_REAL_H
#define MEASURE_CALLS_REAL_H

#include <stdatomic.h>

/* Functions that are another thing since some version of the C library. Without a version the
 * loader of glibc before 2.36 finds those from before it, where there are any. All other functions
 * are the same in every version that they have. */
struct measure_real_version {
	const char *beginning; /* of their names */
	const char *version;
	const char *newer; /* one that did not exist before; NULL: none */
};

/* What somebody else has put before the C library's (ThreadSanitizer) is found before it. NULL:
 * there is none. */
void *measure_real_find(const char *name, const struct measure_real_version *version);

/* Fills one place, by its type. Takes no lock and may be called inside itself: each is stored once
 * it is found, and always the same. */
#define MEASURE_REAL_FILL(place, type, parameters, found)                                          \
	atomic_store_explicit(&(place), (type(*) parameters)(found), memory_order_relaxed)

/* What is in a place. A constructor of another library may call us before ours has run. */
#define MEASURE_REAL(place, fill)                                                                  \
	(atomic_load_explicit(&(place), memory_order_relaxed) ? (void)0 : fill(),                  \
		atomic_load_explicit(&(place), memory_order_relaxed))

#endif
