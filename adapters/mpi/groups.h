/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which groups of MPI calls are recorded. */
#ifndef MEASURE_MPI_GROUPS_H
#define MEASURE_MPI_GROUPS_H

#include <stdint.h>

enum measure_group {
#define GROUP(name, when) GROUP_##name,
#include "groups_mpi.def"
#undef GROUP
	NR_GROUPS
};

/* The groups as bits, from the option's text: names with commas, "auto", "all"; where the first
 * has a sign, auto is changed. Words that are no group mean nothing: `measure` has
 * refused them. */
uint32_t measure_groups_parse(const char *text);

#endif
