/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wrappers of the Fortran bindings in bindings.def, under all names that Open MPI gives them: those
 * of Fortran compilers and of its modules. All arguments are addresses, at most five, and none
 * is looked at: what a function does not take costs nothing to pass on. */
#define _GNU_SOURCE
#include "config.h"

#include <stdint.h>

#include "../calls/calls.h"
#include "next_function.h"

/* The bindings of other libraries call functions that are wrapped. */
#ifdef OPEN_MPI

typedef intptr_t measure_binding_fn(void *a, void *b, void *c, void *d, void *e);
typedef double measure_time_fn(void);

static void *binding_find(_Atomic(void *) *real, const char *name)
{
	if (!*real)
		*real = measure_next_function(name);
	return *real;
}

#define BINDING(call, symbol)                                                                      \
	measure_binding_fn symbol __attribute__((visibility("default")));                          \
	intptr_t symbol(void *a, void *b, void *c, void *d, void *e)                               \
	{                                                                                          \
		static _Atomic(void *) real;                                                       \
		measure_binding_fn *binding = binding_find(&real, #symbol);                        \
		measure_region_t region;                                                           \
		intptr_t result;                                                                   \
                                                                                                   \
		if (!measure_call_is_on(call))                                                     \
			return binding(a, b, c, d, e);                                             \
		region = measure_plain_before(call);                                               \
		result = binding(a, b, c, d, e);                                                   \
		measure_plain_after(region);                                                       \
		return result;                                                                     \
	}
#define BINDING_TIME(call, symbol)                                                                 \
	measure_time_fn symbol __attribute__((visibility("default")));                             \
	double symbol(void)                                                                        \
	{                                                                                          \
		static _Atomic(void *) real;                                                       \
		measure_time_fn *binding = binding_find(&real, #symbol);                           \
		measure_region_t region;                                                           \
		double result;                                                                     \
                                                                                                   \
		if (!measure_call_is_on(call))                                                     \
			return binding();                                                          \
		region = measure_plain_before(call);                                               \
		result = binding();                                                                \
		measure_plain_after(region);                                                       \
		return result;                                                                     \
	}
#define ALL_NAMES(binding, call, Name, name, NAME)                                                 \
	binding(call, mpi_##name) binding(call, mpi_##name##_) binding(call, mpi_##name##__)       \
		binding(call, MPI_##NAME) binding(call, MPI_##Name##_f)                            \
			binding(call, MPI_##Name##_f08) binding(call, mpi_##name##_f08_)

#define FORTRAN(Name, name, NAME)      ALL_NAMES(BINDING, CALL_##Name, Name, name, NAME)
#define FORTRAN_TIME(Name, name, NAME) ALL_NAMES(BINDING_TIME, CALL_##Name, Name, name, NAME)

#include "bindings.def"
#endif
