/* SPDX-License-Identifier: BSD-3-Clause
 *
 * New ids for definitions whose ids are not what readers insist on: each at most once, and 0, 1, 2
 * in the order of definition. Some tools define an id twice, the same way or another, or number
 * each process by itself. What is right keeps its ids. Event files are not touched: mapping tables
 * tell readers the new ids (sync/write/emit_local.c). */
#ifndef MEASURE_TRACE_ARCHIVE_ID_REMAPPING_H
#define MEASURE_TRACE_ARCHIVE_ID_REMAPPING_H

#include <otf2/otf2.h>

#include "trace/archive/definitions.h"
#include "trace/common/containers.h"

/* Of one kind. */
struct measure_id_numbers {
	uint64_t *ids; /* of what is kept, in order */
	size_t nr, room;
	struct measure_map first; /* id: its number; the first one where there are several */
	/* by record: its number among those kept, or MEASURE_NONE: dropped */
	MEASURE_GROWING(uint32_t, fates);
	bool is_changed; /* the numbers are the new ids */
};

struct measure_id_remapping {
	struct measure_id_numbers of[MEASURE_NR_KINDS];
	struct measure_map rank_groups; /* id of a group: number of the first that has ranks */
	uint32_t nr_repeated;           /* definitions dropped: the same is there already */
	uint32_t nr_conflicts;          /* another one has the id */
	uint32_t nr_lost;               /* among these: dropped, as there is no other id for it */
	/* before reading: drop all of them but groups. What is kept is what struct
	 * measure_definitions has, in its order */
	bool is_first_only;
};

/* Reads the global definitions. */
OTF2_ErrorCode measure_id_remapping_read(
	struct measure_id_remapping *numbering, OTF2_Reader *reader);
void measure_id_remapping_free(struct measure_id_remapping *numbering);

/* What an id in a definition or an event becomes. Ids that are not defined become undefined. */
uint64_t measure_new_id(
	const struct measure_id_remapping *numbering, enum measure_kind kind, uint64_t id);

/* The same for the group of a communicator: of several with this id one that has ranks. */
uint32_t measure_new_rank_group(const struct measure_id_remapping *numbering, uint32_t id);

/* Kind of what a value refers to. */
enum measure_kind measure_kind_of_value(OTF2_Type type);

#endif
