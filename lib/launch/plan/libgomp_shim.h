/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a program built for GCC's libgomp on LLVM's libomp, which has the tools interface and serves
 * the calls of libgomp too. Preloads libomp and a shim that the loader takes for libgomp.so.1
 * (adapters/ompt/empty_libgomp.c); a library path would not suffice for a program with a run path. */
#ifndef MEASURE_LAUNCH_PLAN_LIBGOMP_SHIM_H
#define MEASURE_LAUNCH_PLAN_LIBGOMP_SHIM_H

#include "preload.h"

#define MEASURE_STAND_IN "libmeasure-libgomp.so"

/* Finds LLVM's library, into preload->openmp_library; that stays empty where the program uses
 * that library anyway. preload->directory is known. False: why it cannot be (at most size bytes).
 */
bool measure_libgomp_shim_find(struct measure_preload *preload, char *why, size_t size);

/* In this list of libraries, in the order of the loader's search, LLVM's stands before GCC's, whose
 * calls then find LLVM's functions. */
bool measure_libgomp_shim_is_linked(const char *needed);

#endif
