/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which call paths of a profile compute, are in MPI, or are parallel. */
#ifndef MEASURE_ANALYSIS_WAITS_PATH_KINDS_H
#define MEASURE_ANALYSIS_WAITS_PATH_KINDS_H

#include "waits.h"

struct measure_path_kind {
	bool is_useful;   /* computes, or is in files, and in no call of MPI */
	bool is_mpi;      /* in a call of MPI */
	bool is_parallel; /* in a parallel region, or in a task */
};

/* By path; to be freed. */
struct measure_path_kind *measure_path_kinds_find(const struct measure_waits *waits);

#endif
