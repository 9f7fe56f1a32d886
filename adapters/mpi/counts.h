/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The counts of a collective that has one for each rank: int, or MPI_Count in the calls with large
 * counts. */
#ifndef MEASURE_MPI_COUNTS_H
#define MEASURE_MPI_COUNTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct measure_counts {
	const void *counts; /* NULL where MPI does not look at them */
	bool is_large;      /* MPI_Count, not int */
};

/* From a parameter of either type. */
#define COUNTS(parameter)                                                                          \
	((struct measure_counts){(parameter), sizeof((parameter)[0]) == sizeof(MPI_Count)})

static inline MPI_Count measure_count_at(struct measure_counts counts, uint32_t rank)
{
	return counts.is_large ? ((const MPI_Count *)counts.counts)[rank]
			       : ((const int *)counts.counts)[rank];
}

#endif
