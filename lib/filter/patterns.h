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
#include "filter/names.h"
#include "status.h"

struct measure_regex {
	regex_t regex;
	bool has_parenthesis; /* one to be matched, "\\(" */
};

struct measure_patterns {
	MEASURE_ARRAY(char *) literals; /* in order once sealed */
	MEASURE_ARRAY(char *) globs;
	MEASURE_ARRAY(struct measure_regex *) regexes;
};

/* MEASURE_ERROR_FORMAT: *why says what is wrong with it. */
measure_status_t measure_patterns_add_glob(
	struct measure_patterns *patterns, const char *glob, const char **why);
measure_status_t measure_patterns_add_regex(
	struct measure_patterns *patterns, const char *regex, const char **why);

/* To be called after the last one was added. */
void measure_patterns_seal(struct measure_patterns *patterns);

bool measure_patterns_match(const struct measure_patterns *patterns, const char *text);

/* Names of functions: a pattern is for the qualified name; one with a parenthesis in it, for the
 * name with its parameters, too. The return type is matched only where the pattern spells it
 * out, up to its first wildcard. */
bool measure_patterns_match_name(
	const struct measure_patterns *patterns, const struct measure_filter_name *name);
void measure_patterns_free(struct measure_patterns *patterns);

bool measure_glob_matches(const char *glob, const char *text);

#endif
