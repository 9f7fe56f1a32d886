/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds StarPU's own functions; see starpu_real.h. */
#include "config.h"

#include "starpu_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

struct measure_starpu_real measure_starpu_real;

#define SYMBOL(name, is_needed)   {#name, offsetof(struct measure_starpu_real, name), is_needed},
#define PUBLIC_INTERPOSED(name)   SYMBOL(name, false)
#define PUBLIC_CALLED(name)       SYMBOL(name, false)
#define INTERNAL_INTERPOSED(name) SYMBOL(name, true)
#define MPI_INTERPOSED(name)      SYMBOL(name, false)
static const struct starpu_symbol {
	const char *name;
	size_t offset; /* of its pointer in struct measure_starpu_real */
	bool is_internal;
} symbols[] = {
#include "starpu_calls.def"
};
#define NR_SYMBOLS (sizeof(symbols) / sizeof(symbols[0]))

static void *symbol_place(const struct starpu_symbol *symbol)
{
	return (char *)&measure_starpu_real + symbol->offset;
}

/* By memcpy: ISO C has no cast from object to function pointer. Each thread stores the same. */
void measure_starpu_resolve(void)
{
	const int saved_errno = errno;

	for (size_t i = 0; i < NR_SYMBOLS; i++) {
		void *address = dlsym(RTLD_NEXT, symbols[i].name);

		memcpy(symbol_place(&symbols[i]), &address, sizeof(address));
	}
	errno = saved_errno;
}

bool measure_starpu_has_internals(const char **why)
{
	int major = 0, minor = 0, release = 0;

	REAL(starpu_get_version)(&major, &minor, &release);
	*why = "of another release of StarPU than 1.3.7 to 1.3.11";
	if (major != 1 || minor != 3 || release < MEASURE_STARPU_FIRST_RELEASE ||
		release > MEASURE_STARPU_LAST_RELEASE)
		return false;
	*why = "StarPU's internal functions are hidden";
	for (size_t i = 0; i < NR_SYMBOLS; i++) {
		void *address;

		memcpy(&address, symbol_place(&symbols[i]), sizeof(address));
		if (symbols[i].is_internal && !address)
			return false;
	}
	return true;
}
