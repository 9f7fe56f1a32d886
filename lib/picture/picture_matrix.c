/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The communication matrix: a cell for each pair of processes, the darker the more bytes. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "analysis/report/profile_report.h"
#include "picture_internal.h"

#define LEAST_CELL  3.0 /* smaller ones are merged */
#define MOST_CELL   40.0
#define SIDE        560.0
#define LEAST_WIDTH 480.0
#define NAMES       110.0 /* room for names of processes, left and below */
#define SCALE       70.0  /* room for the scale, at the right */
#define DARKEST     1.0
#define LIGHTEST    0.08

/* Processes that send or receive, some to a cell. */
struct traffic_matrix {
	uint32_t *places;    /* by process: from 0; MEASURE_NONE: it has no messages */
	uint32_t *processes; /* the other way round */
	size_t nr, each, nr_cells;
	double *bytes; /* nr_cells x nr_cells: [sender][receiver] */
	double least, most;
};

static const struct measure_profile_table *message_table(const struct measure_picture *picture)
{
	return &picture->facts->waits->profile.tables[MEASURE_TABLE_MESSAGES];
}

static void matrix_find_processes(struct traffic_matrix *matrix,
	const struct measure_profile_table *table, size_t nr_processes)
{
	bool *is_there = measure_zeroed(nr_processes, sizeof(*is_there));

	for (size_t i = 0; i < table->nr; i++) {
		if (table->keys[i].high < nr_processes)
			is_there[table->keys[i].high] = true;
		if (table->keys[i].low < nr_processes)
			is_there[table->keys[i].low] = true;
	}
	matrix->places = measure_zeroed(nr_processes, sizeof(*matrix->places));
	matrix->processes = measure_zeroed(nr_processes, sizeof(*matrix->processes));
	for (uint32_t i = 0; i < nr_processes; i++) {
		if (is_there[i])
			matrix->processes[matrix->nr] = i;
		matrix->places[i] = is_there[i] ? (uint32_t)matrix->nr++ : MEASURE_NONE;
	}
	measure_free(is_there);
}

static void matrix_sum(struct traffic_matrix *matrix, const struct measure_profile_table *table,
	size_t nr_processes)
{
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_MESSAGES);
	const size_t nr_cells = matrix->nr_cells;

	matrix->bytes = measure_zeroed(nr_cells * nr_cells, sizeof(*matrix->bytes));
	for (size_t i = 0; i < table->nr; i++) {
		const struct measure_key *key = &table->keys[i];

		if (key->high >= nr_processes || key->low >= nr_processes)
			continue;
		matrix->bytes[matrix->places[key->high] / matrix->each * nr_cells +
			      matrix->places[key->low] / matrix->each] +=
			(double)measure_cell(&table->values[i * width], MESSAGES, BYTES);
	}
	for (size_t i = 0; i < nr_cells * nr_cells; i++) {
		const double bytes = matrix->bytes[i];

		matrix->most = fmax(matrix->most, bytes);
		if (bytes > 0 && (matrix->least == 0 || bytes < matrix->least))
			matrix->least = bytes;
	}
}

/* A logarithmic scale; with one value only it is the darkest. */
static double matrix_shade(const struct traffic_matrix *matrix, double bytes)
{
	if (matrix->least >= matrix->most)
		return DARKEST;
	return LIGHTEST + (DARKEST - LIGHTEST) * log(bytes / matrix->least) /
				  log(matrix->most / matrix->least);
}

/* --------------------------------------------------------------------------- drawing --- */

static void matrix_draw_cells(struct measure_canvas *canvas, const struct traffic_matrix *matrix,
	double left, double top, double cell)
{
	const double gap = cell > 8 ? 1 : 0;

	measure_canvas_ink(canvas, MEASURE_INK_EMPTY);
	measure_canvas_rectangle(canvas, left, top, cell * (double)matrix->nr_cells,
		cell * (double)matrix->nr_cells);
	for (size_t i = 0; i < matrix->nr_cells * matrix->nr_cells; i++) {
		if (matrix->bytes[i] <= 0)
			continue;
		measure_canvas_shade(
			canvas, MEASURE_INK_MEMORY, matrix_shade(matrix, matrix->bytes[i]));
		measure_canvas_rectangle(canvas, left + cell * (double)(i % matrix->nr_cells),
			top + cell * (double)(i / matrix->nr_cells), cell - gap, cell - gap);
	}
}

static const char *matrix_name(const struct measure_picture *picture,
	const struct traffic_matrix *matrix, size_t cell, char *buffer, size_t size)
{
	return measure_key_text(&picture->facts->waits->profile, MEASURE_KEY_PROCESS,
		matrix->processes[cell * matrix->each], buffer, size);
}

