/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The bars of a time line: rectangles, by colour. What is drawn of a colour has the area of the
 * time that it stands for. In a column of a pixel with few pieces they stand beside each other,
 * exactly; of more, one on the other: in steps, so that columns that hardly differ are one
 * rectangle, and what a step leaves over counts for the next column. */
#ifndef MEASURE_PICTURE_TIMELINE_BARS_H
#define MEASURE_PICTURE_TIMELINE_BARS_H

#include "picture/canvas.h"
#include "trace/common/containers.h"

struct timeline_rectangle {
	double x, y, width, height;
};

/* Of one colour. */
struct timeline_paint {
	MEASURE_GROWING(struct timeline_rectangle, rectangles);
};

/* A place that has room for a name: a region that is hardly interrupted there. */
struct timeline_label {
	struct timeline_rectangle place;
	uint32_t region;
};

struct timeline_bars {
	struct timeline_paint paints[MEASURE_NR_INKS];
	MEASURE_GROWING(struct timeline_label, labels);
};

/* Columns that look the same, one ink on the other. */
struct timeline_stack {
	struct timeline_bars *bars;
	double y, height;
	double from, until;                /* x; equal: there is none */
	double parts[MEASURE_NR_INKS];     /* heights */
	double left_over[MEASURE_NR_INKS]; /* of the columns so far, less what was drawn */
};

void timeline_bars_free(struct timeline_bars *bars);

/* Where nothing else is drawn. */
void timeline_bars_draw(struct measure_canvas *canvas, const struct timeline_bars *bars);

/* --------------------------------------------------------------- of one location --- */

#define TIMELINE_PIECES 2

struct timeline_piece {
	double from, until; /* x */
	enum measure_ink ink;
	uint32_t region;
};

/* A bar that is being made, from left to right. */
struct timeline_bar {
	struct timeline_bars *bars;
	double left, y, height;
	double column; /* that is open, a whole number; -1: none */
	struct timeline_piece pieces[TIMELINE_PIECES];
	unsigned nr_pieces;             /* so many or more */
	double shares[MEASURE_NR_INKS]; /* of the column */
	struct timeline_piece last;     /* as high as the bar; may go on. from == until: none */
	struct timeline_stack stack;
	struct timeline_piece named; /* where the name of its region could stand */
	double named_width;          /* what of that is of the region */
};

void timeline_bar_start(
	struct timeline_bar *bar, struct timeline_bars *bars, double left, double y, double height);
/* x: from 0 on at `left`; no less than the end of the piece before. */
void timeline_bar_add(struct timeline_bar *bar, const struct timeline_piece *piece);
void timeline_bar_end(struct timeline_bar *bar);

/* -------------------------------------------------------------- of several of them --- */

/* Sums by column and colour. */
struct timeline_sums {
	size_t nr_columns;
	double *widths; /* nr_columns x MEASURE_NR_INKS; MEASURE_INK_WAITING: part of the others */
};

void timeline_sums_start(struct timeline_sums *sums, double width);
void timeline_sums_free(struct timeline_sums *sums);
void timeline_sums_add(struct timeline_sums *sums, const struct timeline_piece *piece);

bool timeline_sums_have(const struct timeline_sums *sums, enum measure_ink ink);

/* One on the other, all of nr together as high as the bar. */
void timeline_sums_stack(const struct timeline_sums *sums, struct timeline_bars *bars, double left,
	double y, double height, size_t nr);

/* A path around what of it was waiting, from the top down. */
void timeline_sums_outline_waits(const struct timeline_sums *sums, struct measure_canvas *canvas,
	double left, double y, double height, size_t nr);

#endif
