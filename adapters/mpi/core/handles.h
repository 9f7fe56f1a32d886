/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A table of things of one kind (communicators, windows, files) by their MPI handle. Finding one
 * takes no lock and their number has no limit. Making and freeing one take the table's lock. */
#ifndef MEASURE_MPI_HANDLES_H
#define MEASURE_MPI_HANDLES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* First member of what is kept in a table. */
struct measure_handle {
	_Atomic uint64_t value;
	struct measure_handle *next; /* in the list of unused ones */
};

struct measure_handle_slots;

struct measure_handles {
	pthread_mutex_t lock;
	_Atomic(struct measure_handle_slots *) slots;
	_Atomic uint32_t version; /* odd: entries are being moved */
	struct measure_handle *unused;
	uint32_t nr_used;
	uint32_t entry_size; /* of the whole struct that begins with a struct measure_handle */
};

#define MEASURE_HANDLES(type)                                                                      \
	{                                                                                          \
		.lock = PTHREAD_MUTEX_INITIALIZER, .entry_size = sizeof(type)                      \
	}

/* NULL: unknown. Any value is safe. */
struct measure_handle *measure_handle_lookup(struct measure_handles *handles, uint64_t value);

static inline void measure_handles_lock(struct measure_handles *handles)
{
	pthread_mutex_lock(&handles->lock);
}

static inline void measure_handles_unlock(struct measure_handles *handles)
{
	pthread_mutex_unlock(&handles->lock);
}

/* The following are for those who hold the lock. */

struct measure_handle *measure_handle_find_locked(struct measure_handles *handles, uint64_t value);

/* Puts a copy of the filled struct that begins with `filled` into the table; the value must not
 * be there. NULL: no memory. */
struct measure_handle *measure_handle_add_locked(
	struct measure_handles *handles, const struct measure_handle *filled, uint64_t value);

/* Takes one out. What it owns is the caller's to free. */
void measure_handle_remove_locked(struct measure_handles *handles, struct measure_handle *handle);

#endif
