/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A sheet to draw on, by cairo: a PNG, SVG or PDF file, its colours, and text that stays in its
 * place. Lengths are pixels of a PNG, and points of a PDF; y points down. */
#ifndef MEASURE_PICTURE_CANVAS_H
#define MEASURE_PICTURE_CANVAS_H

#include <cairo.h>
#include <stdbool.h>
#include <stdio.h>

#include "picture.h"

enum measure_ink {
#define INK(NAME, light, dark) MEASURE_INK_##NAME,
#include "inks.def"
#undef INK
	MEASURE_NR_INKS
};

/* Sizes of letters: few, as an SVG file has the shapes of each. */
#define MEASURE_CANVAS_PLAIN 11.0
#define MEASURE_CANVAS_TITLE 15.0

struct measure_canvas {
	cairo_surface_t *surface;
	cairo_t *cairo;
	FILE *file;
	enum measure_picture_format format;
	bool is_dark;
	double width, height;
};

/* From now on texts can be measured: where there is no sheet yet. */
void measure_canvas_start(struct measure_canvas *canvas);

/* Begins the sheet, of width x height. The title is for programs that list documents. */
void measure_canvas_open(struct measure_canvas *canvas, const char *title);

/* Frees all. False: it could not be written, errno says why. The file stays open. */
bool measure_canvas_close(struct measure_canvas *canvas);

void measure_canvas_ink(struct measure_canvas *canvas, enum measure_ink ink);

/* A shade between the background, at 0, and an ink, at 1. */
void measure_canvas_shade(struct measure_canvas *canvas, enum measure_ink ink, double share);

void measure_canvas_rectangle(
	struct measure_canvas *canvas, double x, double y, double width, double height);

/* Oblique lines over all of a path that has been begun, which is used up. */
void measure_canvas_hatch(struct measure_canvas *canvas);

void measure_canvas_line(
	struct measure_canvas *canvas, double x1, double y1, double x2, double y2, double width);

/* ---------------------------------------------------------------------------- text --- */

enum measure_text_side { MEASURE_TEXT_LEFT, MEASURE_TEXT_CENTRE, MEASURE_TEXT_RIGHT };

struct measure_text_style {
	enum measure_ink ink;
	double size;
	enum measure_text_side side; /* what of it is at x */
	bool is_bold;
	bool keeps_end; /* what does not fit loses its begin, else its end */
};

/* Of any bytes: what cannot be shown is escaped. */
double measure_canvas_text_width(
	struct measure_canvas *canvas, const struct measure_text_style *style, const char *text);

/* On a base line. What is wider than `room` gets an ellipsis; where not even that has room,
 * nothing is written. */
void measure_canvas_text(struct measure_canvas *canvas, const struct measure_text_style *style,
	double x, double y, double room, const char *text);

#endif
