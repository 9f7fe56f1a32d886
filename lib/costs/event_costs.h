/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one event costs, by its kind, by how often events happen, and by how much memory the program
 * uses between them: the table that `measure --calibrate-events` writes, each archive has as
 * properties, and compensation reads. Times are ns. */
#ifndef MEASURE_COSTS_EVENT_COSTS_H
#define MEASURE_COSTS_EVENT_COSTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

enum measure_event_cost_kind {
#define EVENT_COST(KIND, word, what) MEASURE_EVENT_COST_##KIND,
#include "event_costs.def"
	MEASURE_NR_EVENT_COSTS
};

enum measure_working_set {
#define WORKING_SET(NAME, word, what) MEASURE_WORKING_SET_##NAME,
#include "event_costs.def"
	MEASURE_NR_WORKING_SETS
};

/* Of a kind, in words. */
const char *measure_event_cost_word(enum measure_event_cost_kind kind);
const char *measure_working_set_word(enum measure_working_set set);

#define MEASURE_EVENT_COST_POINTS 16

/* `before` the timestamp of the event is taken and `after` that; the 99.7 % interval is that of
 * their sum. */
struct measure_event_cost {
	double before, after, low, high;
};

struct measure_event_cost_point {
	double rate; /* transactions per second */
	double before, after, low, high;
};

/* By rate, ascending. */
struct measure_event_cost_curve {
	struct measure_event_cost_point points[MEASURE_EVENT_COST_POINTS];
	unsigned nr;
};

struct measure_event_costs {
	char processor[256]; /* model */
	double reference; /* ns of a reference event, one that is the same everywhere; 0: unknown */
	struct measure_event_cost_curve curves[MEASURE_NR_EVENT_COSTS][MEASURE_NR_WORKING_SETS];
};

/* Makes all costs so many times as high. */
void measure_event_costs_scale(struct measure_event_costs *costs, double factor);

/* Linear in the logarithm of the rate between two points, constant outside; 0 of an empty curve. */
struct measure_event_cost measure_event_cost_at(
	const struct measure_event_cost_curve *curve, double rate);

/* "FUNCTION_ENTER::l1", good for MEASURE_EVENT_COST_NAME bytes. */
#define MEASURE_EVENT_COST_NAME 64
void measure_event_cost_name(
	char *name, enum measure_event_cost_kind kind, enum measure_working_set set);

/* Of a reference event. */
#define MEASURE_EVENT_COST_REFERENCE "REFERENCE"

/* A curve under such a name, in capitals or not: "RATE:BEFORE:AFTER:LOW:HIGH RATE:...", decimal
 * numbers; or one number, of a reference event. False: it is neither, and the curves are as before.
 */
bool measure_event_costs_parse_line(
	struct measure_event_costs *costs, const char *name, const char *value);

/* The value of a curve; reading it gives the same numbers, to 24 decimal places. */
#define MEASURE_EVENT_COST_VALUE ((size_t)MEASURE_EVENT_COST_POINTS * 160)
void measure_event_cost_value(char *value, const struct measure_event_cost_curve *curve);

/* A file has the line "processor MODEL", then "NAME VALUE" for each curve that is not empty; lines
 * that begin with # are comments. Of what is wrong, one line without the path is left in `error`,
 * which has MEASURE_EVENT_COSTS_ERROR bytes, and the costs are empty. MEASURE_ERROR_NOT_FOUND:
 * there is no such file. Written is a new file that takes the place of the old one. */
#define MEASURE_EVENT_COSTS_ERROR 160
measure_status_t measure_event_costs_read_file(
	const char *path, struct measure_event_costs *costs, char *error);
measure_status_t measure_event_costs_write_file(
	const char *path, const struct measure_event_costs *costs, char *error);

/* The processor of this node, as /proc/cpuinfo calls it, or else its architecture. */
void measure_event_costs_processor(char processor[256]);

/* Where the table of this node is: $MEASURE_EVENT_COSTS, else MODEL in the directory
 * measure/event-costs of the user's cache, or where there is no such file, of SYSCONFDIR. To write:
 * the user's in any case. False: there is none. */
bool measure_event_costs_usual_path(char path[PATH_MAX], bool is_to_write);

#endif
