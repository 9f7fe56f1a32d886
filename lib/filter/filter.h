/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Filters: rules that say which regions and which of their calls are in a trace; measure-filter(5)
 * is their language. The same while recording and for archives that exist: `match` once for
 * a region, `decide` once for a call, and only where the outcome leaves something to decide.
 *
 * Allocates; knows nothing of tracing. A filter that nobody adds to may be used by several
 * threads. */
#ifndef MEASURE_FILTER_FILTER_H
#define MEASURE_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

struct measure_filter;

/* One line, "FILE:LINE:COLUMN: what is wrong, and what is allowed": of the last mistake. */
struct measure_filter_error {
	char text[512];
	unsigned int nr;		/* mistakes so far */
	void (*say)(const char *text);	/* each of them; NULL: nobody, the first one is the last */
};

/* NULL: no memory. All calls are recorded. */
struct measure_filter *measure_filter_new(void);
void measure_filter_free(struct measure_filter *filter);

/* Appends the rules of a file's text, in our language, in Score-P's, or in both by turns. `source` is
 * for errors. MEASURE_ERROR_FORMAT: *error says why; the filter is of no use any more. */
measure_status_t measure_filter_add(struct measure_filter *filter, const char *source,
	const char *text, struct measure_filter_error *error);

/* The same of what an option says: rules without their first word, with ; between them. */
measure_status_t measure_filter_add_option(struct measure_filter *filter, const char *source,
	bool is_include, const char *text, struct measure_filter_error *error);

/* Is there any rule? Does one ask for source files, for ranks? */
bool measure_filter_is_empty(const struct measure_filter *filter);
bool measure_filter_wants_files(const struct measure_filter *filter);
bool measure_filter_wants_ranks(const struct measure_filter *filter);

/* What is known of a region; texts may be NULL or "" where they are not. Numbers are OTF2's. */
struct measure_filter_region {
	const char *name;
	const char *mangled;
	const char *file;
	const char *module;
	uint8_t paradigm;
	uint8_t role;
};

/* A outcome. 0: all calls are recorded; MEASURE_FILTER_OFF: none is. Else the rules that depend
 * on the call (a bit each, the last rule is the highest), what holds if none of them does (the
 * bit OFF), and the conditions within= that the region makes true (bits from _OPENS on). */
typedef uint32_t measure_filter_outcome_t;
#define MEASURE_FILTER_OFF        (UINT32_C(1) << 31)
#define MEASURE_FILTER_CALL_RULES 16
#define MEASURE_FILTER_WITHINS    8
#define MEASURE_FILTER_OPENS      MEASURE_FILTER_CALL_RULES

static inline uint32_t measure_filter_opens(measure_filter_outcome_t outcome)
{
	return outcome >> MEASURE_FILTER_OPENS & ((1 << MEASURE_FILTER_WITHINS) - 1);
}

measure_filter_outcome_t measure_filter_match(const struct measure_filter *filter,
	const struct measure_filter_region *region, uint32_t rank);

/* Of a function that a compiler has instrumented; paradigm and role are set. */
measure_filter_outcome_t measure_filter_match_function(const struct measure_filter *filter,
	const struct measure_filter_region *function, uint32_t rank);

/* Which rules are left to decide is a matter of `outcome`; what they need to know. */
#define MEASURE_FILTER_NEEDS_TIME  1
#define MEASURE_FILTER_NEEDS_COUNT 2
uint32_t measure_filter_needs(
	const struct measure_filter *filter, measure_filter_outcome_t outcome);

/* What is kept of a region: both. */
struct measure_filter_outcome {
	measure_filter_outcome_t outcome;
	uint32_t needs;
};

struct measure_filter_call {
	uint64_t time;   /* nanoseconds since the program began */
	uint64_t number; /* of the region's call on this thread, from 0 */
	uint32_t thread;
	uint32_t depth;  /* of the call, from 1 */
	uint32_t within; /* conditions that are true, this region's own among them */
};

/* Is the call recorded? *shortest: only if it takes no less than so many nanoseconds. */
bool measure_filter_decide(const struct measure_filter *filter, measure_filter_outcome_t outcome,
	const struct measure_filter_call *call, uint64_t *shortest);

/* Tells which words and patterns fit none of these regions, by name or source file. Those of
 * regular expressions, libraries and kinds are not looked at. */
void measure_filter_visit_unmatched(const struct measure_filter *filter,
	const struct measure_filter_region *regions, size_t nr,
	void (*tell)(void *context, const char *pattern), void *context);

#endif
