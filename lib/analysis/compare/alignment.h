/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The call trees of several runs as one. Frames whose region occurs on one side only are removed
 * from call paths: their exclusive time goes to the nearest frame that is kept. Equal paths that
 * result are one path. */
#ifndef MEASURE_ANALYSIS_COMPARE_ALIGNMENT_H
#define MEASURE_ANALYSIS_COMPARE_ALIGNMENT_H

#include "compared_run.h"

enum measure_side { MEASURE_BASE, MEASURE_NEW, MEASURE_NR_SIDES };

struct measure_aligned_path {
	uint32_t parent; /* before it; of the root, which is [0], MEASURE_NONE */
	uint32_t frame;
};

struct measure_alignment {
	const struct measure_compared_frames *frames;
	const struct measure_compared_run *const *runs; /* those of the base, then new ones */
	size_t nr[MEASURE_NR_SIDES];
	size_t nr_runs;
	struct measure_aligned_path *paths;
	size_t nr_paths, room_paths;
	struct measure_map children;  /* (path, frame) -> path */
	uint64_t *exclusive, *visits; /* [path * nr_runs + run]; ticks of the run */
	/* By frame: bits (1 << side) of those it occurs on, and what runs have of it there,
	 * [frame * nr_runs + run] */
	uint8_t *sides;
	uint64_t *by_frame;
};

/* by_region: paths have one frame, the innermost one. The runs must outlive the alignment. */
void measure_alignment_make(struct measure_alignment *alignment,
	const struct measure_compared_frames *frames,
	const struct measure_compared_run *const *runs, size_t nr_base, size_t nr_new,
	bool by_region);
void measure_alignment_free(struct measure_alignment *alignment);

/* Whether a frame stays in call paths. */
bool measure_alignment_keeps(const struct measure_alignment *alignment, uint32_t frame);

/* "main;solve;kernel", without the root below others; what does not fit is left out at the front.
 * Returns the buffer. */
char *measure_alignment_text(const struct measure_alignment *alignment, uint32_t path,
	const char *separator, char *buffer, size_t size);

#endif
