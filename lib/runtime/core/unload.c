/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dlclose(): addresses of what it unloads must not keep the names they had, because another
 * library may be loaded in the same place. */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

#include "runtime/definitions/code_region.h"
#include "runtime/gate/gate.h"

typedef int (*dlclose_fn)(void *handle);

__attribute__((visibility("default"))) int dlclose(void *handle)
{
	static _Atomic dlclose_fn real;
	dlclose_fn call = atomic_load_explicit(&real, memory_order_relaxed);

	if (!call) {
		call = (dlclose_fn)dlsym(RTLD_NEXT, "dlclose");
		atomic_store_explicit(&real, call, memory_order_relaxed);
	}

	int result = call(handle);
	int saved = errno;
	if (measure_gate_is_open())
		measure_code_unloaded();
	errno = saved;
	return result;
}
