/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets of patterns of texts: words as they are, words with * ? [a-z] [!a-z], in which \ takes
 * away the meaning of the character behind it, and extended regular expressions. lib/filter
 * only. */
#ifndef MEASURE_FILTER_PATTERNS_H
#define MEASURE_FILTER_PATTERNS_H

#include <regex.h>
#include <stdbool.h>

#include "base/array.h"
#include "status.h"

struct measure_patterns {
	MEASURE_ARRAY(char *) literals; /* in order once sealed */
	MEASURE_ARRAY(char *) globs;
	MEASURE_ARRAY(regex_t *) regexes;
};

/* MEASURE_ERROR_FORMAT: *why says what is wrong with it. */
measure_status_t measure_patterns_add_glob(
	struct measure_patterns *patterns, const char *glob, const char **why);
measure_status_t measure_patterns_add_regex(
	struct measure_patterns *patterns, const char *regex, const char **why);

/* To be called after the last one was added. */
void measure_patterns_seal(struct measure_patterns *patterns);

bool measure_patterns_match(const struct measure_patterns *patterns, const char *text);
void measure_patterns_free(struct measure_patterns *patterns);

bool measure_glob_matches(const char *glob, const char *text);

#endif
