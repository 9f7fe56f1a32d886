/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libmeasure-libgomp.so: a library with the soname of GCC's OpenMP library and all of its symbol
 * versions, and nothing in it. Preloaded, it is what the loader takes for libgomp.so.1, whatever
 * paths the program has; the functions are those of LLVM's library, preloaded too. */
#include "config.h"

/* By it the adapter knows that this has happened. */
extern const char measure_openmp_stand_in[];
const char measure_openmp_stand_in[] = "libgomp.so.1";
