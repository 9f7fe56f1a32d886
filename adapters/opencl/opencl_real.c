/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds OpenCL's own functions; see opencl_real.h. */
#define _GNU_SOURCE
#include "config.h"

#include "opencl_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

struct measure_opencl_real measure_opencl_real;
atomic_bool measure_opencl_is_resolved;

static const struct opencl_symbol {
	const char *name;
	size_t offset; /* of its pointer in struct measure_opencl_real */
} symbols[] = {
#define BY_HAND(type, name, role, parameters) {#name, offsetof(struct measure_opencl_real, name)},
#define CALLED(type, name, parameters)        {#name, offsetof(struct measure_opencl_real, name)},
#include "opencl_calls.def"
};

/* By memcpy: ISO C has no cast from object to function pointer. Each thread stores the same. */
void measure_opencl_resolve(void)
{
	const int saved_errno = errno;

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *address = dlsym(RTLD_NEXT, symbols[i].name);

		memcpy((char *)&measure_opencl_real + symbols[i].offset, &address, sizeof(address));
	}
	atomic_store_explicit(&measure_opencl_is_resolved, true, memory_order_release);
	errno = saved_errno;
}
