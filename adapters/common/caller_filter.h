/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose call is it? For adapters of calls that libraries make for themselves as well; each is built
 * with a copy of its own. */
#ifndef MEASURE_CALLERS_H
#define MEASURE_CALLERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Beginnings of the names of files whose calls are not the program's, up to a NULL: the adapter
 * has them. */
extern const char *const measure_callers_silent[];

/* What is known, by page of code: its number << 2 | KNOWN | SILENT. */
#define MEASURE_CALLERS_PAGE_BITS 12
#define MEASURE_CALLERS_PAGES     4096
enum { MEASURE_CALLER_SILENT = 1, MEASURE_CALLER_KNOWN = 2 };
extern _Atomic uint64_t measure_callers_known[MEASURE_CALLERS_PAGES];

/* Keeps errno. */
bool measure_caller_find_out(const void *address);

/* True where the code at the address belongs to one of these. A few nanoseconds; keeps errno. */
static inline bool measure_caller_is_silent(const void *address)
{
	const uint64_t page = (uintptr_t)address >> MEASURE_CALLERS_PAGE_BITS;
	const uint64_t known = atomic_load_explicit(
		&measure_callers_known[page % MEASURE_CALLERS_PAGES], memory_order_relaxed);

	if (__builtin_expect(known == (page << 2 | MEASURE_CALLER_KNOWN), 1))
		return false;
	return measure_caller_find_out(address);
}

#endif
