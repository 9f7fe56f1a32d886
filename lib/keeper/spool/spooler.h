/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's thread that writes: what is spooled (keeper/spool/spool.h), and clock triples; what
 * it says of the disk; and what keepers tell one another. */
#ifndef MEASURE_KEEPER_SPOOL_SPOOLER_H
#define MEASURE_KEEPER_SPOOL_SPOOLER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "config/settings.h"
#include "keeper/process/keeper_state.h"
#include "spool.h"
#include "node_sharing.h"
#include "clock_snapshots.h"
#include "written_bytes.h"

struct measure_spooler {
	struct measure_spool spool;
	pthread_t thread;
	_Atomic bool is_over;
	_Atomic bool is_hurried;
	bool was_blocked;
	const struct measure_settings *settings;
	const char *run_directory;
	struct measure_clock_snapshots *triples;
	struct measure_keeper_state *known;
	struct measure_node_sharing sharing;
	struct measure_written_bytes volume;
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