/* As many names as have room. */
static void matrix_draw_names(struct measure_picture *picture, const struct traffic_matrix *matrix,
	double left, double top, double cell)
{
	struct measure_text_style style = {.ink = MEASURE_INK_TEXT,
		.size = MEASURE_CANVAS_PLAIN,
		.side = MEASURE_TEXT_RIGHT,
		.keeps_end = true};
	struct measure_canvas *canvas = &picture->canvas;
	const double bottom = top + cell * (double)matrix->nr_cells;
	const size_t each = (size_t)ceil(14 / cell);
	char buffer[MEASURE_REPORT_NAME];

	for (size_t i = 0; i < matrix->nr_cells; i += each) {
		const char *name = matrix_name(picture, matrix, i, buffer, sizeof(buffer));
		const double middle = ((double)i + 0.5) * cell;

		measure_canvas_text(canvas, &style, left - 6, top + middle + 4, NAMES - 22, name);
		cairo_save(canvas->cairo);
		cairo_translate(canvas->cairo, left + middle + 4, bottom + 6);
		cairo_rotate(canvas->cairo, -M_PI / 2);
		measure_canvas_text(canvas, &style, 0, 0, NAMES - 28, name);
		cairo_restore(canvas->cairo);
	}
}

static void matrix_draw_titles(
	struct measure_canvas *canvas, double left, double top, double bottom, double middle)
{
	const struct measure_text_style style = {.ink = MEASURE_INK_FAINT,
		.size = MEASURE_CANVAS_PLAIN,
		.side = MEASURE_TEXT_CENTRE};

	measure_canvas_text(canvas, &style, middle, bottom + NAMES - 8, SIDE, "receiver");
	cairo_save(canvas->cairo);
	cairo_translate(canvas->cairo, left - NAMES + 12, (top + bottom) / 2);
	cairo_rotate(canvas->cairo, -M_PI / 2);
	measure_canvas_text(canvas, &style, 0, 0, SIDE, "sender");
	cairo_restore(canvas->cairo);
}

static void matrix_draw_scale(struct measure_canvas *canvas, const struct traffic_matrix *matrix,
	double left, double top, double height)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_FAINT, .size = MEASURE_CANVAS_PLAIN};
	const unsigned nr_steps = 24;
	char text[MEASURE_FIGURE_TEXT];

	for (unsigned i = 0; i < nr_steps; i++) {
		const double share = 1 - (i + 0.5) / nr_steps;

		measure_canvas_shade(canvas, MEASURE_INK_MEMORY,
			matrix->least < matrix->most ? LIGHTEST + (DARKEST - LIGHTEST) * share
						     : DARKEST);
		measure_canvas_rectangle(
			canvas, left, top + height * i / nr_steps, 14, height / nr_steps);
	}
	measure_canvas_text(canvas, &style, left + 20, top + 9, SCALE,
		measure_figure_size((uint64_t)matrix->most, text));
	if (matrix->least < matrix->most)
		measure_canvas_text(canvas, &style, left + 20, top + height, SCALE,
			measure_figure_size((uint64_t)matrix->least, text));
}

static void matrix_draw(struct measure_picture *picture, struct traffic_matrix *matrix)
{
	struct measure_canvas *canvas = &picture->canvas;
	const double usual = fmin(SIDE, MOST_CELL * (double)matrix->nr_cells);
	const double height = measure_picture_height(picture, usual + NAMES);

	picture->usual_width = fmax(LEAST_WIDTH, usual + NAMES + 2 * SCALE);

	const double room =
		fmax(1, fmin(height - NAMES, measure_picture_width(picture) - NAMES - SCALE));
	const double cell = fmin(MOST_CELL, room / (double)matrix->nr_cells);
	const struct measure_picture_box box =
		measure_picture_begin(picture, "Messages: bytes from process to process", height);
	const double left = box.x + NAMES, side = cell * (double)matrix->nr_cells;

	matrix_draw_cells(canvas, matrix, left, box.y, cell);
	matrix_draw_names(picture, matrix, left, box.y, cell);
	matrix_draw_titles(canvas, left, box.y, box.y + side, left + side / 2);
	matrix_draw_scale(canvas, matrix, left + side + 20, box.y, fmin(side, 160));
	if (matrix->each > 1)
		snprintf(picture->note, MEASURE_PICTURE_NOTE, "each cell has %s x %s processes",
			measure_figure(matrix->each), measure_figure(matrix->each));
}

bool measure_picture_draw_matrix(struct measure_picture *picture)
{
	const struct measure_profile_table *table = message_table(picture);
	const size_t nr_processes =
		picture->facts->waits->profile.trace->definitions.nr_location_groups;
	struct traffic_matrix matrix = {0};

	matrix_find_processes(&matrix, table, nr_processes);
	if (matrix.nr > 0) {
		matrix.each = (size_t)ceil((double)matrix.nr * LEAST_CELL / SIDE);
		matrix.nr_cells = (matrix.nr + matrix.each - 1) / matrix.each;
		matrix_sum(&matrix, table, nr_processes);
		matrix_draw(picture, &matrix);
	}
	measure_free(matrix.places);
	measure_free(matrix.processes);
	measure_free(matrix.bytes);
	return matrix.nr > 0;
}
