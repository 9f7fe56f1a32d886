/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes a corrected archive. Definitions are written anew, with the corrections as clock offsets.
 * Event files are shared with the input (a reflink or a hard link, else a copy) or, where asked
 * for or where offsets cannot say it, written anew; so are all where a filter leaves out calls.
 * Nothing of the input is ever opened for writing. Each rank of a job writes what belongs to its
 * locations, the first one all else. */
#ifndef MEASURE_SYNC_WRITE_EMIT_H
#define MEASURE_SYNC_WRITE_EMIT_H

#include "status.h"
#include "sync/clc/correction.h"
#include "sync/compensation/compensation.h"
#include "sync/graph/graph.h"
#include "additions.h"
#include "slicing.h"

enum measure_sync_emit_kind { MEASURE_SYNC_EMIT_OFFSETS, MEASURE_SYNC_EMIT_EVENTS };

struct measure_filter;

struct measure_sync_emission {
	const struct measure_sync_graph *graph;
	const struct measure_sync_correction *corrections; /* by domain */
	enum measure_sync_emit_kind kind;
	const struct measure_filter *filter; /* what is left out; NULL: nothing */
	const struct measure_additions *additions; /* or NULL; not both */
	const struct measure_slicing *slicing;     /* or NULL; alone */
	const struct measure_compensation *compensation; /* or NULL; not with these */
	/* What became of the locations that have events. */
	uint32_t nr_reflinked, nr_linked, nr_copied;
	uint32_t nr_rewritten;
	uint32_t nr_forced; /* among the rewritten: because offsets cannot say it */
	/* Among the definitions: the same again, which was dropped; others with an id that is
	 * taken, which got one of their own; those that could not. */
	uint32_t nr_repeated, nr_conflicts, nr_lost;
	uint32_t nr_snapless; /* locations without snapshots that can be read, where there are some
			       */
	bool has_dropped;     /* thumbnails, which refer to ids that have changed, or to calls */
	uint64_t nr_filtered; /* events that the filter has left out, of all ranks */
	/* Of all events of all ranks, corrected; first > last: there are none. */
	uint64_t first, last;
	bool is_unchanged; /* every location has the clock offsets that it had */
};

/* Collective. The archive goes into `directory`, which must be there and empty; the rest of what is
 * in the input's directory goes there too where `with_others` is set, else only Measure's own two
 * text files. On any other status than MEASURE_OK measure_trace_error() says why, and `directory`
 * is left to be removed. The counts are those of this rank. */
measure_status_t measure_sync_emit(
	struct measure_sync_emission *emission, const char *directory, bool with_others);

/* Collective. The clock properties that the archive gets; nothing is written. */
struct measure_clock measure_sync_emission_clock(struct measure_sync_emission *emission);

#endif
