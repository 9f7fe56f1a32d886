/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory straight from the system, all zero. For what grows seldom inside a recorded process:
 * the program's malloc may be instrumented itself, and must not be called under a lock. */
#ifndef MEASURE_API_PAGES_H
#define MEASURE_API_PAGES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
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

/* Makes room for one more where there are `*room` items of `size` bytes, all in use: twice as many,
 * `first` at least. False: there is no memory, and nothing has changed. Keeps errno. */
static inline bool measure_pages_grow(void **items, uint32_t *room, uint32_t first, size_t size)
{
	const int saved_errno = errno;
	const uint32_t more = *room ? 2 * *room : first;
	void *grown = measure_pages_get(more * size);

	if (grown && *room)
		memcpy(grown, *items, *room * size);
	if (grown) {
		measure_pages_return(*items, *room * size);
		*items = grown;
		*room = more;
	}
	errno = saved_errno;
	return grown != NULL;
}

#endif
