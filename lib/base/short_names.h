/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of C++ functions tell their parameters, which can be longer than a line, those of Python
 * modules, classes and functions around them. Where there is no room for that, it is left out. */
#ifndef MEASURE_BASE_SHORT_NAMES_H
#define MEASURE_BASE_SHORT_NAMES_H

#include <stddef.h>

/* Makes a name, or a path of names with slashes between them, shorter than `size` bytes, if it can:
 * takes away lists of parameters, as in "X<int>::f(double) const", then those of templates, and of
 * names of Python "<locals>". */
void measure_shorten_names(char *names, size_t size);

/* The end of a name of Python, "package.module.Class.function", that begins with a whole word and
 * has at most `size` bytes; if even the function's own name has more, that name. NULL: it is none.
 */
const char *measure_name_of_python_end(const char *name, size_t size);

#endif
