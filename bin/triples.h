/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock triples on their way to the keeper's journal: taken by the thread that watches, which must
 * never wait for a disk, and written by one that may. */
#ifndef MEASURE_BIN_TRIPLES_H
#define MEASURE_BIN_TRIPLES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "defs/records.h"

#define MEASURE_TRIPLES 128 /* two minutes of a disk that hangs */

struct measure_triples {
	int journal_fd; /* the keeper's own journal */
	pthread_mutex_t journal_lock, lock;
	uint32_t nr;
	struct measure_def_clock_triple waiting[MEASURE_TRIPLES];
};

/* Takes one now. Where there is no room it replaces the last one: the first and the last are what
 * matters most. */
void measure_triples_take(struct measure_triples *triples);

/* Writes those that wait; by one thread at a time. */
void measure_triples_write(struct measure_triples *triples);

/* Appends other frames to that journal, by any thread. False: nothing was written. */
bool measure_triples_append(struct measure_triples *triples, const uint8_t *frames, size_t size);

#endif
