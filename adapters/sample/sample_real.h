/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions behind those that this adapter interposes. */
#ifndef MEASURE_SAMPLE_REAL_H
#define MEASURE_SAMPLE_REAL_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

struct measure_sample_real {
#define CALL(type, name, parameters) type(*_Atomic name) parameters;
#include "sample_calls.def"
#undef CALL
};
extern struct measure_sample_real measure_sample_real;

/* Finds them all; again where a constructor of another library was earlier. */
void measure_sample_resolve(void);

#define REAL(name)                                                                                 \
	(*(atomic_load_explicit(&measure_sample_real.name, memory_order_relaxed)                   \
			? (void)0                                                                  \
			: measure_sample_resolve(),                                                \
		atomic_load_explicit(&measure_sample_real.name, memory_order_relaxed)))

#endif
