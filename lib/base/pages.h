/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory straight from the system, all zero. For what grows seldom inside a recorded process:
 * the program's malloc may be instrumented itself, and must not be called under a lock. */
#ifndef MEASURE_BASE_PAGES_H
#define MEASURE_BASE_PAGES_H

#include <stddef.h>
#include <sys/mman.h>

/* NULL: there is none. */
static inline void *measure_pages_get(size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

static inline void measure_pages_return(void *pages, size_t size)
{
	if (pages)
		munmap(pages, size);
}

#endif
