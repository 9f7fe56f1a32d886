/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Code addresses of all processes by their names; between unify_regions.c, which has the program's
 * files open, and unify_contexts.c. */
#ifndef MEASURE_ASSEMBLE_UNIFY_UNIFY_CODE_H
#define MEASURE_ASSEMBLE_UNIFY_UNIFY_CODE_H

#include "unify.h"

struct measure_code;

/* The region of the function that a frame is in: that of its calls, where they were recorded. */
uint32_t measure_code_of_frame(struct measure_code *code, const struct measure_part *part,
	const struct measure_def_calling_context *def);

/* The source line of a frame; UINT32_MAX: unknown. */
uint32_t measure_code_source(struct measure_code *code, const struct measure_part *part,
	const struct measure_def_calling_context *def);

/* Behind all regions that have records of their own. */
void measure_unify_contexts(struct measure_unified *unified, struct measure_code *code);

#endif
