/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the spooler's two halves share: whole chunks (spool.c), and those not full yet (flush.c). */
#ifndef MEASURE_KEEPER_SPOOL_SPOOL_INTERNAL_H
#define MEASURE_KEEPER_SPOOL_SPOOL_INTERNAL_H

#include "spool.h"

/* By errno: a full disk may be tried again, any other failure is for good. */
measure_status_t measure_spool_fail(struct measure_spool *spool);

/* Writes what is committed of the journal. */
measure_status_t measure_spool_journal(struct measure_spool *spool);

/* The event file of a location: open already, or in place of the one longest unused. -1: none. */
int measure_spool_event_file(struct measure_spool *spool, uint32_t location);

/* Gives the processor away now and then, while much is written. */
void measure_spool_rest(struct measure_spool *spool);

/* There is a chunk at `offset` with other events than those from `first_event` on. */
bool measure_spool_is_taken(int fd, uint64_t offset, uint64_t first_event);

uint64_t measure_spool_now(void); /* CLOCK_MONOTONIC, ns */

#endif
