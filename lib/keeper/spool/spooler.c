/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's spooling thread; see spooler.h. */
#include "config.h"

#include "spooler.h"

#include <string.h>

#include "cli/cli.h"
#include "assemble/part/part_directory.h"
#include "base/posix.h"

#define STACK (256 * 1024)

/* Once is enough: that may go on and off. */
static void say_full(struct measure_spooler *spooler)
{
	if (spooler->was_blocked)
		return;
	spooler->was_blocked = true;
	if (spooler->settings->full == MEASURE_FULL_WAIT)
		measure_cli_say("%s: %s: when event memory is full, the program waits up to %llu "
				"s, then drops events until there is space: free space",
			spooler->run_directory, strerror(spooler->spool.error),
			(unsigned long long)spooler->settings->patience);
	else
		measure_cli_say("%s: %s: when event memory is full, events are dropped until there "
				"is space: free space",
			spooler->run_directory, strerror(spooler->spool.error));
}

/* Says so at the first failure, while the program still runs. */
measure_status_t measure_spooler_pass(struct measure_spooler *spooler, bool is_last)
{
	struct measure_spool *spool = &spooler->spool;

	if (spool->status != MEASURE_OK)
		return spool->status;
	measure_status_t status = measure_spool_pass(spool, is_last);
	atomic_store(&spooler->known->stopped, spool->status);
	if (spool->is_blocked)
		say_full(spooler);
	if (status == MEASURE_OK ||
		measure_part_say_removed(spool->part_fd, spooler->run_directory))
		return status;
	measure_cli_say("%s: cannot write event files: %s: recording has stopped; free space and "
			"run measure-repair",
		spooler->run_directory, strerror(spool->error));
	return spool->status;
}

/* Where nothing can be spooled any more the journal still grows: others see by it that we live. */
static void *spooler_run(void *argument)
{
	struct measure_spooler *spooler = argument;
	struct measure_spool *spool = &spooler->spool;

	while (!atomic_load(&spooler->is_over)) {
		uint32_t seen = atomic_load(&spool->segment->header->full_events);
		if (atomic_exchange(&spooler->is_hurried, false))
			measure_spool_hurry(spool);
		measure_clock_snapshots_write(spooler->triples);
		measure_spooler_pass(spooler, false);
		measure_node_sharing_look(&spooler->sharing);
		measure_written_bytes_look(&spooler->volume, spool, &spooler->sharing);
		measure_spool_wait(spool, seen);
	}
	return NULL;
}

int measure_spooler_start(struct measure_spooler *spooler)
{
	return measure_thread_start(&spooler->thread, STACK, spooler_run, spooler);
}

void measure_spooler_hurry(void *context)
{
	struct measure_spooler *spooler = context;

	atomic_store(&spooler->is_hurried, true);
	measure_spool_wake(spooler->spool.segment);
}

void measure_spooler_stop(struct measure_spooler *spooler)
{
	atomic_store(&spooler->is_over, true);
	measure_spool_wake(spooler->spool.segment);
	pthread_join(spooler->thread, NULL);
}
