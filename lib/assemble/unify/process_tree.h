/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who of a run made whom, and who of them is left out of its archive: what only started another
 * program, and recorded nothing. */
#ifndef MEASURE_ASSEMBLE_UNIFY_PROCESS_TREE_H
#define MEASURE_ASSEMBLE_UNIFY_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assemble/part/part.h"

struct measure_process_tree {
	uint32_t creator; /* index of its part, of one that is not left out; MEASURE_NO_ID: none */
	bool is_omitted;
	bool has_made; /* others */
};

/* In order of the parts; the caller frees it. NULL: no memory. Left out are those that have no more
 * than their begin and end, and either became another program by exec() or belong to a run with
 * --exec; of these one that has made nobody stays, where all have nothing. */
struct measure_process_tree *measure_process_tree_make(
	const struct measure_part *parts, size_t nr_parts);

#endif
