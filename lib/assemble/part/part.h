/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A finished part as read from its two journals and its event files: what one process did. */
#ifndef MEASURE_ASSEMBLE_PART_PART_H
#define MEASURE_ASSEMBLE_PART_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "location_file.h"
#include "assemble/shared/record_pool.h"
#include "sample_file.h"
#include "base/array.h"
#include "format/journal_records.h"
#include "status.h"

#define MEASURE_NO_ID UINT32_MAX

struct measure_part_location {
	const char *name; /* "" : none was given */
	const char *device; /* that it is a stream of; "": it is a thread's */
	struct measure_location_summary events;
	uint32_t processor; /* 1 + the one it began on; 0: unknown */
};

/* A series of what the keeper has sampled. */
struct measure_part_sampled {
	MEASURE_ARRAY(struct measure_def_sampled) metrics; /* in the order of their values */
	struct measure_location_summary events;            /* none: there is no such location */
};

/* Journal regions and code regions share one id space. */
enum measure_part_region_kind {
	MEASURE_PART_REGION_NONE, /* the id was never described */
	MEASURE_PART_REGION_NAMED,
	MEASURE_PART_REGION_CODE
};

struct measure_part_region {
	enum measure_part_region_kind kind;
	bool is_off; /* by the filter: it has no events */
	union {
		struct measure_def_region named;
		struct measure_def_code_region code;
	};
};

struct measure_part_comm {
	bool is_described;
	struct measure_def_comm def;
	const char *given_name; /* by the program; NULL: none */
};

struct measure_part_window {
	bool is_described;
	struct measure_def_window def;
	const char *name; /* NULL: none was given */
};

/* Strings and member lists point into the journals, or into a pool that the parts of a job share.
 */
struct measure_part {
	char *name; /* of the directory */
	int fd;     /* of that, while the part is being read; then -1: a job has more parts than a
		     * process may have descriptors */
	struct measure_record_pool *pool; /* of its records; NULL: they stay in the journals */
	uint8_t *journal;                 /* NULL: there is none, or its records are in the pool */
	uint8_t *keeper_journal;
	size_t max_ids; /* of each kind, that the journal may tell of */

	bool has_process, has_launch, has_world, has_truth, has_end;
	bool is_damaged; /* a journal ends in the middle of a record, an event file is bad, or the
			  * process has overwritten what it shared with its keeper */
	struct measure_def_process process;
	struct measure_def_launch launch;
	struct measure_def_world world;
	struct measure_def_clock_truth truth;
	struct measure_def_keeper keeper;
	struct measure_def_end end;
	struct measure_part_sampled sampled[MEASURE_SERIES];
#define BY_HAND(type, array) MEASURE_ARRAY(type) array;
#include "part_arrays.def"
};

/* MEASURE_ERROR_NOT_FOUND: the directory has no journals at all. What is damaged is left out
 * and noted. `part` is all zero before, but for its pool, and must be freed also after an error. */
measure_status_t measure_part_read(int parts_fd, const char *name, struct measure_part *part);

/* The same of one that is in work: with the journal as it is in memory, which becomes the part's,
 * and without event files. Locations without a record are not in it. */
measure_status_t measure_part_read_live(
	int parts_fd, const char *name, uint8_t *journal, size_t size, struct measure_part *part);
void measure_part_free(struct measure_part *part);

/* Opens its directory once more; -1: errno says why. */
int measure_part_open(int parts_fd, const struct measure_part *part);

/* Value of a counter by its name in counts.def; 0 if it was not counted. */
uint64_t measure_part_count(const struct measure_part *part, const char *name);

/* Events that are known to be lost: the counters of kind LOSS. */
uint64_t measure_part_losses(const struct measure_part *part);

/* The record of its keeper was lost, and made up when it was finished: the chunk size is a guess
 * where no event file has more than one. */
bool measure_part_has_lost_keeper(const struct measure_part *part);

/* ------------------------------------------------------ between the files that read a part --- */

/* One that no record of the journals tells of. */
measure_status_t measure_part_add_location(struct measure_part *part, uint32_t index);

/* All records of one journal. What cannot be is passed over and makes the part damaged. */
measure_status_t measure_part_note_journal(
	struct measure_part *part, const uint8_t *data, size_t size);

/* After the journals: chunk_size is known. */
measure_status_t measure_part_read_events(struct measure_part *part);

#endif
