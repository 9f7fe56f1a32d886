/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bars of a time line; see timeline_bars.h. */
#include "config.h"

#include "timeline_bars.h"

#include <math.h>
#include <string.h>

#define LEAST_LABEL 24.0 /* width */
#define SHORT       1.5  /* pieces that do not interrupt a name */
#define MOSTLY      0.7  /* of a place that has a name */
#define STEP        0.5  /* of heights in a stack */

void timeline_bars_free(struct timeline_bars *bars)
{
	for (unsigned i = 0; i < MEASURE_NR_INKS; i++)
		measure_free(bars->paints[i].rectangles);
	measure_free(bars->labels);
}

/* Columns of one pixel are lines: in an SVG file they take a third of what rectangles take. */
static void paint_draw(cairo_t *cairo, const struct timeline_paint *paint, bool are_columns)
{
	for (size_t i = 0; i < paint->nr_rectangles; i++) {
		const struct timeline_rectangle *place = &paint->rectangles[i];

		if ((place->width == 1) != are_columns)
			continue;
		if (are_columns) {
			cairo_move_to(cairo, place->x + 0.5, place->y);
			cairo_line_to(cairo, place->x + 0.5, place->y + place->height);
		} else {
			cairo_rectangle(cairo, place->x, place->y, place->width, place->height);
		}
	}
	if (!cairo_has_current_point(cairo))
		return;
	if (are_columns)
		cairo_stroke(cairo);
	else
		cairo_fill(cairo);
}

void timeline_bars_draw(struct measure_canvas *canvas, const struct timeline_bars *bars)
{
	cairo_new_path(canvas->cairo);
	cairo_set_line_width(canvas->cairo, 1);
	for (unsigned i = 0; i < MEASURE_NR_INKS; i++) {
		measure_canvas_ink(canvas, (enum measure_ink)i);
		paint_draw(canvas->cairo, &bars->paints[i], false);
		paint_draw(canvas->cairo, &bars->paints[i], true);
	}
}

static void bars_put(
	struct timeline_bars *bars, enum measure_ink ink, const struct timeline_rectangle *place)
{
	*measure_append(&bars->paints[ink], rectangles) = *place;
}

/* ------------------------------------------------------------------------------ stacks --- */

static void stack_end(struct timeline_stack *stack)
{
	double y = stack->y + stack->height;

	for (unsigned i = 0; i < MEASURE_NR_INKS && stack->from < stack->until; i++) {
		if (stack->parts[i] <= 0)
			continue;
		y -= stack->parts[i];
		bars_put(stack->bars, (enum measure_ink)i,
			&(struct timeline_rectangle){
				stack->from, y, stack->until - stack->from, stack->parts[i]});
	}
	stack->from = stack->until;
}

/* From shares of the height to steps; what they have together is what they should have. */
static void stack_round(
	struct timeline_stack *stack, const double *shares, double parts[MEASURE_NR_INKS])
{
	double all = 0, rounded = 0, wish[MEASURE_NR_INKS];
	unsigned most = 0;

	for (unsigned i = 0; i < MEASURE_NR_INKS; i++) {
		const double height = i == MEASURE_INK_WAITING ? 0 : shares[i] * stack->height;

		wish[i] = height + stack->left_over[i];
		parts[i] = height > 0 ? fmax(0, round(wish[i] / STEP) * STEP) : 0;
		all += height;
		rounded += parts[i];
		most = parts[i] > parts[most] ? i : most;
	}
	parts[most] = fmax(0, parts[most] + fmin(all, stack->height) - rounded);
	for (unsigned i = 0; i < MEASURE_NR_INKS; i++)
		stack->left_over[i] = wish[i] - parts[i];
}

/* A column at x. */
static void stack_add(struct timeline_stack *stack, double x, const double *shares)
{
	double parts[MEASURE_NR_INKS];

	stack_round(stack, shares, parts);
	if (stack->until != x || memcmp(parts, stack->parts, sizeof(parts)) != 0) {
		stack_end(stack);
		stack->from = x;
		memcpy(stack->parts, parts, sizeof(parts));
	}
	stack->until = x + 1;
}

/* ---------------------------------------------------------------- of one location --- */

void timeline_bar_start(
	struct timeline_bar *bar, struct timeline_bars *bars, double left, double y, double height)
{
	*bar = (struct timeline_bar){.bars = bars,
		.left = left,
		.y = y,
		.height = height,
		.column = -1,
		.stack = {.bars = bars, .y = y, .height = height}};
}

static void bar_put_last(struct timeline_bar *bar)
{
	const struct timeline_piece *last = &bar->last;
	const struct timeline_rectangle place = {
		bar->left + last->from, bar->y, last->until - last->from, bar->height};

	if (last->from >= last->until)
		return;
	bars_put(bar->bars, last->ink, &place);
	bar->last.from = bar->last.until;
}

/* As high as the bar. */
static void bar_put_piece(struct timeline_bar *bar, const struct timeline_piece *piece)
{
	struct timeline_piece *last = &bar->last;

	if (last->from < last->until && last->until == piece->from && last->ink == piece->ink &&
		last->region == piece->region) {
		last->until = piece->until;
		return;
	}
	bar_put_last(bar);
	*last = *piece;
}

