/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sheet of a picture: its size, title and colours. */
#include "config.h"

#include <math.h>

#include "picture_internal.h"

#define MARGIN MEASURE_PICTURE_LEFT
#define HEAD   MEASURE_PICTURE_TOP /* title and what ran */

static void picture_describe(const struct measure_picture *picture, char *text, size_t size)
{
	const struct measure_waits *waits = picture->facts->waits;
	const struct measure_definitions *definitions = &waits->profile.trace->definitions;
	const size_t processes = definitions->nr_processes;
	char run[MEASURE_FIGURE_TEXT];

	snprintf(text, size, "%s: %s process%s, %s thread%s, %s", picture->facts->name,
		measure_figure(processes), processes == 1 ? "" : "es",
		measure_figure(waits->profile.nr_locations),
		waits->profile.nr_locations == 1 ? "" : "s",
		measure_figure_seconds(
			measure_profile_seconds(&waits->profile, measure_waits_run_ticks(waits)),
			run));
}

double measure_picture_height(const struct measure_picture *picture, double height)
{
	const double wish = picture->options->height;

	return wish > 0 ? fmax(wish - HEAD - MARGIN, 1) : height;
}

double measure_picture_width(const struct measure_picture *picture)
{
	const double wish = picture->options->width;

	return (wish > 0 ? wish : picture->usual_width) - 2 * MARGIN;
}

struct measure_picture_box measure_picture_begin(
	struct measure_picture *picture, const char *title, double height)
{
	const struct measure_text_style title_style = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_TITLE, .is_bold = true};
	const struct measure_text_style style = {
		.ink = MEASURE_INK_FAINT, .size = MEASURE_CANVAS_PLAIN};
	struct measure_canvas *canvas = &picture->canvas;
	char text[512];

	height = measure_picture_height(picture, height);
	canvas->width = measure_picture_width(picture) + 2 * MARGIN;
	canvas->height = fmin(ceil(HEAD + height + MARGIN), MEASURE_PICTURE_MOST);
	measure_canvas_open(canvas, title);
	picture->is_begun = true;
	picture_describe(picture, text, sizeof(text));
	measure_canvas_text(canvas, &title_style, MARGIN, 26, canvas->width - 2 * MARGIN, title);
	measure_canvas_text(canvas, &style, MARGIN, 44, canvas->width - 2 * MARGIN, text);
	return (struct measure_picture_box){
		MARGIN, HEAD, canvas->width - 2 * MARGIN, canvas->height - HEAD - MARGIN};
}

void measure_picture_write_note(struct measure_picture *picture)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_FAINT, .size = MEASURE_CANVAS_PLAIN, .side = MEASURE_TEXT_RIGHT};
	struct measure_canvas *canvas = &picture->canvas;

	measure_canvas_text(
		canvas, &style, canvas->width - MARGIN, 44, canvas->width / 2, picture->note);
}

/* -------------------------------------------------------------------------- colours --- */

enum measure_ink measure_ink_of_group(enum measure_region_group group)
{
	static const enum measure_ink group_inks[MEASURE_NR_GROUPS] = {
		[MEASURE_GROUP_MPI] = MEASURE_INK_MPI,
		[MEASURE_GROUP_OPENMP] = MEASURE_INK_OPENMP,
		[MEASURE_GROUP_THREADS] = MEASURE_INK_THREADS,
		[MEASURE_GROUP_IO] = MEASURE_INK_IO,
		[MEASURE_GROUP_DEVICE] = MEASURE_INK_DEVICE,
		[MEASURE_GROUP_MEMORY] = MEASURE_INK_MEMORY,
		[MEASURE_GROUP_COMPUTATION] = MEASURE_INK_COMPUTATION,
		[MEASURE_GROUP_MEASUREMENT] = MEASURE_INK_MEASUREMENT,
		[MEASURE_GROUP_IDLE] = MEASURE_INK_IDLE,
		[MEASURE_GROUP_OUTSIDE] = MEASURE_INK_EMPTY,
	};

	return group_inks[group];
}
