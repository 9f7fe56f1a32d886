/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pieces of marks. */
#include "config.h"

#include "sync_points.h"

#include "trace/common/spilling_alloc.h"
#include "trace/common/containers.h"

#define PIECE_SIZE (MEASURE_MARKS_PER_PIECE * sizeof(struct measure_sync_point))

static void add_piece(struct measure_sync_points *marks)
{
	*measure_append(marks, pieces) = measure_spill(PIECE_SIZE, true);
}

/* Names are of 32 bits, and the last one is none. */
void measure_sync_points_check(const struct measure_sync_points *marks, size_t number)
{
	if (number >= MEASURE_NONE)
		measure_end("%s: more than %u synchronising events are too many for one process; "
			    "use several: mpirun -n K measure-sync",
			marks->archive, MEASURE_NONE);
}

uint32_t measure_sync_points_add(
	struct measure_sync_points *marks, uint64_t raw, uint64_t position, uint32_t location)
{
	const size_t number = marks->end;

	measure_sync_points_check(marks, number);
	if (number == marks->nr_pieces * MEASURE_MARKS_PER_PIECE)
		add_piece(marks);
	*measure_mark_at(marks, number) = (struct measure_sync_point){.raw = raw,
		.position = position & ((UINT64_C(1) << MEASURE_MARK_POSITION_BITS) - 1),
		.location = location,
		.link = MEASURE_NONE};
	marks->end++;
	return (uint32_t)number;
}

uint32_t measure_sync_points_append(
	struct measure_sync_points *marks, struct measure_sync_points *others)
{
	const size_t base = marks->nr_pieces * MEASURE_MARKS_PER_PIECE;

	measure_sync_points_check(marks, base + others->end);
	for (size_t i = 0; i < others->nr_pieces; i++)
		*measure_append(marks, pieces) = others->pieces[i];

	if (others->nr_pieces > 0)
		marks->end = base + others->end;
	measure_free(others->pieces);
	*others = (struct measure_sync_points){.archive = others->archive};
	return (uint32_t)base;
}

void measure_sync_points_give_back(struct measure_sync_points *marks, size_t first, size_t end)
{
	size_t from = (first + MEASURE_MARKS_PER_PIECE - 1) / MEASURE_MARKS_PER_PIECE;

	for (size_t i = from; (i + 1) * MEASURE_MARKS_PER_PIECE <= end; i++) {
		measure_free(marks->pieces[i]);
		marks->pieces[i] = NULL;
	}
}

void measure_sync_points_free(struct measure_sync_points *marks)
{
	for (size_t i = 0; i < marks->nr_pieces; i++)
		measure_free(marks->pieces[i]);
	measure_free(marks->pieces);
	*marks = (struct measure_sync_points){.archive = marks->archive};
}
