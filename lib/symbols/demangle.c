/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C++ names; see demangle.h. */
#include "config.h"

#include "demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef char *(*demangle_fn)(const char *mangled, char *buffer, size_t *length, int *status);

/* The entry that the C++ ABI prescribes, from whichever run-time library is there. */
static demangle_fn demangle_find(void)
{
	static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
		void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
		demangle_fn demangle;

		if (!symbol)
			continue;
		memcpy(&demangle, &symbol, sizeof(demangle));
		return demangle;
	}
	return NULL;
}

char *measure_demangle(const char *name)
{
	static demangle_fn demangle;
	static bool has_looked;
	int status;

	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	if (!has_looked)
		demangle = demangle_find();
	has_looked = true;
	return demangle ? demangle(name, NULL, NULL, &status) : NULL;
}
