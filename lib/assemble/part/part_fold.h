/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What became of the events that a part does not keep: they are folded into a profile, chunk by
 * chunk, location by location. `N.fold` has all that this needs to go on behind a chunk, in another
 * keeper or when the part is finished; `N.prof` is the profile of the location, once that is done.
 */
#ifndef MEASURE_ASSEMBLE_PART_PART_FOLD_H
#define MEASURE_ASSEMBLE_PART_PART_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fold/fold_stream.h"
#include "analysis/fold/local_trace.h"
#include "format/journal_records.h"
#include "location_file.h"
#include "part_cut.h"
#include "status.h"

/* A location. */
struct measure_folded {
	/* where its events stand behind the last chunk that was folded: that is the one before
	 * state.sequence; state.end is 0 */
	struct measure_location_state state;
	struct measure_profile profile; /* nr_broken: some of its events are missing */
	struct measure_fold fold;
	struct measure_fold_cursor cursor;
	struct measure_cut *cut; /* NULL: messages are not counted */
	bool is_changed; /* since it was saved */
	bool is_over;    /* the fold has ended */
};

struct measure_part_fold {
	int part_fd;
	uint32_t chunk_size;
	enum measure_kept kept; /* the last events: counts what their messages must match */
	struct measure_local_trace local;
	MEASURE_ARRAY(struct measure_folded *) locations; /* NULL: not asked for yet */
};

/* The descriptor stays the caller's. */
void measure_part_fold_open(
	struct measure_part_fold *fold, int part_fd, uint32_t chunk_size, enum measure_kept kept);
void measure_part_fold_close(struct measure_part_fold *fold);

/* How many chunks of a location were folded, as far as that is saved. MEASURE_ERROR_NOT_FOUND:
 * nothing was. */
measure_status_t measure_part_fold_reach(int part_fd, uint32_t location, uint64_t *nr_chunks);

/* Whose keeper's record was lost: what any of the saved states tells. False: there is none. */
bool measure_part_fold_find(
	int part_fd, uint32_t nr_locations, uint32_t *chunk_size, enum measure_kept *kept);

/* The state of a location: as it was saved, where it was. */
struct measure_folded *measure_part_fold_location(
	struct measure_part_fold *fold, uint32_t location);

/* Folds the next chunk, of which nobody changes a byte meanwhile. `journal`: all that is there of
 * it by now. */
void measure_part_fold_chunk(struct measure_part_fold *fold, uint32_t location,
	const uint8_t *chunk, size_t size, const uint8_t *journal, size_t journal_size);

/* Saves a location if it has changed. */
measure_status_t measure_part_fold_save(struct measure_part_fold *fold, uint32_t location);

/* Makes N.cut, where events were folded; what is folded from then on is not counted. */
measure_status_t measure_part_fold_store_cut(struct measure_part_fold *fold, uint32_t location);

/* Folds what is in the event file behind the chunks that were folded, and makes N.prof. The journal
 * is that of the part's files. */
measure_status_t measure_part_fold_finish(
	struct measure_part_fold *fold, uint32_t location, int fd);

#endif
