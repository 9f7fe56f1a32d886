/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of options: one of a few words, a whole number, a moment of the trace. What is wrong with
 * one is said, in one line. */
#ifndef MEASURE_CLI_OPTION_VALUES_H
#define MEASURE_CLI_OPTION_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The index of the word, or -1. */
int measure_choose_word(const char *option, const char *value, const char *const *words, size_t nr);

/* -1, with *number set; or the exit status. */
int measure_take_number(const char *option, const char *value, long least, long most, long *number);

/* One end of a time window, --from or --until: seconds since the start of the trace, such as "1.5"
 * or "1.5s", or a share of its length, such as "25%". */
struct measure_time_bound {
	bool is_given, is_share;
	double value; /* seconds, or 0 to 100 */
};

/* -1, with *bound set; or the exit status. */
int measure_take_time_bound(
	const char *option, const char *value, struct measure_time_bound *bound);

/* -1; or the exit status, if it is plain before the trace is read that --until is first. */
int measure_check_time_bounds(
	const struct measure_time_bound *from, const struct measure_time_bound *until);

/* Ticks since the start of a trace of so many ticks, to the nearest one. UINT64_MAX: later than any
 * time can be. */
uint64_t measure_time_bound_ticks(
	const struct measure_time_bound *bound, uint64_t length, uint64_t ticks_per_second);

#endif
