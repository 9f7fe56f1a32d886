/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pieces of marks. */
#include "config.h"

#include "marks.h"

#include "large.h"
#include "store.h"

#define PIECE_SIZE (MEASURE_MARKS_PER_PIECE * sizeof(struct measure_mark))

static void add_piece(struct measure_marks *marks)
{
	marks->pieces = measure_grow(
		marks->pieces, marks->nr_pieces, &marks->room_pieces, sizeof(*marks->pieces));
	marks->pieces[marks->nr_pieces++] = measure_large(PIECE_SIZE, true);
}

/* Names are of 32 bits, and the last one is none. */
void measure_marks_check(const struct measure_marks *marks, size_t number)
{
	if (number >= MEASURE_NONE)
		measure_end("%s: more than %u events that others depend on are too many for one "
			    "process; start several: mpirun -n K measure-sync",
			marks->archive, MEASURE_NONE);
}

uint32_t measure_marks_add(
	struct measure_marks *marks, uint64_t raw, uint64_t position, uint32_t location)
{
	const size_t number = marks->end;

	measure_marks_check(marks, number);
	if (number == marks->nr_pieces * MEASURE_MARKS_PER_PIECE)
		add_piece(marks);
	*measure_mark_at(marks, number) = (struct measure_mark){.raw = raw,
		.position = position & ((UINT64_C(1) << MEASURE_MARK_POSITION_BITS) - 1),
		.location = location,
		.link = MEASURE_NONE};
	marks->end++;
	return (uint32_t)number;
}

uint32_t measure_marks_append(struct measure_marks *marks, struct measure_marks *others)
{
	const size_t base = marks->nr_pieces * MEASURE_MARKS_PER_PIECE;

	measure_marks_check(marks, base + others->end);
	for (size_t i = 0; i < others->nr_pieces; i++) {
		marks->pieces = measure_grow(marks->pieces, marks->nr_pieces, &marks->room_pieces,
			sizeof(*marks->pieces));
		marks->pieces[marks->nr_pieces++] = others->pieces[i];
	}
	if (others->nr_pieces > 0)
		marks->end = base + others->end;
	measure_free(others->pieces);
	*others = (struct measure_marks){.archive = others->archive};
	return (uint32_t)base;
}

void measure_marks_give_back(struct measure_marks *marks, size_t first, size_t end)
{
	size_t from = (first + MEASURE_MARKS_PER_PIECE - 1) / MEASURE_MARKS_PER_PIECE;

	for (size_t i = from; (i + 1) * MEASURE_MARKS_PER_PIECE <= end; i++) {
		measure_free(marks->pieces[i]);
		marks->pieces[i] = NULL;
	}
}

void measure_marks_free(struct measure_marks *marks)
{
	for (size_t i = 0; i < marks->nr_pieces; i++)
		measure_free(marks->pieces[i]);
	measure_free(marks->pieces);
	*marks = (struct measure_marks){.archive = marks->archive};
}
