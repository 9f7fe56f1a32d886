/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock snapshots on their way to the keeper's journal: taken by the monitor, which never waits for
 * a disk, and written by the spooler. */
#ifndef MEASURE_KEEPER_SPOOL_CLOCK_SNAPSHOTS_H
#define MEASURE_KEEPER_SPOOL_CLOCK_SNAPSHOTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/journal_records.h"

#define MEASURE_TRIPLES 128 /* two minutes of a disk that hangs */

struct measure_clock_snapshots {
	int journal_fd; /* the keeper's own journal */
	pthread_mutex_t journal_lock, lock;
	uint32_t nr;
	struct measure_def_clock_triple waiting[MEASURE_TRIPLES];
};

/* Takes one now. Where there is no room it replaces the last one: the first and the last are what
 * matters most. */
void measure_clock_snapshots_take(struct measure_clock_snapshots *triples);

/* Writes those that wait; by one thread at a time. */
void measure_clock_snapshots_write(struct measure_clock_snapshots *triples);

/* Appends other frames to that journal, by any thread. False: nothing was written. */
bool measure_clock_snapshots_append(
	struct measure_clock_snapshots *triples, const uint8_t *frames, size_t size);

#endif
