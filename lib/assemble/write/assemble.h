/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the parts of a run directory to its archive: one piece of code for a normal end, a crash
 * and a repair. Event files are taken over unchanged; definitions are unified. */
#ifndef MEASURE_ASSEMBLE_WRITE_ASSEMBLE_H
#define MEASURE_ASSEMBLE_WRITE_ASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "format/journal_records.h"
#include "format/run_layout.h"
#include "status.h"

struct measure_assemble_report {
	uint32_t nr_processes;
	uint32_t nr_locations;
	uint64_t nr_events;      /* in event files */
	uint64_t nr_recorded;    /* with those that were not kept */
	enum measure_kept kept;  /* events */
	uint64_t nr_bytes;	 /* of event files */
	uint64_t nr_removed;     /* events of --keep that would match others than their own */
	uint32_t nr_unaligned;   /* processes of which that is not known */
	uint64_t nr_lost;	 /* events known to be lost */
	uint32_t nr_missing;	 /* ranks without a part */
	uint32_t nr_damaged;	 /* parts of which something could not be read */
	uint32_t nr_unfinished;	 /* parts left out, since their processes may still run */
	uint32_t nr_rescued;	 /* parts finished from their files: what was not spooled is lost */
	uint32_t nr_throttled;	 /* functions that were switched off while the program ran */
	uint64_t nr_polls;       /* unsuccessful ones that were left out */
	bool was_complete;	 /* there was nothing to do */
	char trouble[512];	 /* after a failure: what, and where */
};

/* Makes DIR/traces.otf2, .def and traces/ of all finished parts in DIR/.parts, and removes .parts
 * unless parts were left out. DIR/traces.otf2 appears last and in one piece; a failure or crash
 * before that leaves the parts as they were, and the call can be repeated. MEASURE_ERROR_NOT_FOUND:
 * there is no finished part. MEASURE_ERROR_EXISTS: another process is assembling. Chatters nowhere.
 */
measure_status_t measure_assemble(const char *directory, struct measure_assemble_report *report);

/* The same, and calls `then` when the archive is there, while DIR/.parts still is: who waits for
 * that to go finds everything said and written. Should this process be killed meanwhile, all is
 * done once more. */
typedef void (*measure_assembled_fn)(void *data, const struct measure_assemble_report *report);
measure_status_t measure_assemble_then(const char *directory,
	struct measure_assemble_report *report, measure_assembled_fn then, void *data);

#endif
