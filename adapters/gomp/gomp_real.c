/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds libgomp's own functions: each under its symbol version, behind ours in the search
 * order, or in a libgomp that was opened with RTLD_LOCAL (a Python module's, for example). */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "gomp_real.h"

struct measure_gomp_real measure_gomp_real;
atomic_bool measure_gomp_is_resolved;

struct gomp_symbol {
	const char *name;
	const char *version;
	size_t offset; /* of its pointer in struct measure_gomp_real */
};

#define SYMBOL(name, version, field)                {#name, version, offsetof(struct measure_gomp_real, field)},
#define INTERPOSED(type, name, version, parameters) SYMBOL(name, version, name)
#define OLD(type, name, version, parameters)        SYMBOL(name, version, name##_old)
#define QUERY(type, name, version, parameters)      SYMBOL(name, version, name)
static const struct gomp_symbol symbols[] = {
#include "gomp_calls.def"
};

static void *symbol_find(void *local, const struct gomp_symbol *symbol)
{
	void *address = dlvsym(RTLD_NEXT, symbol->name, symbol->version);

	if (!address && local)
		address = dlvsym(local, symbol->name, symbol->version);
	/* another library that stands in for libgomp may have the function without its version */
	return address ? address : dlsym(RTLD_NEXT, symbol->name);
}

/* An older libgomp lacks the newer functions: their pointers stay NULL, and no program that
 * runs with it calls them. */
static void symbols_find(void)
{
	void *local = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *address = symbol_find(local, &symbols[i]);

		/* by memcpy: ISO C has no cast from object to function pointer */
		memcpy((char *)&measure_gomp_real + symbols[i].offset, &address, sizeof(address));
	}
}

void measure_gomp_resolve_slow(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int saved_errno = errno;

	pthread_mutex_lock(&mutex);
	if (!atomic_load_explicit(&measure_gomp_is_resolved, memory_order_relaxed)) {
		symbols_find();
		/* pairs with the load in measure_gomp_resolve() */
		atomic_store_explicit(&measure_gomp_is_resolved,
			measure_gomp_real.omp_get_thread_num != NULL, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
	errno = saved_errno;
}
