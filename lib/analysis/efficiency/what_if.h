/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What if the network, a region or a process had been faster: an expression of changes, and the run
 * time that the graph of the run allows with them. doc/efficiency.md describes the language. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_WHAT_IF_H
#define MEASURE_ANALYSIS_EFFICIENCY_WHAT_IF_H

#include "efficiency.h"

enum measure_changed {
	MEASURE_CHANGED_LATENCY,
	MEASURE_CHANGED_BANDWIDTH,
	MEASURE_CHANGED_NETWORK,
	MEASURE_CHANGED_COMPUTE,
	MEASURE_CHANGED_REGION,
	MEASURE_CHANGED_RANK
};

struct measure_run_change {
	enum measure_changed what;
	char *name;       /* of regions: with * ? [ ]; else NULL */
	uint32_t rank;    /* MEASURE_NONE: all */
	bool is_balanced; /* what each process has becomes the mean of all */
	bool is_absolute; /* seconds, or bytes per second; else a factor */
	double value;
};

struct measure_what_if {
	char *text;
	MEASURE_GROWING(struct measure_run_change, changes);
};

#define MEASURE_WHAT_IF_ERROR 400

/* False: `error` is a line that says what is wrong, and what is allowed. Freed in any case. */
bool measure_what_if_parse(
	struct measure_what_if *what_if, const char *text, char error[MEASURE_WHAT_IF_ERROR]);
void measure_what_if_free(struct measure_what_if *what_if);

/* Are there such regions and ranks? */
bool measure_what_if_check(const struct measure_what_if *what_if,
	const struct measure_definitions *definitions, char error[MEASURE_WHAT_IF_ERROR]);

/* Windows, useful ticks: by process. */
void measure_what_if_predict(const struct measure_what_if *what_if, struct measure_replay *replay,
	const struct measure_interval *windows, const uint64_t *useful,
	struct measure_prediction *prediction);

#endif
