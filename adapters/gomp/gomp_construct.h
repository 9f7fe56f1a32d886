/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of constructs have in common: transactions around calls of libgomp. `address` is
 * where the call returns to; regions are MEASURE_UNDEFINED where nothing was recorded. */
#ifndef MEASURE_GOMP_CONSTRUCT_H
#define MEASURE_GOMP_CONSTRUCT_H

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "gomp_thread.h"

/* A call that waits for others. A barrier comes after the worksharing construct before it. */
measure_region_t measure_gomp_wait_begin(const void *address, const char *name, uint8_t role);
measure_region_t measure_gomp_barrier_begin(const void *address, const char *name, uint8_t role);
void measure_gomp_wait_end(measure_region_t region);
void measure_gomp_barrier_note(
	struct measure_location *location, const struct measure_gomp_level *level, bool is_last);

/* The interposed function of such a call; `begin` gives the region, by `address`. */
#define MEASURE_GOMP_WAITS(name, parameters, arguments, begin)                                     \
	void name parameters                                                                       \
	{                                                                                          \
		const void *address = __builtin_return_address(0);                                 \
		measure_region_t region;                                                           \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		region = begin;                                                                    \
		measure_gomp_real.name arguments;                                                  \
		measure_gomp_wait_end(region);                                                     \
	}

/* The same of one without parameters that says whether the construct is cancelled. */
#define MEASURE_GOMP_WAITS_CANCEL(name, begin)                                                     \
	bool name(void)                                                                            \
	{                                                                                          \
		const void *address = __builtin_return_address(0);                                 \
		measure_region_t region;                                                           \
		bool is_cancelled;                                                                 \
                                                                                                   \
		measure_gomp_resolve();                                                            \
		region = begin;                                                                    \
		is_cancelled = measure_gomp_real.name();                                           \
		measure_gomp_wait_end(region);                                                     \
		return is_cancelled;                                                               \
	}

/* A barrier that can be cancelled need not bring all threads together, so it must not say that
 * it does. */
uint8_t measure_gomp_role_of_cancellable(uint8_t role);

/* Something that takes no time. */
void measure_gomp_moment(const void *address, const char *name, uint8_t role);

/* Defines what gomp_mutex.c needs, once. */
void measure_gomp_mutex_start(void);

#endif
