/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions that preprocessed C text declares: where, and what their parameters are called,
 * which the debug information of a declaration does not say. */
#ifndef MEASURE_WRAP_DECLARATIONS_H
#define MEASURE_WRAP_DECLARATIONS_H

#include "wrap_model.h"

struct wrap_declaration {
	char *name;
	const char *file;
	MEASURE_ARRAY(char *) parameters; /* NULL: without a name */
};
typedef MEASURE_ARRAY(struct wrap_declaration) wrap_declarations_t;

/* All that is declared and not defined there, each once; the last one that names its parameters says what they are
 * called.
 * Not a parser of C: of a declaration that it does not understand it finds no function. */
void wrap_declarations_read(const char *text, wrap_declarations_t *declarations);

#endif
