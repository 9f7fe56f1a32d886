/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ROCTX: its functions stand before those of libroctx64, which are called as well. Where the
 * program has no such library, they are what it finds. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/ranges.h"
#include "../common/tool_variable.h"
#include "annotations.h"

#define EXPORTED __attribute__((visibility("default")))

typedef void (*roctx_function)(void);

/* The library's own one, or NULL. Looked for at the first call of each. */
static roctx_function roctx_next(const char *name, _Atomic(uintptr_t) *known)
{
	const uintptr_t none = 1;
	uintptr_t next = atomic_load_explicit(known, memory_order_relaxed);
	const int saved = errno;

	if (next == 0) {
		next = (uintptr_t)dlsym(RTLD_NEXT, name);
		next = next ? next : none;
		atomic_store_explicit(known, next, memory_order_relaxed);
	}
	errno = saved;
	return next == none ? NULL : (roctx_function)next;
}

#define ROCTX_NEXT(result, name, parameters)                                                       \
	static _Atomic(uintptr_t) known;                                                           \
	result(*next) parameters = (result(*) parameters)roctx_next(#name, &known)

/* False: nothing is recorded. */
static bool roctx_describe(const char *name, struct annotation *annotation)
{
	if (!measure_tool_is_on())
		return false;
	*annotation = (struct annotation){.text = annotation_text(name, 0)};
	return true;
}

EXPORTED void roctxMarkA(const char *name);
void roctxMarkA(const char *name)
{
	ROCTX_NEXT(void, roctxMarkA, (const char *));
	struct annotation annotation;

	if (roctx_describe(name, &annotation))
		annotation_mark(&annotation, "ROCTX");
	if (next)
		next(name);
}

EXPORTED int roctxRangePushA(const char *name);
int roctxRangePushA(const char *name)
{
	ROCTX_NEXT(int, roctxRangePushA, (const char *));
	struct annotation annotation;
	const int level = roctx_describe(name, &annotation) ? annotation_push(&annotation) : -1;

	return next ? next(name) : level;
}

EXPORTED int roctxRangePop(void);
int roctxRangePop(void)
{
	ROCTX_NEXT(int, roctxRangePop, (void));
	const int level = measure_tool_is_on() ? annotation_pop(0) : -1;

	return next ? next() : level;
}

/* A range has the library's number for the program, and one that no other range has in records. */
#define OF_LIBRARY (UINT64_C(1) << 62)

EXPORTED uint64_t roctxRangeStartA(const char *name);
uint64_t roctxRangeStartA(const char *name)
{
	ROCTX_NEXT(uint64_t, roctxRangeStartA, (const char *));
	const uint64_t number = next ? next(name) : 0;
	struct annotation annotation;
	uint64_t ours = 0;

	if (roctx_describe(name, &annotation))
		ours = annotation_start(&annotation, next ? OF_LIBRARY | number : 0);
	return next ? number : ours;
}

EXPORTED void roctxRangeStop(uint64_t number);
void roctxRangeStop(uint64_t number)
{
	ROCTX_NEXT(void, roctxRangeStop, (uint64_t));

	measure_range_stop(next ? OF_LIBRARY | number : number);
	if (next)
		next(number);
}
