/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the program is, by the samples of all its processes. */
#ifndef MEASURE_ANALYSIS_SUMMARY_SAMPLE_STATISTICS_H
#define MEASURE_ANALYSIS_SUMMARY_SAMPLE_STATISTICS_H

#include "summary_internal.h"

/* Samples in which a function ... */
struct sample_function {
	uint32_t region;
	uint64_t self;  /* ... is the innermost of all */
	uint64_t whole; /* ... is anywhere in the stack */
	uint64_t inner; /* ... is the innermost one of the user's code: it, or a run-time library
			 * that it calls */
};

/* A program or library: samples in which its functions are the innermost ones. */
struct sample_module {
	uint32_t path; /* a string of the archive */
	uint64_t self;
};

/* The user's code is the program and its libraries, but for those of runtime_libraries.def.
 * Libraries that the system has installed are it only where the program itself was. */
struct sample_statistics {
	uint64_t nr;         /* samples that were counted */
	uint64_t nr_inner;   /* with a function of the user's code */
	uint64_t nr_unnamed; /* the innermost one of these has no name */
	MEASURE_ARRAY(char *) programs;                  /* their paths */
	MEASURE_ARRAY(struct sample_module) modules;     /* most `self` first */
	MEASURE_ARRAY(struct sample_function) hottest;   /* most `self` first */
	MEASURE_ARRAY(struct sample_function) functions; /* most `inner` first */
	MEASURE_ARRAY(struct sample_function) worth;     /* to be recompiled with hooks */
};

/* To be freed also after an error. */
measure_status_t sample_statistics_make(
	const struct measure_summary *summary, struct sample_statistics *statistics);
void sample_statistics_free(struct sample_statistics *statistics);

/* The function has hooks: its calls are recorded. */
bool sample_function_is_recorded(
	const struct measure_summary *summary, const struct sample_function *function);

/* The file is a program that was recorded; one that the system has installed. */
bool sample_module_is_program(const struct sample_statistics *statistics, const char *path);
bool sample_module_is_system(const char *path);

#endif
