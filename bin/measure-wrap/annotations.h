/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of prototypes: C with annotations, such as
 *
 *	#include <zlib.h>
 *	@library(z)
 *	@functions(gz*) @group(file);
 *	int gzwrite(gzFile file, const void *buf, unsigned len) @args(len) @role(file_io);
 *
 * man measure-wrap lists the annotations. */
#ifndef MEASURE_WRAP_ANNOTATIONS_H
#define MEASURE_WRAP_ANNOTATIONS_H

#include "wrap_model.h"

/* Takes a file apart: its annotations go to module->statements, and what is left, which is C, is
 * appended to the prelude. `path` is for messages. False: a mistake, which is said. */
bool wrap_annotations_read(struct wrap_module *module, const char *path, const char *text);

/* The annotation of this name that counts for a function, the last one; NULL: none. */
const struct wrap_annotation *wrap_annotation_find(
	const struct wrap_function *function, const char *name);

/* Gives each function what the statements say of it. False: one names a function that there is not,
 * or has an annotation that is not known, which is said. */
bool wrap_annotations_apply(struct wrap_module *module);

/* The next of a list of words, with commas or blanks between them; NULL: there is none. */
char *wrap_word_next(const char **list);

#endif
