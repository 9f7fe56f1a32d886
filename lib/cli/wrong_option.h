/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Error messages for options that getopt_long() refuses, with a suggestion if one is similar. */
#ifndef MEASURE_CLI_WRONG_OPTION_H
#define MEASURE_CLI_WRONG_OPTION_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

/* "--bufer: unknown option: did you mean --buffer?", after getopt_long() has returned `error`, '?'
 * or
 * ':' (its letters begin with a colon, and opterr is 0). */
void measure_wrong_option(
	char *text, size_t size, int error, char **words, const struct option *options);

/* Is it a long option with one dash only (-output)? getopt_long() takes that for letters. */
bool measure_has_single_dash(const char *word, const struct option *options);

/* measure_wrong_option() on stderr; returns MEASURE_EXIT_CANNOT. */
int measure_refuse_option(int error, char **words, const struct option *options);

#endif
