/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells the callers by the file that their code is from. What was found out is kept by page of
 * code, in a table without locks: a call may come from anywhere, at any moment. */
#define _GNU_SOURCE
#include "config.h"

#include "callers.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define PAGE_BITS  12
#define CACHE_SIZE 4096

/* Page number << 2 | KNOWN | SILENT. Of a library that is unloaded, what is known stays; where
 * another one comes to lie there, it is taken for the former. */
enum { SILENT = 1, KNOWN = 2 };
static _Atomic uint64_t cache[CACHE_SIZE];

#ifdef HAVE__DL_FIND_OBJECT
/* Takes no lock of the loader, on which a thread in dlopen() might sit. */
static const char *file_of(const void *address)
{
	struct dl_find_object object;

	if (_dl_find_object((void *)address, &object) != 0)
		return "";
	return object.dlfo_link_map->l_name;
}
#else
static const char *file_of(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}
#endif

static bool is_silent(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;

	for (const char *const *beginning = measure_callers_silent; *beginning; beginning++)
		if (strncmp(name, *beginning, strlen(*beginning)) == 0)
			return true;
	return false;
}

static __attribute__((noinline)) bool find_out(const void *address, _Atomic uint64_t *place)
{
	int saved_errno = errno;
	bool silent = is_silent(file_of(address));
	uint64_t page = (uintptr_t)address >> PAGE_BITS;

	atomic_store_explicit(
		place, page << 2 | KNOWN | (silent ? SILENT : 0), memory_order_relaxed);
	errno = saved_errno;
	return silent;
}

bool measure_caller_is_silent(const void *address)
{
	uint64_t page = (uintptr_t)address >> PAGE_BITS;
	_Atomic uint64_t *place = &cache[page % CACHE_SIZE];
	uint64_t known = atomic_load_explicit(place, memory_order_relaxed);

	if ((known | SILENT) == (page << 2 | KNOWN | SILENT))
		return known & SILENT;
	return find_out(address, place);
}
