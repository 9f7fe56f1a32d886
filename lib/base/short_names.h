/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of C++ functions tell their parameters, which can be longer than a line. Where there is no
 * room for that, it is left out. */
#ifndef MEASURE_BASE_SHORT_NAMES_H
#define MEASURE_BASE_SHORT_NAMES_H

#include <stddef.h>

/* Makes a name, or a path of names with slashes between them, shorter than `size` bytes, if it can:
 * takes away lists of parameters, as in "X<int>::f(double) const", then those of templates. */
void measure_shorten_names(char *names, size_t size);

#endif
