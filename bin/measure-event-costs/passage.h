/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A function that says when it is inside, so that the cost of its Enter is told from that of its
 * Leave; and reference events. */
#ifndef MEASURE_EVENT_COSTS_PASSAGE_H
#define MEASURE_EVENT_COSTS_PASSAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Of the C library, or of the adapter. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

#define SITE __builtin_extract_return_addr(__builtin_return_address(0))

/* Ticks from the call of the function to its inside, and from there to its return. */
struct passage {
	uint64_t enter, leave;
};
struct passage measure_pass_recorded(void);
struct passage measure_pass_plain(void);

/* measure_reference_ticks() of what records; after the start. */
extern uint64_t (*measure_pass_reference)(void);

/* False: nobody records. */
bool measure_passages_start(void);

#endif
