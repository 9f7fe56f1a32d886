/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions known by a code address: the part that is not on the event path. */
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

#endif
