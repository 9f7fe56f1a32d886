/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions known by a code address, and their modules: the part that is not on the hot path. */
#ifndef MEASURE_RUNTIME_DEFINITIONS_CODE_REGION_H
#define MEASURE_RUNTIME_DEFINITIONS_CODE_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

/* Makes the table of functions; once per process, before the gate opens. */
measure_status_t measure_code_start(void);

/* Is a function to be recorded that is met for the first time? Under the definition lock; its
 * region is in the journal by then. NULL: all are. Set before the gate opens. */
typedef bool (*measure_code_verdict_fn)(uint32_t region, const void *function, uint32_t module);
extern measure_code_verdict_fn measure_code_verdict;

/* Told under the definition lock. */
struct measure_code_watcher {
	void (*is_on)(uint64_t function); /* again */
	void (*is_gone)(uint32_t module); /* its functions are not loaded any more */
};
extern const struct measure_code_watcher *measure_code_watch; /* NULL: nobody */

/* Records calls of a function from now on, or does so no more. Calls that are under way are
 * recorded to their end, or are not. Any thread, at any time; takes the definition lock. A region
 * that is not a function's is left as it is. */
void measure_code_switch(uint32_t region, bool is_recorded);

/* Is this the region of a function, and its calls are recorded? Under the definition lock. */
bool measure_code_is_recorded(uint32_t region);

/* Something may have been unloaded: its addresses mean nothing, until it comes back. */
void measure_code_unloaded(void);

/* The next recording of this process may have another filter: asks it of all functions that are
 * known, and forgets what else has switched them off. */
void measure_code_decide_again(void);

/* --- the loaded objects of the process, as far as code regions lie in them ---------------- */

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
