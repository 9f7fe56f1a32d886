/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the program is, by the samples of all its processes. */
#ifndef MEASURE_ANALYSIS_SUMMARY_SAMPLE_STATISTICS_H
#define MEASURE_ANALYSIS_SUMMARY_SAMPLE_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/unify/unify.h"
#include "base/array.h"
#include "status.h"

/* Samples in which a function ... */
struct measure_sample_statistics_function {
	uint32_t region;
	uint64_t self;  /* ... is the innermost of all */
	uint64_t whole; /* ... is anywhere in the stack */
	uint64_t inner; /* ... is the innermost one of the user's code: it, or a run-time library
			 * that it calls */
};

/* A program or library: samples in which its functions are the innermost ones. */
struct measure_sample_statistics_module {
	uint32_t path; /* a string of the archive */
	uint64_t self;
};

/* The user's code is the program and its libraries, but for those of runtime_libraries.def.
 * Libraries that the system has installed are it only where the program itself was. */
struct measure_sample_statistics {
	uint64_t nr;         /* samples that were counted */
	uint64_t nr_inner;   /* with a function of the user's code */
	uint64_t nr_unnamed; /* the innermost one of these has no name */
	uint64_t nr_taken;   /* as the processes have counted */
	uint64_t nr_late;    /* due while the one before had not come */
	uint64_t nr_lost;    /* due, and not taken for other reasons */
	MEASURE_ARRAY(struct measure_sample_statistics_module) modules;     /* most `self` first */
	MEASURE_ARRAY(struct measure_sample_statistics_function) hottest;   /* most `self` first */
	MEASURE_ARRAY(struct measure_sample_statistics_function) functions; /* most `inner` first */
	MEASURE_ARRAY(struct measure_sample_statistics_function)
	worth; /* to be recompiled with hooks */
};

/* To be freed also after an error. */
measure_status_t measure_sample_statistics_make(
	const struct measure_unified *unified, struct measure_sample_statistics *stacks);
void measure_sample_statistics_free(struct measure_sample_statistics *stacks);

/* The function has hooks: its calls are recorded. */
bool measure_sample_statistics_is_recorded(const struct measure_unified *unified,
	const struct measure_sample_statistics_function *function);

/* The file is one that the system has installed. */
bool measure_sample_statistics_is_system(const char *path);

#endif
