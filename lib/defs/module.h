/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loaded objects of the process, as far as code regions lie in them. */
#ifndef MEASURE_DEFS_MODULE_H
#define MEASURE_DEFS_MODULE_H

#include <stdint.h>

/* Id of the module that holds a code address, journaled on its first use; UINT32_MAX: none.
 * Under the definition lock. */
uint32_t measure_module_of(const void *address);

/* Its load bias: run-time address - ELF address. */
uintptr_t measure_module_bias(uint32_t id);

typedef void (*measure_module_fn)(uint32_t id);

/* Looks for modules that are not loaded any more, and tells each once. A module that comes back
 * to the same place has its id again. Under the definition lock. */
void measure_modules_unloaded(measure_module_fn gone);

#endif
