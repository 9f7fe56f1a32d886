/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is kept of a run that is compared with others: its call paths with exclusive time and
 * visits, summed over locations. Frames of call paths are numbered alike in all runs. */
#ifndef MEASURE_ANALYSIS_COMPARE_COMPARED_RUN_H
#define MEASURE_ANALYSIS_COMPARE_COMPARED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"
#include "trace/common/containers.h"

/* Regions are one frame if canonical name and paradigm are the same: lines move. */
struct measure_compared_frame {
	char *canonical;      /* name, as the linker knows it */
	char *name;           /* to print */
	const char *paradigm; /* word; of pseudo regions "PSEUDO" */
	bool is_pseudo;
	bool is_measurement; /* time that the program did not take: recording off, buffer flush */
};

/* All zero is an empty set. */
struct measure_compared_frames {
	struct measure_compared_frame *frames;
	size_t nr, room;
	struct measure_map index; /* hash of the key and number among equal hashes -> frame */
};

uint32_t measure_compared_frames_intern(struct measure_compared_frames *frames,
	const char *canonical, const char *name, const char *paradigm);
void measure_compared_frames_free(struct measure_compared_frames *frames);

/* A region of base runs that has another name in new ones; either kind of name. */
struct measure_rename {
	const char *old;
	const char *new;
};

struct measure_renames {
	const struct measure_rename *items;
	size_t nr;
};

struct measure_compared_path {
	uint32_t parent; /* before it; of the root, which is [0], MEASURE_NONE */
	uint32_t frame;
	uint64_t exclusive; /* ticks */
	uint64_t visits;
};

struct measure_compared_run {
	char *name;
	struct measure_compared_path *paths;
	size_t nr_paths, room_paths;
	uint64_t resolution; /* ticks per second */
	uint64_t span;       /* from the first event to the last one, in ticks */
	uint32_t nr_processes;
	uint32_t nr_locations; /* with events */
	uint32_t nr_cut;       /* with events missing at the end */
};

void measure_compared_run_start(
	struct measure_compared_run *run, const char *name, uint64_t resolution);
void measure_compared_run_free(struct measure_compared_run *run);

/* The first path is the root. */
uint32_t measure_compared_run_add(struct measure_compared_run *run, uint32_t parent, uint32_t frame,
	uint64_t exclusive, uint64_t visits);

struct measure_profile;

/* What of a profile is compared; to be freed in any case. On failure measure_cli_say() has told
 * why. */
measure_status_t measure_compared_run_keep(struct measure_compared_run *run,
	struct measure_compared_frames *frames, const struct measure_renames *renames,
	const struct measure_profile *profile, const char *path);

/* Reads an archive and closes it. On failure measure_cli_say() has told why. */
measure_status_t measure_compared_run_read(struct measure_compared_run *run,
	struct measure_compared_frames *frames, const struct measure_renames *renames,
	const char *path, unsigned nr_threads, void (*progress)(double share));

#endif
