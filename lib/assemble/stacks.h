/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the program is, by the samples of all its processes. */
#ifndef MEASURE_ASSEMBLE_STACKS_H
#define MEASURE_ASSEMBLE_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/unify.h"
#include "base/array.h"
#include "status.h"

/* Samples in which a function of the program, or of a library that has source files, ... */
struct measure_stacks_function {
	uint32_t region;
	uint64_t inner; /* ... is the innermost such one: in itself, and in what it calls of others
			 */
	uint64_t self;  /* ... is the innermost of all */
	uint64_t whole; /* ... is anywhere in the stack */
};

struct measure_stacks {
	uint64_t nr;       /* samples that were counted */
	uint64_t nr_inner; /* with such a function */
	uint64_t nr_taken; /* as the processes have counted */
	uint64_t nr_late;  /* due while the one before had not come */
	uint64_t nr_lost;  /* due, and not taken for other reasons */
	MEASURE_ARRAY(struct measure_stacks_function) functions; /* most `inner` first */
};

/* To be freed also after an error. */
measure_status_t measure_stacks_make(
	const struct measure_unified *unified, struct measure_stacks *stacks);
void measure_stacks_free(struct measure_stacks *stacks);

/* How many of the first functions are worth to be recompiled with hooks: they have nearly all
 * samples of those that have no hooks yet, and each has many of them. */
uint32_t measure_stacks_worth(
	const struct measure_unified *unified, const struct measure_stacks *stacks);

/* The function has hooks: its calls are recorded. */
bool measure_stacks_is_recorded(
	const struct measure_unified *unified, const struct measure_stacks_function *function);

#endif
