/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The OpenMP run-time library that calls this adapter: where its code is, and whose calls it
 * answers. */
#ifndef MEASURE_OMPT_LIBRARY_H
#define MEASURE_OMPT_LIBRARY_H

#include <omp-tools.h>
#include <stdbool.h>

/* Notes where its code is, by one of its functions. */
void measure_ompt_library_note(ompt_set_callback_t function);

/* Defines the properties that tell its file, and whether GCC's library is loaded, too. `address` is
 * in it. */
void measure_ompt_library_describe(const void *address);

/* Looks whose functions the program will call in place of libgomp's. */
void measure_ompt_library_is_linked(void);

/* The library answers the calls of GCC's. */
bool measure_ompt_is_for_gcc(void);

/* True for an address inside of its code. */
bool measure_ompt_is_runtime(const void *address);

#endif
