/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A lock for a few instructions on the way of MPI calls. Below MPI_THREAD_MULTIPLE the program
 * itself keeps the threads' MPI calls apart, and it costs nothing. */
#ifndef MEASURE_MPI_SPIN_H
#define MEASURE_MPI_SPIN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* True: several threads may call MPI at once. Set once by MPI_Init. */
extern bool measure_mpi_is_multiple;

static inline void measure_spin_lock(atomic_flag *lock)
{
	if (!measure_mpi_is_multiple)
		return;
	while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
		sched_yield();
}

static inline void measure_spin_unlock(atomic_flag *lock)
{
	if (measure_mpi_is_multiple)
		atomic_flag_clear_explicit(lock, memory_order_release);
}

#endif
