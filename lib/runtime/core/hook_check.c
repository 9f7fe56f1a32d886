/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rule of all hooks, checked while tests run (configure --enable-hook-check; doc/TESTING.md):
 * in a transaction, or with the definition lock, nothing is called that may lock, allocate or make a
 * thread. Stands in for functions of the C library that do, and ends the process where one of them
 * is called from there. Not part of what is installed.
 *
 * A handler of the program's that has interrupted a transaction and calls one of these is taken for us:
 * such a program is in error by itself. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/definitions/define.h"
#include "runtime/event/location.h"

#define EXPORT __attribute__((visibility("default")))
#define DEEP   32

/* The functions behind these. Those that look them up call some of them. */
static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	int (*pthread_create)(
		pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*pthread_mutex_lock)(pthread_mutex_t *);
	int (*dl_iterate_phdr)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
	void *(*dlsym)(void *, const char *);
	void *(*dlopen)(const char *, int);
} next;

static _Atomic pid_t resolver; /* the thread that looks them up */
static _Atomic bool is_failing;

static char early[65536]; /* what is allocated while `next` is looked up; never returned */
static size_t early_used;

static void *early_get(size_t size)
{
	size_t place = early_used;

	early_used += (size + 15) & ~(size_t)15;
	return early_used <= sizeof(early) ? early + place : NULL;
}

static bool is_early(const void *address)
{
	return (const char *)address >= early && (const char *)address < early + sizeof(early);
}

/* dlsym() itself is asked for by version: of all processors' C libraries, one of these. */
static void find_dlsym(void)
{
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};

	for (size_t i = 0; !next.dlsym && i < sizeof(versions) / sizeof(*versions); i++) {
		void *found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
		memcpy(&next.dlsym, &found, sizeof(found));
	}
}

#define FIND(name)                                                                                 \
	do {                                                                                       \
		void *found = next.dlsym(RTLD_NEXT, #name);                                        \
		memcpy(&next.name, &found, sizeof(found));                                         \
	} while (0)

static void resolve(void)
{
	resolver = gettid();
	find_dlsym();
	FIND(malloc);
	FIND(calloc);
	FIND(realloc);
	FIND(free);
	FIND(aligned_alloc);
	FIND(memalign);
	FIND(posix_memalign);
	FIND(pthread_create);
	FIND(pthread_mutex_lock);
	FIND(dl_iterate_phdr);
	FIND(dlopen);
	resolver = 0;
}

static bool is_in_hook(void)
{
	const struct measure_location *location = measure_location_self;
	bool is_in_transaction = location && location->flags & MEASURE_LOCATION_BUSY;

	for (; location; location = location->next_nested)
		if (location->flags & MEASURE_LOCATION_BUSY && location->may_allocate)
			return false;
	return is_in_transaction || measure_define_is_locked_here();
}

static void fail(const char *name)
{
	static const char before[] = "measure: hook check: called in a hook: ";
	void *frames[DEEP];

	is_failing = true;
	if (write(STDERR_FILENO, before, sizeof(before) - 1) > 0 &&
		write(STDERR_FILENO, name, strlen(name)) > 0 && write(STDERR_FILENO, "\n", 1) > 0)
		backtrace_symbols_fd(frames, backtrace(frames, DEEP), STDERR_FILENO);
	abort();
}

static void check(const char *name)
{
	if (!next.malloc && resolver == 0)
		resolve();
	if (resolver != gettid() && !is_failing && is_in_hook())
		fail(name);
}

EXPORT void *malloc(size_t size)
{
	check("malloc");
	return next.malloc ? next.malloc(size) : early_get(size);
}

EXPORT void *calloc(size_t number, size_t size)
{
	check("calloc");
	return next.calloc ? next.calloc(number, size) : early_get(number * size);
}

EXPORT void *realloc(void *address, size_t size)
{
	size_t left = (size_t)(early + sizeof(early) - (char *)address);
	void *moved;

	check("realloc");
	if (next.realloc && !is_early(address))
		return next.realloc(address, size);
	moved = malloc(size);
	if (moved && address)
		memmove(moved, address, size < left ? size : left);
	return moved;
}

EXPORT void free(void *address)
{
	check("free");
	if (next.free && !is_early(address))
		next.free(address);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	check("aligned_alloc");
	return next.aligned_alloc(alignment, size);
}

EXPORT void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
	check("memalign");
	return next.memalign(alignment, size);
}

EXPORT int posix_memalign(void **address, size_t alignment, size_t size)
{
	check("posix_memalign");
	return next.posix_memalign(address, alignment, size);
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
	void *(*start)(void *), void *argument)
{
	check("pthread_create");
	return next.pthread_create(thread, attributes, start, argument);
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	check("pthread_mutex_lock");
	return next.pthread_mutex_lock(mutex);
}

EXPORT int dl_iterate_phdr(
	int (*callback)(struct dl_phdr_info *, size_t, void *), void *data)
{
	check("dl_iterate_phdr");
	return next.dl_iterate_phdr(callback, data);
}

/* Jumps, so that RTLD_NEXT means what comes after the caller. */
EXPORT __attribute__((optimize("O2"))) void *dlsym(void *handle, const char *name)
{
	check("dlsym");
	return next.dlsym(handle, name);
}

EXPORT __attribute__((optimize("O2"))) void *dlopen(const char *path, int mode)
{
	check("dlopen");
	return next.dlopen(path, mode);
}
