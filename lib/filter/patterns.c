/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets of patterns; see patterns.h. A filter may have thousands of words without a wildcard:
 * they are looked up in a sorted table. */
#include "config.h"

#include "filter/patterns.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST 2000 /* size of a regular expression with its repetitions written out */
#define DEEPEST 32   /* groups in groups */

/* ------------------------------------------------------------------------ globs --- */

/* Behind the bracket expression that begins at `glob`; NULL: it has no end. */
static const char *bracket_end(const char *glob)
{
	const char *c = glob + 1;

	c += *c == '!' || *c == '^';
	for (bool is_first = true; *c && (*c != ']' || is_first); c++, is_first = false)
		c += *c == '\\' && c[1];
	return *c ? c + 1 : NULL;
}

static unsigned char bracket_char(const char **place)
{
	const char *c = *place;

	c += *c == '\\' && c[1];
	*place = c + 1;
	return (unsigned char)*c;
}

static bool is_in_bracket(const char *glob, const char *end, unsigned char byte)
{
	const char *c = glob + 1;
	bool is_negated = *c == '!' || *c == '^', is_in = false;

	c += is_negated;
	while (c < end - 1) {
		unsigned char low = bracket_char(&c), high = low;
		if (*c == '-' && c + 1 < end - 1) {
			c++;
			high = bracket_char(&c);
		}
		is_in = is_in || (byte >= low && byte <= high);
	}
	return is_in != is_negated;
}

/* One character of the text against the pattern's next element, which is no star. *after: behind
 * that element. */
static bool matches_one(const char *glob, unsigned char byte, const char **after)
{
	const char *end = *glob == '[' ? bracket_end(glob) : NULL;

	if (end) {
		*after = end;
		return is_in_bracket(glob, end, byte);
	}
	if (*glob == '?') {
		*after = glob + 1;
		return true;
	}
	glob += *glob == '\\' && glob[1];
	*after = glob + 1;
	return (unsigned char)*glob == byte;
}

/* Where it fails, the last star takes one character more: earlier stars never need to. */
bool measure_glob_matches(const char *glob, const char *text)
{
	const char *star = NULL, *resume = NULL, *after;

	while (*text) {
		if (*glob == '*') {
			star = ++glob;
			resume = text;
		} else if (*glob && matches_one(glob, (unsigned char)*text, &after)) {
			glob = after;
			text++;
		} else if (star) {
			glob = star;
			text = ++resume;
		} else {
			return false;
		}
	}
	glob += strspn(glob, "*");
	return *glob == '\0';
}

/* Takes the backslashes out of a pattern without wildcards; false: it has some. */
static bool make_literal(char *glob)
{
	char *to = glob;

	for (const char *c = glob; *c; c++)
		if (*c == '\\' && c[1])
			c++;
		else if (*c == '*' || *c == '?' || (*c == '[' && bracket_end(c)))
			return false;
	for (const char *c = glob; *c; c++) {
		c += *c == '\\' && c[1];
		*to++ = *c;
	}
	*to = '\0';
	return true;
}

measure_status_t measure_patterns_add_glob(
	struct measure_patterns *patterns, const char *glob, const char **why)
{
	char *copy;
	measure_status_t status;

	*why = "is empty: expected a pattern";
	if (!*glob)
		return MEASURE_ERROR_FORMAT;
	copy = strdup(glob);
	if (!copy)
		return MEASURE_ERROR_MEMORY;
	status = make_literal(copy) ? measure_array_push(&patterns->literals, copy)
				    : measure_array_push(&patterns->globs, copy);
	if (status != MEASURE_OK)
		free(copy);
	return status;
}

/* ---------------------------------------------------------- regular expressions --- */

/* What is repeated, {100} or +, is written out by the C library, and what holds it again: the size
 * that comes of it, in characters, is added up group by group. */
struct patterns_group {
	unsigned long before; /* of what came before the last element */
	unsigned long last;   /* of the last element, which a repetition is for */
};

/* The larger number of "{3,5}"; *end: at the brace that closes it, or at the last character. */
static unsigned long repetitions(const char *brace, const char **end)
{
	const char *c = brace + 1;
	unsigned long number = 0, most = 1;

	for (; *c && *c != '}'; c++) {
		number = *c >= '0' && *c <= '9' && number < LARGEST
				 ? 10 * number + (unsigned long)(*c - '0')
				 : 0;
		most = number > most ? number : most;
	}
	*end = *c ? c : c - 1;
	return most;
}

