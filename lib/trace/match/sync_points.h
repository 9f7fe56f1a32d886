/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marks: the events that matter to others, each written once, where it is read. They lie in pieces
 * of fixed size, so that they never move, marks of several readers become one sequence by putting
 * the pieces together, and what is done with can be given back from the front. */
#ifndef MEASURE_TRACE_MATCH_SYNC_POINTS_H
#define MEASURE_TRACE_MATCH_SYNC_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "trace/common/containers.h"

/* 6 MiB */
#define MEASURE_MARKS_PER_PIECE 262144

/* No record has a greater number: positions have so many bits here. */
#define MEASURE_MARK_POSITION_BITS 44

struct measure_sync_point {
	uint64_t raw;
	uint64_t position : MEASURE_MARK_POSITION_BITS;
	uint64_t is_nonblocking : 1;
	/* What the matcher's user makes of it. */
	uint64_t is_send : 1;
	uint64_t is_pair : 1;
	uint64_t relation : 8;
	uint32_t location;
	uint32_t link; /* MEASURE_NONE at first */
};
_Static_assert(sizeof(struct measure_sync_point) == 24, "one of these per side of a message");

/* A mark is named by its number. Numbers increase, not always by one. */
struct measure_sync_points {
	MEASURE_GROWING(struct measure_sync_point *, pieces); /* NULL: given back */
	size_t end; /* greater than all numbers */
	const char *archive; /* that they are of */
};

/* Ends the tool, with a line, where a number is greater than what can name something here. */
void measure_sync_points_check(const struct measure_sync_points *marks, size_t number);

/* The number of a new mark, of which everything is set but the user's part. */
uint32_t measure_sync_points_add(
	struct measure_sync_points *marks, uint64_t raw, uint64_t position, uint32_t location);

static inline struct measure_sync_point *measure_mark_at(
	const struct measure_sync_points *marks, size_t number)
{
	return &marks->pieces[number / MEASURE_MARKS_PER_PIECE][number % MEASURE_MARKS_PER_PIECE];
}

/* Moves all marks of `others` behind those of `marks`. Returns what is added to their numbers. */
uint32_t measure_sync_points_append(
	struct measure_sync_points *marks, struct measure_sync_points *others);

/* Gives back the pieces that hold nothing but marks from `first` to before `end`. */
void measure_sync_points_give_back(struct measure_sync_points *marks, size_t first, size_t end);

void measure_sync_points_free(struct measure_sync_points *marks);

#endif
