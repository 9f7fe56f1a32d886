/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Archives of --keep: each location begins at another moment, so of some messages only the send is
 * kept, or only the receive, and members of a communicator begin with different collectives. As
 * readers match these by their order, such records at the beginning are left out of the archive,
 * until the first one on each side is of the same message. So are the ends of requests and
 * collectives that had begun before. */
#ifndef MEASURE_ASSEMBLE_ALIGN_CUT_ALIGN_H
#define MEASURE_ASSEMBLE_ALIGN_CUT_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/part/part_cut.h"
#include "assemble/unify/unify.h"
#include "status.h"
#include "trace/common/containers.h"

/* Both sides of a lane of messages, or one member's collectives of a communicator or window (side
 * 0). */
struct measure_align_lane {
	struct measure_key key;
	uint64_t nr[2];    /* that are not in the archive; sent, received */
	uint64_t quota[2]; /* of those that are kept, the first ones that are left out */
};

struct measure_align_location {
	struct measure_cut cut;             /* its lanes have become those of the alignment */
	MEASURE_GROWING(uint64_t, removed); /* numbers of events, in their order */
};

struct measure_align_process {
	struct measure_align_location *locations;
	size_t nr_locations;
	struct measure_map lanes; /* of the alignment, by measure_cut_key() */
	bool has_cut;             /* a location does not have all of its events */
	bool is_unknown;          /* nobody knows what was before them */
	bool has_overflowed;      /* messages only */
	uint32_t last_location;   /* that has dropped the latest record that matters; */
	uint64_t last;            /* its time: no location keeps what was before */
	uint64_t nr_quota;        /* of all its lanes */
};

struct measure_cut_alignment {
	const struct measure_unified *unified;
	const char *directory;                   /* of the run */
	int parts_fd;                            /* of its parts */
	struct measure_align_process *processes; /* those of the job */
	MEASURE_GROWING(struct measure_align_lane, lanes);
	struct measure_map ids; /* of them */
	uint64_t nr_removed;
	uint32_t nr_unknown; /* processes that could not be aligned */
};

/* Decides what is left out. `alignment` is all zero before, and must be freed. */
void measure_align(struct measure_cut_alignment *alignment, const struct measure_unified *unified,
	const char *directory, int parts_fd);
void measure_align_free(struct measure_cut_alignment *alignment);

/* NULL: all events of the location are to be in the archive. */
const struct measure_align_location *measure_align_location(
	const struct measure_cut_alignment *alignment, size_t process, size_t location);

/* ------------------------------------------------- between the files of the alignment --- */

/* The lane of a record of this process; MEASURE_NONE: none that can be matched. */
uint32_t measure_align_lane(struct measure_cut_alignment *alignment, size_t process,
	enum measure_cut_kind kind, uint32_t space, uint32_t peer, uint32_t tag);

/* Of the two sides of a lane. */
static inline int measure_align_side(enum measure_cut_kind kind)
{
	return kind == MEASURE_CUT_RECEIVE;
}

/* Reads the begin of what a process has kept. Counting: adds to its lanes what was begun before it
 * and is in it. Else lists what is to be left out. */
void measure_align_scan(struct measure_cut_alignment *alignment, size_t process, bool is_counting);

#endif