static bool is_too_large(const char *regex)
{
	struct patterns_group groups[DEEPEST] = {{0, 0}}, *group = groups;

	for (const char *c = regex; *c; c++) {
		const char *end = *c == '[' ? bracket_end(c) : NULL;
		if (*c == '{') {
			group->last *= repetitions(c, &c);
		} else if (*c == '+') {
			group->last *= 2;
		} else if (*c == '(') {
			group->before += group->last;
			group->last = 0;
			if (++group == groups + DEEPEST)
				return true;
			*group = (struct patterns_group){0, 0};
		} else if (*c == ')' && group > groups) {
			group--;
			group->last = group[1].before + group[1].last + 1;
		} else if (*c != '*' && *c != '?') {
			group->before += group->last;
			group->last = 1;
			c = end ? end - 1 : c + (*c == '\\' && c[1]);
		}
		if (group->before + group->last > LARGEST)
			return true;
	}
	return false;
}

measure_status_t measure_patterns_add_regex(
	struct measure_patterns *patterns, const char *text, const char **why)
{
	struct measure_regex *regex;
	measure_status_t status;

	*why = "is too large when its repetitions are expanded";
	if (is_too_large(text))
		return MEASURE_ERROR_FORMAT;
	regex = malloc(sizeof(*regex));
	if (!regex)
		return MEASURE_ERROR_MEMORY;
	*why = "is not an extended regular expression";
	status = MEASURE_ERROR_FORMAT;
	if (!*text || regcomp(&regex->regex, text, REG_EXTENDED | REG_NOSUB) != 0)
		goto undo_regex;
	regex->has_parenthesis = strstr(text, "\\(") != NULL;
	status = measure_array_push(&patterns->regexes, regex);
	if (status == MEASURE_OK)
		return MEASURE_OK;
	regfree(&regex->regex);
undo_regex:
	free(regex);
	return status;
}

/* ------------------------------------------------------------------------- sets --- */

static int patterns_compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

void measure_patterns_seal(struct measure_patterns *patterns)
{
	measure_array_sort(&patterns->literals, patterns_compare);
}

static bool is_literal(const struct measure_patterns *patterns, const char *text)
{
	return patterns->literals.nr &&
	       bsearch(&text, patterns->literals.items, patterns->literals.nr, sizeof(char *),
		       patterns_compare);
}

static bool regex_matches(const struct measure_regex *regex, const char *text)
{
	return regexec(&regex->regex, text, 0, NULL, 0) == 0;
}

bool measure_patterns_match(const struct measure_patterns *patterns, const char *text)
{
	if (is_literal(patterns, text))
		return true;
	for (size_t i = 0; i < patterns->globs.nr; i++)
		if (measure_glob_matches(patterns->globs.items[i], text))
			return true;
	for (size_t i = 0; i < patterns->regexes.nr; i++)
		if (regex_matches(patterns->regexes.items[i], text))
			return true;
	return false;
}

/* How many characters of a text the pattern spells out, from its beginning. */
static size_t spelled_out(const char *glob)
{
	size_t nr = 0;

	for (; *glob && !strchr("*?[", *glob); glob++, nr++)
		glob += *glob == '\\' && glob[1];
	return nr;
}

static bool glob_matches_name(const char *glob, const struct measure_filter_name *name)
{
	bool has_parameters = strchr(glob, '(') || !name->has_parameters;

	if (measure_glob_matches(glob, name->bare) ||
		(has_parameters && measure_glob_matches(glob, name->signature)))
		return true;
	return (has_parameters || name->begin > 0) && spelled_out(glob) >= name->begin &&
	       measure_glob_matches(glob, name->whole);
}

bool measure_patterns_match_name(
	const struct measure_patterns *patterns, const struct measure_filter_name *name)
{
	if (is_literal(patterns, name->bare) || is_literal(patterns, name->signature) ||
		is_literal(patterns, name->whole))
		return true;
	for (size_t i = 0; i < patterns->globs.nr; i++)
		if (glob_matches_name(patterns->globs.items[i], name))
			return true;
	for (size_t i = 0; i < patterns->regexes.nr; i++) {
		const struct measure_regex *regex = patterns->regexes.items[i];
		if (regex_matches(regex, name->bare) ||
			((regex->has_parenthesis || !name->has_parameters) &&
				regex_matches(regex, name->signature)))
			return true;
	}
	return false;
}

void measure_patterns_free(struct measure_patterns *patterns)
{
	for (size_t i = 0; i < patterns->literals.nr; i++)
		free(patterns->literals.items[i]);
	for (size_t i = 0; i < patterns->globs.nr; i++)
		free(patterns->globs.items[i]);
	for (size_t i = 0; i < patterns->regexes.nr; i++) {
		regfree(&patterns->regexes.items[i]->regex);
		free(patterns->regexes.items[i]);
	}
	free(patterns->literals.items);
	free(patterns->globs.items);
	free(patterns->regexes.items);
}
