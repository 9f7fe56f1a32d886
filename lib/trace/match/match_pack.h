/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where several programs read an archive together, each some of its processes: what one has to tell
 * the others so that each can match what its own processes took part in. Messages and epochs go to
 * the reader of the other side, collectives to the readers of members; of events only what a
 * partner needs, which is no time. Or one of them matches everything: it is told all. The programs
 * must be of one build. */
#ifndef MEASURE_TRACE_MATCH_MATCH_PACK_H
#define MEASURE_TRACE_MATCH_MATCH_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "match.h"

struct measure_pack {
	char *data;
	size_t size, room;
	bool is_whole; /* times are in it */
};

struct measure_packing {
	const struct measure_trace *trace;
	uint32_t own, nr_readers;
	uint32_t *readers;          /* by process */
	struct measure_pack *packs; /* by reader */
	bool **members;             /* by communicator, by reader; made when needed */
};

/* `readers`: of the locations. */
void measure_packing_start(struct measure_packing *packing, const struct measure_trace *trace,
	const uint32_t *readers, uint32_t own, uint32_t nr_readers);

/* Of one pack, of all that there is, for one reader that has read nothing of it. */
void measure_packing_start_whole(
	struct measure_packing *packing, const struct measure_trace *trace);
void measure_packing_free(struct measure_packing *packing);

/* Adds what a match has read, which must be whole processes, to the packs of the others. To be
 * called before it is joined to another. `place`: where that begins, in reading order. */
void measure_match_pack(
	const struct measure_match *match, size_t place, struct measure_packing *packing);

/* A pack as it comes from another reader. */
struct measure_unpacking {
	const char *data, *end;
	bool is_whole; /* as the pack is */
};

/* Where the next match of a pack begins; SIZE_MAX: there are no more. */
size_t measure_match_next(const struct measure_unpacking *unpacking);

/* Makes a new match, to be joined, of the next one. */
void measure_match_unpack(struct measure_match *match, struct measure_unpacking *unpacking);

#endif
