/* SPDX-License-Identifier: BSD-3-Clause
 *
 * C++ names as people write them. The run-time of C++ does it, where this machine has one;
 * nothing of ours links to it. */
#ifndef MEASURE_SYMBOLS_DEMANGLE_H
#define MEASURE_SYMBOLS_DEMANGLE_H

/* The readable name of a mangled one, or NULL where it is none or cannot be told; free() it. */
char *measure_demangle(const char *name);

#endif
