/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many bytes the arguments of a call stand for. Inline: a 16-byte message takes about 100 ns,
 * and this is on its way. */
#ifndef MEASURE_MPI_DATA_SIZES_H
#define MEASURE_MPI_DATA_SIZES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "pmpi.h"

/* Bytes of `count` elements of a type that MPI has accepted. The commonest types are spared
 * the call. */
static inline uint64_t measure_type_bytes(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size = 0;

	if (type == MPI_BYTE || type == MPI_CHAR)
		return (uint64_t)count;
	if (type == MPI_DOUBLE)
		return (uint64_t)count * sizeof(double);
	if (type == MPI_INT)
		return (uint64_t)count * sizeof(int);
	if (count != 0)
		measure_mpi.Type_size_x(type, &size);
	return (uint64_t)count * (uint64_t)size;
}

/* Whether MPI can find nothing wrong with them. Of no elements some libraries look at no type. */
static inline bool measure_is_countable(MPI_Count count, MPI_Datatype type)
{
	return count == 0 || (count > 0 && type != MPI_DATATYPE_NULL && type != (MPI_Datatype)0);
}

/* Bytes received. */
#ifdef HAVE_MPI_STATUS__UCOUNT
/* Open MPI's own count. */
static inline uint64_t measure_status_bytes(const MPI_Status *status)
{
	return (uint64_t)status->_ucount;
}
#else
/* Beyond 2^31 only the large-count call can say. */
static inline uint64_t measure_status_bytes(const MPI_Status *status)
{
	MPI_Count large = 0;
	int count = 0;

	measure_mpi.Get_count(status, MPI_BYTE, &count);
	if (count >= 0)
		return (uint64_t)count;
	measure_mpi.Get_elements_x(status, MPI_BYTE, &large);
	return (uint64_t)large;
}
#endif

/* The status that a call gets: the caller's or, where it wants none, our own. */
static inline MPI_Status *measure_status_or_own(MPI_Status *status, MPI_Status *own)
{
	return status == MPI_STATUS_IGNORE ? own : status;
}

/* The counts of a collective that has one for each rank: int, or MPI_Count in the calls with large
 * counts. */
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
