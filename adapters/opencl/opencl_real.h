/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenCL's own functions, behind the ones that this adapter interposes: those of the ICD loader,
 * libOpenCL.so.1. */
#ifndef MEASURE_OPENCL_REAL_H
#define MEASURE_OPENCL_REAL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>

struct measure_opencl_real {
#define BY_HAND(type, name, role, parameters) type(*name) parameters;
#define CALLED(type, name, parameters)        type(*name) parameters;
#include "opencl_calls.def"
};

extern struct measure_opencl_real measure_opencl_real;
extern atomic_bool measure_opencl_is_resolved;

/* Looks the functions up. Thread-safe; keeps errno. */
void measure_opencl_resolve(void);

/* A loader that is older than the program's headers lacks some, which the program then cannot call:
 * NULL. A constructor may call OpenCL before ours has run. */
#define REAL(name)                                                                                 \
	/* pairs with the store in measure_opencl_resolve() */                                     \
	(*(atomic_load_explicit(&measure_opencl_is_resolved, memory_order_acquire)                 \
			? (void)0                                                                  \
			: measure_opencl_resolve(),                                                \
		measure_opencl_real.name))

#endif
