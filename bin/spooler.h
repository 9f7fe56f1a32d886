/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's thread that writes: what is spooled (memory/spool.h), and clock triples; what it says
 * of the disk; and what keepers tell one another. */
#ifndef MEASURE_BIN_SPOOLER_H
#define MEASURE_BIN_SPOOLER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "config/settings.h"
#include "known.h"
#include "memory/spool.h"
#include "sharing.h"
#include "triples.h"
#include "volume.h"

struct measure_spooler {
	struct measure_spool spool;
	pthread_t thread;
	_Atomic bool is_over;
	_Atomic bool is_hurried;
	bool was_blocked;
	const struct measure_settings *settings;
	const char *run_directory;
	struct measure_triples *triples;
	struct measure_known *known;
	struct measure_sharing sharing;
	struct measure_volume volume;
};

/* `spool` is open, `sharing` and `volume` have begun, settings, run_directory, triples and known are set, all
 * else is zero. 0 or an errno. */
int measure_spooler_start(struct measure_spooler *spooler);

void measure_spooler_stop(struct measure_spooler *spooler);

/* Everything may be killed soon: all that is committed is written at once, and from then on as with
 * --spool=always. To be called by any thread. */
void measure_spooler_hurry(void *spooler);

/* For who has stopped it. What cannot be written is said once. */
measure_status_t measure_spooler_pass(struct measure_spooler *spooler, bool is_last);

#endif
