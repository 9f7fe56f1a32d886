/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the names most similar to a wrong one. */
#ifndef MEASURE_CLI_SUGGEST_H
#define MEASURE_CLI_SUGGEST_H

#include <stddef.h>

#define MEASURE_NEAREST 3

struct measure_suggest {
	const char *wrong;
	struct {
		const char *name; /* NULL: none */
		unsigned int distance;
	} best[MEASURE_NEAREST]; /* the nearest one first */
};

void measure_suggest_begin(struct measure_suggest *nearest, const char *wrong);

/* The name must live as long as `nearest`. */
void measure_suggest_offer(struct measure_suggest *nearest, const char *name);

/* The nearest one where it is near enough to be what was meant; else NULL. */
const char *measure_suggest_guess(const struct measure_suggest *nearest);

/* ": did you mean PREFIXname?", or "". */
void measure_suggest_ask(
	const struct measure_suggest *nearest, const char *prefix, char *text, size_t size);

/* The same, of words with separators between them. */
void measure_suggest_word(
	const char *words, const char *separators, const char *wrong, char *text, size_t size);

/* "; the nearest are a, b", or "" where none has been offered. */
void measure_suggest_print(const struct measure_suggest *nearest, char *text, size_t size);

#endif
