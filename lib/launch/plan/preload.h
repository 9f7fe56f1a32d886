/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses what is preloaded into the program: the run-time core and the adapters that it needs. */
#ifndef MEASURE_LAUNCH_PLAN_PRELOAD_H
#define MEASURE_LAUNCH_PLAN_PRELOAD_H

#include <limits.h>
#include <stdbool.h>

#include "config/settings.h"
#include "program.h"
#include "status.h"

enum measure_adapter_when {
	MEASURE_ADAPTER_ALWAYS,
	MEASURE_ADAPTER_LINKED,
	MEASURE_ADAPTER_OPENED,
	MEASURE_ADAPTER_CALLS,
	MEASURE_ADAPTER_TOOL,
	MEASURE_ADAPTER_EMBEDDED,
	MEASURE_ADAPTER_WITH,
	MEASURE_ADAPTER_METRICS,
	MEASURE_ADAPTER_ASKED,
	MEASURE_ADAPTER_WRAP,
	MEASURE_ADAPTER_SAMPLE
};

#define MEASURE_ADAPTERS_MOST 32

struct measure_preload {
	const struct measure_settings *settings;
	const struct measure_program *program;
	char directory[PATH_MAX]; /* where the shared objects are */
	char list[PATH_MAX * 4];  /* value for LD_PRELOAD, without what the user preloads */
	struct measure_preload_choice {
		const char *name;
		bool is_on;
		bool is_named; /* by the user, one way or the other */
		bool has_rival; /* the library that it is a tool of has another one */
		char why[160];
	} choices[MEASURE_ADAPTERS_MOST];
	int nr_choices;
	char openmp_library[PATH_MAX]; /* preloaded in place of libgomp.so.1; "": none */
};

/* Looks for names in --adapters that there are not: a mistake. */
measure_status_t measure_preload_check(const char *list);

/* Chooses by the list of --adapters. Says what is wrong; then nothing can be recorded. */
measure_status_t measure_preload_choose(struct measure_preload *preload,
	const struct measure_settings *settings, const struct measure_program *program);

/* Says which libraries of the program have another tool, by variables that are set. */
measure_status_t measure_preload_check_tools(const struct measure_preload *preload);

/* The shared object of `choices[adapter]`: of its build for the library that the program needs. */
void measure_preload_object(
	const struct measure_preload *preload, int adapter, char *path, size_t size);

/* True: this adapter is among what is preloaded. */
bool measure_preload_has(const struct measure_preload *preload, const char *adapter);

/* Our environment with LD_PRELOAD and MEASURE_PART for the program, in one new array; NULL: no
 * memory. */
char **measure_preload_environment(const struct measure_preload *preload, const char *part);

#endif
