/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the recorded runs of a calibration would have taken without recording, by the account of
 * measure-sync --compensate, beside what they took, and what runs without recording do. */
#ifndef MEASURE_LAUNCH_RUN_COMPENSATED_RUNS_H
#define MEASURE_LAUNCH_RUN_COMPENSATED_RUNS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum compensated_method {
	COMPENSATED_BY_FREQUENCY,
	COMPENSATED_CLASSICALLY,
	NR_COMPENSATED_METHODS
};

struct compensated_runs {
	uint32_t nr;                             /* runs of each kind */
	const double *plain, *recorded;          /* seconds */
	double *seconds[NR_COMPENSATED_METHODS]; /* the recorded ones, compensated, without: */
	double *rest;  /* from the last event to the end: assembly, mostly */
	double *gains; /* what was removed by frequency */
	char problem[PATH_MAX + 1024];           /* why there are none; empty: there are */
};

/* False: out of memory; to be freed then, too. `plain` and `recorded` are filled in later. */
bool compensated_runs_start(
	struct compensated_runs *runs, uint32_t nr, const double *plain, const double *recorded);
void compensated_runs_free(struct compensated_runs *runs);

/* Takes the archive of the recorded run `number`, which has just ended; `scratch` is a directory
 * that is not there yet, and is not there afterwards. */
void compensated_runs_add(
	struct compensated_runs *runs, uint32_t number, const char *archive, const char *scratch);

void compensated_runs_print(const struct compensated_runs *runs);

/* Where recording took longer or shorter than the table says by more than the noise: writes the
 * costs that this program has to `path`, and says so, unless that is empty. */
void compensated_runs_fit(const struct compensated_runs *runs, const char *path, bool is_said);

/* As parts of an object: ", ..." */
void compensated_runs_print_json(const struct compensated_runs *runs);

#endif
