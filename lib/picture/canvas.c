/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Surfaces, colours and text; see canvas.h. */
#include "config.h"

#include "canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/printable.h"

#define ELLIPSIS       "\u2026"
#define LONGEST_TEXT   512 /* bytes: more never fits */
#define HATCH_DISTANCE 4.0
#define HATCH_OPACITY  0.4

static const uint32_t inks[MEASURE_NR_INKS][2] = {
#define INK(NAME, light, dark) {light, dark},
#include "inks.def"
#undef INK
};

/* ------------------------------------------------------------------------- surfaces --- */

static cairo_status_t canvas_write(void *data, const unsigned char *bytes, unsigned length)
{
	return fwrite(bytes, 1, length, data) == length ? CAIRO_STATUS_SUCCESS
							: CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *canvas_surface(const struct measure_canvas *canvas, const char *title)
{
	const double width = canvas->width, height = canvas->height;
	cairo_surface_t *surface;

	switch (canvas->format) {
	case MEASURE_PICTURE_SVG:
		surface = cairo_svg_surface_create_for_stream(
			canvas_write, canvas->file, width, height);
		cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
		return surface;
	case MEASURE_PICTURE_PDF:
		surface = cairo_pdf_surface_create_for_stream(
			canvas_write, canvas->file, width, height);
		cairo_pdf_surface_set_metadata(
			surface, CAIRO_PDF_METADATA_TITLE, MEASURE_PRINTABLE(title));
		cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Measure");
		return surface;
	default:
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
	}
}

/* Letters have the same places whatever is drawn on. */
static void canvas_set_font(cairo_t *cairo)
{
	cairo_font_options_t *options = cairo_font_options_create();

	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(cairo, options);
	cairo_font_options_destroy(options);
}

static void canvas_use(struct measure_canvas *canvas, cairo_surface_t *surface)
{
	canvas->surface = surface;
	canvas->cairo = cairo_create(surface);
	canvas_set_font(canvas->cairo);
}

void measure_canvas_start(struct measure_canvas *canvas)
{
	canvas_use(canvas, cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
}

void measure_canvas_open(struct measure_canvas *canvas, const char *title)
{
	cairo_destroy(canvas->cairo);
	cairo_surface_destroy(canvas->surface);
	canvas_use(canvas, canvas_surface(canvas, title));
	measure_canvas_ink(canvas, MEASURE_INK_BACKGROUND);
	cairo_paint(canvas->cairo);
}

bool measure_canvas_close(struct measure_canvas *canvas)
{
	cairo_status_t status = cairo_status(canvas->cairo);

	errno = 0;
	if (status == CAIRO_STATUS_SUCCESS && canvas->format == MEASURE_PICTURE_PNG)
		status = cairo_surface_write_to_png_stream(
			canvas->surface, canvas_write, canvas->file);
	cairo_destroy(canvas->cairo);
	cairo_surface_finish(canvas->surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(canvas->surface);
	cairo_surface_destroy(canvas->surface);
	if (status == CAIRO_STATUS_SUCCESS)
		return true;
	if (errno == 0)
		errno = status == CAIRO_STATUS_NO_MEMORY ? ENOMEM : EIO;
	return false;
}

/* -------------------------------------------------------------------------- drawing --- */

static double ink_part(uint32_t ink, unsigned shift)
{
	return (double)(ink >> shift & 0xff) / 255;
}

void measure_canvas_shade(struct measure_canvas *canvas, enum measure_ink ink, double share)
{
	const uint32_t full = inks[ink][canvas->is_dark];
	const uint32_t none = inks[MEASURE_INK_BACKGROUND][canvas->is_dark];
	double parts[3];

	for (unsigned i = 0; i < 3; i++)
		parts[i] = share * ink_part(full, 16 - 8 * i) +
			   (1 - share) * ink_part(none, 16 - 8 * i);
	cairo_set_source_rgb(canvas->cairo, parts[0], parts[1], parts[2]);
}

void measure_canvas_ink(struct measure_canvas *canvas, enum measure_ink ink)
{
	measure_canvas_shade(canvas, ink, 1);
}

void measure_canvas_rectangle(
	struct measure_canvas *canvas, double x, double y, double width, double height)
{
	cairo_rectangle(canvas->cairo, x, y, width, height);
	cairo_fill(canvas->cairo);
}

void measure_canvas_hatch(struct measure_canvas *canvas)
{
	cairo_t *cairo = canvas->cairo;
	double left, top, right, bottom;

	cairo_save(cairo);
	cairo_path_extents(cairo, &left, &top, &right, &bottom);
	cairo_clip(cairo);
	cairo_set_source_rgba(cairo, 0, 0, 0, HATCH_OPACITY);
	cairo_set_line_width(cairo, 0.8);
	left -= fmod(left, HATCH_DISTANCE) + (bottom - top);
	for (double x = left; x < right; x += HATCH_DISTANCE) {
		cairo_move_to(cairo, x, bottom);
		cairo_line_to(cairo, x + (bottom - top), top);
	}
	cairo_stroke(cairo);
	cairo_restore(cairo);
}

void measure_canvas_line(
	struct measure_canvas *canvas, double x1, double y1, double x2, double y2, double width)
{
	cairo_set_line_width(canvas->cairo, width);
	cairo_move_to(canvas->cairo, x1, y1);
	cairo_line_to(canvas->cairo, x2, y2);
	cairo_stroke(canvas->cairo);
}

/* ----------------------------------------------------------------------------- text --- */

static void canvas_choose_font(
	struct measure_canvas *canvas, const struct measure_text_style *style)
{
	cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
		style->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(canvas->cairo, style->size);
}

static double canvas_advance(struct measure_canvas *canvas, const char *text)
{
	cairo_text_extents_t extents;

	cairo_text_extents(canvas->cairo, text, &extents);
	return extents.x_advance;
}

double measure_canvas_text_width(
	struct measure_canvas *canvas, const struct measure_text_style *style, const char *text)
{
	char buffer[LONGEST_TEXT];

	canvas_choose_font(canvas, style);
	return canvas_advance(canvas, measure_printable(text, buffer, sizeof(buffer)));
}

/* The text with so many of its bytes, or few less, and an ellipsis. */
static void cut_text(const char *text, size_t nr, bool keeps_end, char *out, size_t size)
{
	if (keeps_end) {
		snprintf(out, size, "%s%s", ELLIPSIS, measure_text_end(text, nr));
		return;
	}
	while (nr > 0 && ((unsigned char)text[nr] & 0xc0) == 0x80)
		nr--;
	snprintf(out, size, "%.*s%s", (int)nr, text, ELLIPSIS);
}

/* The most of the text that fits; false: nothing does. */
static bool canvas_fit_text(struct measure_canvas *canvas, const struct measure_text_style *style,
	double room, const char *text, char *out, size_t size)
{
	size_t fitting = 0, too_many = strlen(text);

	if (too_many < size - sizeof(ELLIPSIS) && canvas_advance(canvas, text) <= room) {
		strcpy(out, text);
		return true;
	}
	too_many = too_many < size - sizeof(ELLIPSIS) ? too_many : size - sizeof(ELLIPSIS);
	while (too_many - fitting > 1) {
		const size_t nr = fitting + (too_many - fitting) / 2;

		cut_text(text, nr, style->keeps_end, out, size);
		if (canvas_advance(canvas, out) <= room)
			fitting = nr;
		else
			too_many = nr;
	}
	cut_text(text, fitting, style->keeps_end, out, size);
	return fitting > 0;
}

void measure_canvas_text(struct measure_canvas *canvas, const struct measure_text_style *style,
	double x, double y, double room, const char *text)
{
	char buffer[MEASURE_PRINTABLE_SIZE], fitting[LONGEST_TEXT];

	canvas_choose_font(canvas, style);
	text = measure_printable(text, buffer, sizeof(buffer));
	if (!canvas_fit_text(canvas, style, room, text, fitting, sizeof(fitting)))
		return;
	if (style->side != MEASURE_TEXT_LEFT)
		x -= canvas_advance(canvas, fitting) / (style->side == MEASURE_TEXT_CENTRE ? 2 : 1);
	measure_canvas_ink(canvas, style->ink);
	cairo_move_to(canvas->cairo, x, y);
	cairo_show_text(canvas->cairo, fitting);
}
