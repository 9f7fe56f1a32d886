/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells the callers by the file that their code is from. What was found out is kept by page of
 * code, in a table without locks: a call may come from anywhere, at any moment. */
#define _GNU_SOURCE
#include "config.h"

#include "caller_filter.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Of a library that is unloaded, what is known stays; where another one comes to lie there, it is
 * taken for the former. */
_Atomic uint64_t measure_callers_known[MEASURE_CALLERS_PAGES];

#ifdef HAVE__DL_FIND_OBJECT
/* Takes no lock of the loader, on which a thread in dlopen() might sit. */
static const char *caller_file(const void *address)
{
	struct dl_find_object object;

	if (_dl_find_object((void *)address, &object) != 0)
		return "";
	return object.dlfo_link_map->l_name;
}
#else
static const char *caller_file(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}
#endif

static bool caller_is_silent(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;

	for (const char *const *beginning = measure_callers_silent; *beginning; beginning++)
		if (strncmp(name, *beginning, strlen(*beginning)) == 0)
			return true;
	return false;
}

bool measure_caller_find_out(const void *address)
{
	const uint64_t page = (uintptr_t)address >> MEASURE_CALLERS_PAGE_BITS;
	const uint64_t known = page << 2 | MEASURE_CALLER_KNOWN;
	_Atomic uint64_t *place = &measure_callers_known[page % MEASURE_CALLERS_PAGES];
	int saved_errno = errno;
	bool silent;

	if (atomic_load_explicit(place, memory_order_relaxed) == (known | MEASURE_CALLER_SILENT))
		return true;
	silent = caller_is_silent(caller_file(address));
	atomic_store_explicit(
		place, known | (silent ? MEASURE_CALLER_SILENT : 0), memory_order_relaxed);
	errno = saved_errno;
	return silent;
}
