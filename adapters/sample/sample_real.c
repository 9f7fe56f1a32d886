/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the functions behind ours. */
#include "config.h"

#include "sample_real.h"

#include <errno.h>

#include "next_function.h"

struct measure_sample_real measure_sample_real;

void measure_sample_resolve(void)
{
	int saved = errno;

#define CALL(type, name, parameters)                                                               \
	atomic_store_explicit(&measure_sample_real.name,                                           \
		(type(*) parameters)measure_next_function(#name), memory_order_relaxed);
#include "sample_calls.def"
#undef CALL
	errno = saved;
}
