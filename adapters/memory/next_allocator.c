/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the next functions. Each place holds a function that looks the real one up, until that is
 * known. The loader may allocate memory meanwhile: that comes here again, on the same thread, and
 * is answered from the early memory.
 *
 * dlsym() and dlerror() free what they keep of an earlier error while they still work on it; a
 * dlsym() in the middle of that frees it again. So the functions that they call themselves are all
 * looked up at the first call of any function, which is never one of these. */
#define _GNU_SOURCE
#include "config.h"

#include "next_allocator.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "early_allocations.h"
#include "memory_thread.h"

/* Libraries that may have the operators of C++ where we do not see them: opened by a program, for
 * those who need them only. */
static const char *const libraries[] = {"libstdc++.so.6", "libc++.so.1", "libc++abi.so.1"};

static void *find_opened(const char *symbol)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		void *found = library ? dlsym(library, symbol) : NULL;

		if (library)
			dlclose(library);
		if (found)
			return found;
	}
	return NULL;
}

static void resolve_for_loader(void);

/* False: not now, as this thread is in here already; or there is none. */
static bool next_find(const char *symbol, void **found)
{
	static atomic_flag has_begun = ATOMIC_FLAG_INIT;
	struct measure_memory_thread *self = measure_memory_self;
	int saved_errno = errno;

	if (self == &measure_memory_busy)
		return false;
	if (!atomic_flag_test_and_set(&has_begun))
		resolve_for_loader();
	measure_memory_self = &measure_memory_busy;
	*found = dlsym(RTLD_NEXT, symbol);
	if (!*found && symbol[0] == '_')
		*found = find_opened(symbol);
	measure_memory_self = self;
	errno = saved_errno;
	return *found != NULL;
}

static void *measure_system_map(
	void *address, size_t size, int protection, int flags, int file, off_t offset)
{
	return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

/* What stands in each place at first. */
#define KNOWN(symbol)                                                                              \
	(next_find(#symbol, &found) &&                                                             \
		(atomic_store_explicit(&measure_memory_next.symbol,                                \
			 (__typeof__(first_##symbol) *)found, memory_order_relaxed),               \
			true))
#define ROW(type, symbol, name, role, otherwise, parameters, arguments)                            \
	static type first_##symbol parameters                                                      \
	{                                                                                          \
		void *found;                                                                       \
                                                                                                   \
		return KNOWN(symbol) ? NEXT(symbol) arguments : (otherwise);                       \
	}
#define FREE(symbol, name, address, otherwise, parameters, arguments)                              \
	static void first_##symbol parameters                                                      \
	{                                                                                          \
		void *found;                                                                       \
                                                                                                   \
		if (KNOWN(symbol))                                                                 \
			NEXT(symbol) arguments;                                                    \
		else                                                                               \
			otherwise;                                                                 \
	}
#include "memory_calls.def"

#define ROW(type, symbol, name, role, otherwise, parameters, arguments) .symbol = first_##symbol,
struct measure_memory_next measure_memory_next = {
#include "memory_calls.def"
};

static void resolve_for_loader(void)
{
	void *found;

	(void)KNOWN(malloc);
	(void)KNOWN(calloc);
	(void)KNOWN(free);
	(void)KNOWN(realloc);
}

#define ROW(type, symbol, name, role, otherwise, parameters, arguments) (void)KNOWN(symbol);
void measure_memory_resolve(void)
{
	void *found;

#include "memory_calls.def"
}
