/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For both OpenMP adapters: locks, known by their addresses. */
#ifndef MEASURE_OPENMP_LOCKS_H
#define MEASURE_OPENMP_LOCKS_H

#include <stdatomic.h>
#include <stdint.h>

struct measure_omp_lock {
	uint64_t key;          /* an address, or the library's word for it */
	uint32_t id;           /* as in records */
	atomic_uint order;     /* acquisitions so far; changed by the owner only */
	uint32_t depth;        /* of a nestable lock, as its owner knows it; libgomp only */
	_Atomic(void *) owner; /* for the adapter's use */
	struct measure_omp_lock *next;
};

/* The lock, made when it is first seen; NULL: no memory. Without a lock once it is there. */
struct measure_omp_lock *measure_omp_lock_find(uint64_t key);

#endif
