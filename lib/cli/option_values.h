/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of options: one of a few words, a whole number. What is wrong with one is said, in one
 * line. */
#ifndef MEASURE_CLI_OPTION_VALUES_H
#define MEASURE_CLI_OPTION_VALUES_H

#include <stddef.h>

/* The index of the word, or -1. */
int measure_choose_word(const char *option, const char *value, const char *const *words, size_t nr);

/* -1, with *number set; or the exit status. */
int measure_take_number(const char *option, const char *value, long least, long most, long *number);

#endif
