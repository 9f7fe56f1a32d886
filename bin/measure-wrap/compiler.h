/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs the compiler. */
#ifndef MEASURE_WRAP_COMPILER_H
#define MEASURE_WRAP_COMPILER_H

#include "wrap_model.h"

/* A temporary file: headers and prototypes that the user has named. */
#define WRAP_PRELUDE "prelude.c"

/* Arguments behind those that all calls have, up to a NULL. False: it has failed, which is said
 * with its first error; `what` it was to do, `remedy`. */
bool wrap_compile(const struct wrap_module *module, const char *const *arguments, const char *what,
	const char *remedy);

/* Adds the flags of the first of these packages that pkg-config knows. */
void wrap_package_flags(struct wrap_module *module, const char *names);

/* The path of a library by the name that programs are linked with or load, NULL: it is not there.
 */
char *wrap_library_find(const struct wrap_module *module, const char *name);

/* Where <measure/wrap.h> is. */
const char *wrap_include_directory(void);

#endif
