/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The interposed functions, expanded from memory_calls.def, and the adapter itself. */
#define _GNU_SOURCE
#include "config.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory_calls_inline.h"
#include "early_allocations.h"
#include "next_allocator.h"

#define EXPORT __attribute__((visibility("default")))
#define IS_CALL(open, symbol)                                                                      \
	measure_memory_is_call(                                                                    \
		open, CALL_##symbol, __builtin_return_address(0), __builtin_frame_address(0))

/* An exception goes through the call: it is over, and there is no memory. */
static void measure_memory_thrown(struct measure_memory_open *open)
{
	if (open->is_open)
		measure_memory_allocated(open, NULL, 0);
}

/* What runs that, where there are exceptions: in programs that have C++ in them, and so its
 * libraries. No other program needs these. */
__asm__(".weak __gcc_personality_v0\n.weak _Unwind_Resume");

#define ALLOCATE(symbol, name, size, otherwise, parameters, arguments)                             \
	EXPORT void *symbol parameters                                                             \
	{                                                                                          \
		struct measure_memory_open open;                                                   \
		const size_t bytes = (size);                                                       \
		void *result;                                                                      \
                                                                                                   \
		if (!IS_CALL(&open, symbol))                                                       \
			return NEXT(symbol) arguments;                                             \
		measure_memory_allocates(&open, bytes);                                            \
		result = NEXT(symbol) arguments;                                                   \
		measure_memory_allocated(&open, result, bytes);                                    \
		return result;                                                                     \
	}
#define NEW(symbol, name, size, otherwise, parameters, arguments)                                  \
	EXPORT void *symbol parameters;                                                            \
	void *symbol parameters                                                                    \
	{                                                                                          \
		struct measure_memory_open open                                                    \
			__attribute__((cleanup(measure_memory_thrown))) = {.is_open = false};      \
		void *result;                                                                      \
                                                                                                   \
		if (!IS_CALL(&open, symbol))                                                       \
			return NEXT(symbol) arguments;                                             \
		measure_memory_allocates(&open, size);                                             \
		result = NEXT(symbol) arguments;                                                   \
		measure_memory_allocated(&open, result, size);                                     \
		return result;                                                                     \
	}
#define FREE(symbol, name, address, otherwise, parameters, arguments)                              \
	EXPORT void symbol parameters;                                                             \
	void symbol parameters                                                                     \
	{                                                                                          \
		struct measure_memory_open open;                                                   \
                                                                                                   \
		if (measure_early_has(address))                                                    \
			return;                                                                    \
		if (!IS_CALL(&open, symbol)) {                                                     \
			NEXT(symbol) arguments;                                                    \
			return;                                                                    \
		}                                                                                  \
		measure_memory_frees(&open, address);                                              \
		NEXT(symbol) arguments;                                                            \
		measure_memory_freed(&open);                                                       \
	}
#define OTHER(type, symbol, role, otherwise, parameters, arguments)
#include "memory_calls.def"

/* The loader got it while we looked up the functions that have more. */
static void *change_early(void *address, size_t size)
{
	const size_t kept = measure_early_size(address);
	void *result = NEXT(malloc)(size);

	if (result)
		memcpy(result, address, kept < size ? kept : size);
	return result;
}

EXPORT void *realloc(void *address, size_t size)
{
	struct measure_memory_open open;
	void *result;

	if (measure_early_has(address))
		return change_early(address, size);
	if (!IS_CALL(&open, realloc))
		return NEXT(realloc)(address, size);
	measure_memory_changes(&open, address, size);
	result = NEXT(realloc)(address, size);
	measure_memory_changed(&open, address, result, size);
	return result;
}

EXPORT void *reallocarray(void *address, size_t number, size_t size)
{
	struct measure_memory_open open;
	const size_t bytes = measure_product(number, size);
	void *result;

	if (measure_early_has(address))
		return change_early(address, bytes);
	if (!IS_CALL(&open, reallocarray))
		return NEXT(reallocarray)(address, number, size);
	measure_memory_changes(&open, address, bytes);
	result = NEXT(reallocarray)(address, number, size);
	measure_memory_changed(&open, address, result, bytes);
	return result;
}

EXPORT int posix_memalign(void **result, size_t alignment, size_t size)
{
	struct measure_memory_open open;
	int status;

	if (!IS_CALL(&open, posix_memalign))
		return NEXT(posix_memalign)(result, alignment, size);
	measure_memory_allocates(&open, size);
	status = NEXT(posix_memalign)(result, alignment, size);
	measure_memory_allocated(&open, status == 0 ? *result : NULL, size);
	return status;
}

/* ----------------------------------------------------------------------- mappings --- */

#define MAP(symbol, offset_type)                                                                   \
	EXPORT void *symbol(void *address, size_t size, int protection, int flags, int file,       \
		offset_type offset)                                                                \
	{                                                                                          \
		struct measure_memory_open open;                                                   \
		void *result;                                                                      \
                                                                                                   \
		if (!IS_CALL(&open, symbol))                                                       \
			return NEXT(symbol)(address, size, protection, flags, file, offset);       \
		measure_memory_allocates(&open, size);                                             \
		result = NEXT(symbol)(address, size, protection, flags, file, offset);             \
		measure_memory_mapped(&open, result == MAP_FAILED ? NULL : result);                \
		return result;                                                                     \
	}
MAP(mmap, off_t)
MAP(mmap64, off64_t)

EXPORT int munmap(void *address, size_t size)
{
	struct measure_memory_open open;
	int result;

	if (!IS_CALL(&open, munmap))
		return NEXT(munmap)(address, size);
	measure_memory_unmaps(&open, address, size);
	result = NEXT(munmap)(address, size);
	measure_memory_freed(&open);
	return result;
}

/* The last argument need not be there; as in the C library, it is passed on all the same. */
EXPORT void *mremap(void *address, size_t old_size, size_t size, int flags, ...)
{
	struct measure_memory_open open;
	void *wanted = NULL, *result;
	va_list arguments;

	va_start(arguments, flags);
	if (flags & MREMAP_FIXED)
		wanted = va_arg(arguments, void *);
	va_end(arguments);
	if (!IS_CALL(&open, mremap))
		return NEXT(mremap)(address, old_size, size, flags, wanted);
	measure_memory_remaps(&open, address, old_size, size);
	result = NEXT(mremap)(address, old_size, size, flags, wanted);
	measure_memory_mapped(&open, result == MAP_FAILED ? NULL : result);
	return result;
}

/* ----------------------------------------------------------------- the adapter --- */

static const struct measure_adapter measure_memory_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "memory",
	.started = measure_memory_start,
	.thread_ends = measure_memory_thread_end,
};

__attribute__((constructor)) static void memory_init(void)
{
	measure_memory_resolve();
	measure_adapter_register(&measure_memory_adapter);
}
