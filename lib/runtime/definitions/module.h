/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loaded objects of the process, as far as code regions lie in them. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_MODULE_H
#define MEASURE_RUNTIME_DEFINITIONS_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Id of the module that holds a code address, journaled on its first use; UINT32_MAX: none.
 * Under the definition lock. */
uint32_t measure_module_of(const void *address);

/* Its load bias: run-time address - ELF address. */
uintptr_t measure_module_bias(uint32_t id);

typedef void (*measure_module_fn)(uint32_t id);

/* What is loaded, as dl_iterate_phdr() tells, which takes the loader's lock: to be called without
 * the definition lock, as a thread that has the loader's may want that. False: no memory. */
struct measure_modules_present {
	struct measure_module_present *parts;
	uint32_t nr, max;
};
bool measure_modules_look(struct measure_modules_present *present);
void measure_modules_return(struct measure_modules_present *present);

/* Tells of each module that is not loaded any more, once. A module that comes back to the same
 * place has its id again. Under the definition lock. */
void measure_modules_unloaded(
	const struct measure_modules_present *present, measure_module_fn gone);

#endif
