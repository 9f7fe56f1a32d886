/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Efficiencies of parts of a run: equal windows of time, or each phase and iteration. The k-th
 * instance of a region on each process makes one window, wherever it lies in time. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_WINDOWS_H
#define MEASURE_ANALYSIS_EFFICIENCY_WINDOWS_H

#include "efficiency.h"

/* Adds to efficiency->windows. Processes, window: as found. */
void measure_windows_cut(struct measure_efficiency *efficiency, struct measure_replay *replay,
	const struct measure_waits *waits, size_t nr);
void measure_windows_of_phases(struct measure_efficiency *efficiency, struct measure_replay *replay,
	const struct measure_waits *waits);

/* Of a series, windows of one region, the end; they lie together. */
size_t measure_windows_end(const struct measure_efficiency *efficiency, size_t first);

/* The one with the least parallel efficiency, of a series. */
size_t measure_windows_worst(const struct measure_efficiency *efficiency, size_t first, size_t end);

#endif
