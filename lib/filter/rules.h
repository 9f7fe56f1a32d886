/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rules of a filter as the parsers make them. lib/filter only. */
#ifndef MEASURE_FILTER_RULES_H
#define MEASURE_FILTER_RULES_H

#include "filter/filter.h"
#include "filter/numbers.h"
#include "filter/patterns.h"

enum measure_filter_key {
#define KEY(ID, word, TYPE, allowed) MEASURE_KEY_##ID,
#include "filter/keys.def"
#undef KEY
	MEASURE_KEYS
};

enum measure_filter_key_type {
	MEASURE_KEY_TYPE_TEXT,
	MEASURE_KEY_TYPE_WORDS,
	MEASURE_KEY_TYPE_NUMBERS,
	MEASURE_KEY_TYPE_TIMES,
	MEASURE_KEY_TYPE_TIME,
	MEASURE_KEY_TYPE_COUNT
};

/* All conditions must hold; of one with several values, one of these. */
struct measure_filter_rule {
	bool is_include;
	bool is_exact; /* patterns are for whole names and paths: Score-P's */
	uint32_t keys; /* bits: conditions that it has */
	struct measure_patterns texts[MEASURE_KEYS]; /* of keys that are TEXT */
	struct measure_ranges ranges[MEASURE_KEYS];  /* of NUMBERS and TIMES */
	uint64_t words[MEASURE_KEYS];                /* of WORDS: bits by OTF2's numbers */
	uint64_t shorter;                            /* nanoseconds */
	uint64_t every;
	int call_rule; /* its bit among those that depend on the call; -1: it does not */
	int within;    /* the bit of its condition within= */
};

/* A list: the last rule that matches holds; where none does, all is recorded. Files that
 * Score-P's filters exclude are a list of their own: what that excludes stays out. */
struct measure_filter_list {
	MEASURE_ARRAY(struct measure_filter_rule) rules;
};

struct measure_filter {
	struct measure_filter_list files;
	struct measure_filter_list main;
	size_t call_rules[MEASURE_FILTER_CALL_RULES]; /* where in `main` they are, by their bits */
	int nr_call_rules;
	int nr_withins;
};

/* Makes room for a rule; NULL: no memory. */
struct measure_filter_rule *measure_filter_rule_new(
	struct measure_filter_list *list, bool is_include);

/* The rule is complete: counts it, sorts its words, or hands them to the one before where both
 * could be one. MEASURE_ERROR_FORMAT: *why. */
measure_status_t measure_filter_rule_end(
	struct measure_filter *filter, struct measure_filter_list *list, const char **why);

/* --------------------------------------------------------------------- reading --- */

/* A text that is read word by word. Words end at blanks, and before a comment. */
struct measure_filter_reader {
	struct measure_filter *filter;
	const char *source;
	const char *place; /* what comes next */
	unsigned int line;
	const char *line_begin;
	struct measure_filter_error *error;

	char *word; /* the last one; NULL: there was none */
	size_t room;
	unsigned int word_line;
	unsigned int word_column;
	bool is_quoted; /* some of it was */
};

/* Reads the next word, without the quotes but with its backslashes, on this line or, with
 * `over_lines`, wherever it is. MEASURE_ERROR_NOT_FOUND: there is none, on this line. */
measure_status_t measure_filter_next_word(struct measure_filter_reader *reader, bool over_lines);

/* Goes behind the end of the line; false: the text ends here. */
bool measure_filter_next_line(struct measure_filter_reader *reader);

/* Fills in the error, about the last word; returns MEASURE_ERROR_FORMAT. */
measure_status_t measure_filter_fail(struct measure_filter_reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A mistake that may be passed over, to look for others. */
bool measure_filter_goes_on(const struct measure_filter_reader *reader, measure_status_t status);

/* Does a block of Score-P's come next? */
bool measure_filter_is_block_next(const struct measure_filter_reader *reader);

/* Both end where the other language begins. */
measure_status_t measure_filter_parse_native(struct measure_filter_reader *reader);
measure_status_t measure_filter_parse_scorep(struct measure_filter_reader *reader);

#endif