static void bar_close_column(struct timeline_bar *bar)
{
	if (bar->column < 0)
		return;
	if (bar->nr_pieces > TIMELINE_PIECES)
		stack_add(&bar->stack, bar->left + bar->column, bar->shares);
	else
		for (unsigned i = 0; i < bar->nr_pieces; i++)
			bar_put_piece(bar, &bar->pieces[i]);
	bar->column = -1;
	bar->nr_pieces = 0;
	memset(bar->shares, 0, sizeof(bar->shares));
}

static void bar_add_to_column(struct timeline_bar *bar, const struct timeline_piece *piece)
{
	bar->shares[piece->ink] += piece->until - piece->from;
	if (bar->nr_pieces < TIMELINE_PIECES)
		bar->pieces[bar->nr_pieces] = *piece;
	if (bar->nr_pieces <= TIMELINE_PIECES)
		bar->nr_pieces++;
}

static void bar_end_name(struct timeline_bar *bar)
{
	const struct timeline_piece *named = &bar->named;
	const struct timeline_rectangle place = {
		bar->left + named->from, bar->y, named->until - named->from, bar->height};

	if (place.width >= LEAST_LABEL && bar->named_width >= MOSTLY * place.width)
		*measure_append(bar->bars, labels) = (struct timeline_label){place, named->region};
}

/* What is short does not interrupt a name. */
static void bar_name(struct timeline_bar *bar, const struct timeline_piece *piece)
{
	struct timeline_piece *named = &bar->named;
	const double width = piece->until - piece->from, distance = piece->from - named->until;

	if (piece->region == named->region && distance < SHORT) {
		named->until = piece->until;
		bar->named_width += width;
	} else if (width >= SHORT || distance >= SHORT || width > bar->named_width) {
		bar_end_name(bar);
		*named = *piece;
		bar->named_width = width;
	}
}

void timeline_bar_add(struct timeline_bar *bar, const struct timeline_piece *piece)
{
	struct timeline_piece part = *piece;

	bar_name(bar, piece);
	while (part.from < piece->until) {
		const double column = floor(part.from);

		if (column != bar->column)
			bar_close_column(bar);
		if (bar->column < 0 && part.from == column && floor(piece->until) > column) {
			part.until = floor(piece->until); /* whole columns */
			bar_put_piece(bar, &part);
		} else {
			bar->column = column;
			part.until = fmin(piece->until, column + 1);
			bar_add_to_column(bar, &part);
		}
		part.from = part.until;
	}
}

void timeline_bar_end(struct timeline_bar *bar)
{
	bar_close_column(bar);
	bar_put_last(bar);
	bar_end_name(bar);
	stack_end(&bar->stack);
}

/* ---------------------------------------------------------------- of several of them --- */

void timeline_sums_start(struct timeline_sums *sums, double width)
{
	sums->nr_columns = (size_t)ceil(width) + 1;
	sums->widths = measure_zeroed(sums->nr_columns * MEASURE_NR_INKS, sizeof(*sums->widths));
}

void timeline_sums_free(struct timeline_sums *sums)
{
	measure_free(sums->widths);
}

void timeline_sums_add(struct timeline_sums *sums, const struct timeline_piece *piece)
{
	double from = piece->from;

	while (from < piece->until) {
		const size_t column = (size_t)from;
		const double until = fmin(piece->until, (double)column + 1);

		if (column >= sums->nr_columns)
			return;
		sums->widths[column * MEASURE_NR_INKS + piece->ink] += until - from;
		from = until;
	}
}

bool timeline_sums_have(const struct timeline_sums *sums, enum measure_ink ink)
{
	for (size_t i = 0; i < sums->nr_columns; i++)
		if (sums->widths[i * MEASURE_NR_INKS + ink] > 0)
			return true;
	return false;
}

void timeline_sums_stack(const struct timeline_sums *sums, struct timeline_bars *bars, double left,
	double y, double height, size_t nr)
{
	struct timeline_stack stack = {.bars = bars, .y = y, .height = height};
	double shares[MEASURE_NR_INKS];

	for (size_t i = 0; i < sums->nr_columns; i++) {
		for (unsigned j = 0; j < MEASURE_NR_INKS; j++)
			shares[j] = sums->widths[i * MEASURE_NR_INKS + j] / (double)nr;
		stack_add(&stack, left + (double)i, shares);
	}
	stack_end(&stack);
}

/* Of all colours that may be waiting: those below what is outside of calls. */
static double column_sum(const double *widths)
{
	double sum = 0;

	for (unsigned i = 0; i < MEASURE_INK_OUTSIDE; i++)
		sum += i == MEASURE_INK_WAITING ? 0 : widths[i];
	return sum;
}

void timeline_sums_outline_waits(const struct timeline_sums *sums, struct measure_canvas *canvas,
	double left, double y, double height, size_t nr)
{
	for (size_t i = 0; i < sums->nr_columns; i++) {
		const double *widths = &sums->widths[i * MEASURE_NR_INKS];
		const double scale = height / (double)nr;
		const double sum = column_sum(widths) * scale;
		const double waiting = fmin(sum, widths[MEASURE_INK_WAITING] * scale);

		if (waiting > 0)
			cairo_rectangle(
				canvas->cairo, left + (double)i, y + height - sum, 1, waiting);
	}
}
