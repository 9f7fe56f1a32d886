/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The time line: a row for each location, or for several of them; above them all together and the
 * phases; on them messages, collectives and waits. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "analysis/pyramid/location_segments.h"
#include "analysis/report/profile_report.h"
#include "base/short_names.h"
#include "picture_timeline.h"

#define LEAST_WAIT    2.0  /* width of what is hatched */
#define LEAST_NAMED   13.0 /* height of a bar with names in it */
#define LEAST_FOR_ALL 5    /* locations */
#define ALL_HEIGHT    44.0
#define PHASE_HEIGHT  16.0
#define GAP           8.0
#define AXIS_ROOM     24.0
#define MOST_NAMES    0.25 /* of the width */

/* x from the left end of bars. */
static double timeline_place(const struct timeline *timeline, uint64_t time)
{
	const uint64_t length = timeline->until - timeline->from;

	time = time < timeline->from ? timeline->from : time;
	time = time > timeline->until ? timeline->until : time;
	return (double)(time - timeline->from) / (double)length * timeline->width;
}

/* ------------------------------------------------------------------------------- bars --- */

/* A location that is being read. */
struct timeline_reading {
	struct timeline *timeline;
	struct timeline_sums *merged; /* of its row, or NULL: it is alone there */
	struct timeline_bar bar;
	struct measure_location_segment open; /* its end is not known yet */
	bool is_begun;
};

static void reading_put(struct timeline_reading *reading, uint64_t until)
{
	struct timeline *timeline = reading->timeline;
	const uint32_t path = reading->open.path;
	const struct timeline_piece piece = {.from = timeline_place(timeline, reading->open.start),
		.until = timeline_place(timeline, until),
		.ink = (enum measure_ink)timeline->inks.of_paths[path],
		.region = timeline->waits->profile.paths[path].region};

	if (!reading->is_begun || piece.from >= piece.until)
		return;
	timeline_sums_add(&timeline->all, &piece);
	if (reading->merged)
		timeline_sums_add(reading->merged, &piece);
	else
		timeline_bar_add(&reading->bar, &piece);
}

static bool reading_take(void *data, const struct measure_location_segment *segment)
{
	struct timeline_reading *reading = data;

	reading_put(reading, segment->start);
	reading->open = *segment;
	reading->is_begun = true;
	return true;
}

static void timeline_read(struct timeline *timeline, uint32_t location)
{
	const struct timeline_row *row = &timeline->rows.rows[timeline->rows.of_location[location]];
	struct timeline_reading reading = {.timeline = timeline,
		.merged = row->nr > 1 ? &timeline->merged[row - timeline->rows.rows] : NULL};
	struct measure_trace *trace = (struct measure_trace *)timeline->waits->profile.trace;
	struct measure_location_segments_end end;

	timeline_bar_start(
		&reading.bar, &timeline->bars, timeline->left, timeline->top + row->y, row->height);
	/* what cannot be read is empty: whoever has read the waits has said so */
	measure_location_segments_read(trace, &timeline->waits->profile, trace->findings, location,
		timeline->from, timeline->until, reading_take, &reading, &end);
	reading_put(&reading, end.last);
	timeline_bar_end(&reading.bar);
}

static void timeline_read_all(struct timeline *timeline)
{
	const struct timeline_rows *rows = &timeline->rows;

	timeline_sums_start(&timeline->all, timeline->width);
	timeline->merged = measure_zeroed(rows->nr_rows, sizeof(*timeline->merged));
	for (size_t i = 0; i < rows->nr_rows; i++)
		if (rows->rows[i].nr > 1)
			timeline_sums_start(&timeline->merged[i], timeline->width);
	for (size_t i = 0; i < rows->nr_order; i++)
		timeline_read(timeline, rows->order[i]);
}

/* ------------------------------------------------------------------------------ waits --- */

/* The part of a call that was waiting; empty outside of the window. */
static struct timeline_piece piece_of_wait(
	const struct timeline *timeline, const struct measure_wait_state *wait)
{
	const struct measure_call_table *table =
		&timeline->waits->dependencies.tables[wait->location];

	return (struct timeline_piece){.from = timeline_place(timeline, wait->from),
		.until = timeline_place(
			timeline, measure_earlier(wait->until, table->calls[wait->call].leave)),
		.ink = MEASURE_INK_WAITING};
}

static void timeline_sum_waits(struct timeline *timeline, uint32_t location)
{
	const struct measure_dependencies *dependencies = &timeline->waits->dependencies;
	const size_t row = timeline->rows.of_location[location];

	for (size_t i = dependencies->first_waits[location];
		i < dependencies->first_waits[location + 1]; i++) {
		const struct timeline_piece piece =
			piece_of_wait(timeline, &dependencies->waits[i]);

		if (piece.from >= piece.until)
			continue;
		timeline->has_waits = true;
		timeline_sums_add(&timeline->all, &piece);
		if (timeline->rows.rows[row].nr > 1)
			timeline_sums_add(&timeline->merged[row], &piece);
	}
}

/* A path around the waits of a location that has a row of its own. */
static void timeline_outline_waits(struct timeline *timeline, const struct timeline_row *row)
{
	const struct measure_dependencies *dependencies = &timeline->waits->dependencies;
	const uint32_t location = timeline->rows.order[row->first];

	for (size_t i = dependencies->first_waits[location];
		i < dependencies->first_waits[location + 1]; i++) {
		const struct timeline_piece piece =
			piece_of_wait(timeline, &dependencies->waits[i]);

		if (piece.until - piece.from >= LEAST_WAIT)
			cairo_rectangle(timeline->picture->canvas.cairo,
				timeline->left + piece.from, timeline->top + row->y,
				piece.until - piece.from, row->height);
	}
}

/* On the bars of rows and on that of all. */
static void timeline_draw_waits(struct timeline *timeline)
{
	const struct timeline_rows *rows = &timeline->rows;
	struct measure_canvas *canvas = &timeline->picture->canvas;

	cairo_new_path(canvas->cairo);
	for (size_t i = 0; i < rows->nr_rows; i++) {
		const struct timeline_row *row = &rows->rows[i];

		if (row->nr > 1)
			timeline_sums_outline_waits(&timeline->merged[i], canvas, timeline->left,
				timeline->top + row->y, row->height, row->nr);
		else
			timeline_outline_waits(timeline, row);
	}
	if (timeline->has_all)
		timeline_sums_outline_waits(&timeline->all, canvas, timeline->left,
			timeline->top - ALL_HEIGHT - GAP, ALL_HEIGHT, rows->nr_order);
	if (cairo_has_current_point(canvas->cairo))
		measure_canvas_hatch(canvas);
}

static void timeline_draw_bars(struct timeline *timeline)
{
	const struct timeline_rows *rows = &timeline->rows;

	for (size_t i = 0; i < rows->nr_rows; i++)
		if (rows->rows[i].nr > 1)
			timeline_sums_stack(&timeline->merged[i], &timeline->bars, timeline->left,
				timeline->top + rows->rows[i].y, rows->rows[i].height,
				rows->rows[i].nr);
	if (timeline->has_all)
		timeline_sums_stack(&timeline->all, &timeline->bars, timeline->left,
			timeline->top - ALL_HEIGHT - GAP, ALL_HEIGHT, rows->nr_order);
	timeline_bars_draw(&timeline->picture->canvas, &timeline->bars);
}

/* Of a function: without its parameters. */
static void timeline_name(
	const struct timeline *timeline, uint32_t region, char name[TIMELINE_NAME])
{
	char *whole =
		measure_copy_text(measure_profile_region_name(&timeline->waits->profile, region));

	measure_shorten_names(whole, 1);
	snprintf(name, TIMELINE_NAME, "%s", whole);
	measure_free(whole);
}

/* Of "!$omp parallel @heat2d.c:125" the "parallel". */
static void leave_out_place(char *name)
{
	static const char prefix[] = "!$omp ";
	char *place = strstr(name, " @");

	if (place)
		*place = '\0';
	if (strncmp(name, prefix, strlen(prefix)) == 0)
		memmove(name, name + strlen(prefix), strlen(name + strlen(prefix)) + 1);
}

/* Of functions, where they have room: a name that is cut says little. */
static void timeline_draw_labels(struct timeline *timeline)
{
	const struct measure_text_style style = {.ink = MEASURE_INK_LABEL,
		.size = MEASURE_CANVAS_PLAIN,
		.side = MEASURE_TEXT_CENTRE};
	struct measure_canvas *canvas = &timeline->picture->canvas;

	for (size_t i = 0; i < timeline->bars.nr_labels; i++) {
		const struct timeline_label *label = &timeline->bars.labels[i];
		const struct timeline_rectangle *place = &label->place;
		char name[TIMELINE_NAME];

		if (place->height < LEAST_NAMED || label->region >= MEASURE_PSEUDO_BEFORE)
			continue;
		timeline_name(timeline, label->region, name);
		if (measure_canvas_text_width(canvas, &style, name) > place->width - 4)
			leave_out_place(name);
		if (measure_canvas_text_width(canvas, &style, name) > place->width - 4)
			continue;
		measure_canvas_text(canvas, &style, place->x + place->width / 2,
			place->y + place->height / 2 + 3.5, place->width, name);
	}
}

/* ------------------------------------------------------------------- phases and names --- */

/* The first location that has phases; NULL: there are none. */
static const struct measure_call_table *phases_of(const struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->rows.nr_order; i++) {
		const struct measure_call_table *table =
			&timeline->waits->dependencies.tables[timeline->rows.order[i]];

		if (table->nr_phases > 0)
			return table;
	}
	return NULL;
}

/* Those inside others are drawn on them. */
static void timeline_draw_phases(struct timeline *timeline)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN, .side = MEASURE_TEXT_CENTRE};
	const struct measure_call_table *table = phases_of(timeline);
	struct measure_canvas *canvas = &timeline->picture->canvas;

	for (size_t i = 0; table && i < table->nr_phases; i++) {
		const struct measure_phase *phase = &table->phases[i];
		const double from = timeline_place(timeline, phase->enter);
		const double until = timeline_place(timeline, phase->leave);
		const char *name = measure_profile_region_name(&timeline->waits->profile,
			timeline->waits->profile.paths[phase->path].region);

		if (until - from < 1)
			continue;
		measure_canvas_ink(canvas, i % 2 ? MEASURE_INK_GRID : MEASURE_INK_IDLE);
		measure_canvas_rectangle(canvas, timeline->left + from, timeline->phases,
			until - from - 0.5, PHASE_HEIGHT - 2);
		if (measure_canvas_text_width(canvas, &style, name) <= until - from - 4)
			measure_canvas_text(canvas, &style, timeline->left + (from + until) / 2,
				timeline->phases + PHASE_HEIGHT - 5, until - from, name);
	}
}

static const struct measure_text_style process_style = {
	.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN};
static const struct measure_text_style thread_style = {
	.ink = MEASURE_INK_FAINT, .size = MEASURE_CANVAS_PLAIN, .side = MEASURE_TEXT_RIGHT};

static double timeline_names_width(struct timeline *timeline)
{
	struct measure_canvas *canvas = &timeline->picture->canvas;
	double width = 0;

	for (size_t i = 0; i < timeline->rows.nr_rows; i++) {
		const struct timeline_row *row = &timeline->rows.rows[i];

		width = fmax(width,
			measure_canvas_text_width(canvas, &process_style, row->process) +
				measure_canvas_text_width(canvas, &thread_style, row->thread));
	}
	return fmin(width + 2 * GAP, MOST_NAMES * measure_picture_width(timeline->picture));
}

/* Where rows are low, not all have one. */
static void timeline_draw_names(struct timeline *timeline, double left)
{
	struct measure_canvas *canvas = &timeline->picture->canvas;
	const double room = timeline->left - left - GAP;
	double free_from = 0; /* y */

	for (size_t i = 0; i < timeline->rows.nr_rows; i++) {
		const struct timeline_row *row = &timeline->rows.rows[i];
		const double base =
			timeline->top + row->y + fmin(row->height / 2 + 4, row->height + 4);
		double used;

		if (base - MEASURE_CANVAS_PLAIN < free_from)
			continue;
		used = measure_canvas_text_width(canvas, &process_style, row->process);
		measure_canvas_text(canvas, &process_style, left, base, room, row->process);
		measure_canvas_text(canvas, &thread_style, timeline->left - GAP, base,
			fmax(room - used - 4, 0), row->thread);
		free_from = base;
	}
	if (timeline->has_all)
		measure_canvas_text(canvas, &process_style, left,
			timeline->top - GAP - ALL_HEIGHT / 2 + 4, room, "all");
}

/* ----------------------------------------------------------------------------- legend --- */

static void legend_add(
	struct timeline *timeline, enum measure_ink ink, bool is_hatched, const char *text)
{
	for (size_t i = 0; i < timeline->nr_legend; i++)
		if (strcmp(timeline->legend[i].text, text) == 0)
			return;
	*measure_append(timeline, legend) = (struct measure_legend_entry){ink, is_hatched, text};
}

/* The colours of what has been read. */
static void timeline_make_legend(struct timeline *timeline)
{
	for (unsigned i = 0; i < MEASURE_NR_INKS; i++) {
		const uint32_t function = timeline->inks.functions[i];

		if (i == MEASURE_INK_WAITING ||
			!timeline_sums_have(&timeline->all, (enum measure_ink)i))
			continue;
		if (function != MEASURE_NONE)
			timeline_name(timeline, function, timeline->functions[i]);
		legend_add(timeline, (enum measure_ink)i, false,
			function != MEASURE_NONE ? timeline->functions[i]
						 : timeline->inks.classes[i]);
	}
	if (timeline->has_waits)
		legend_add(timeline, MEASURE_INK_IDLE, true, "waiting");
}

/* ---------------------------------------------------------------------------- picture --- */

static void timeline_draw_axis(struct timeline *timeline)
{
	const struct measure_trace *trace = timeline->waits->profile.trace;
	const struct measure_axis axis = {.from = measure_trace_seconds(trace, timeline->from),
		.until = measure_trace_seconds(trace, timeline->until),
		.begin = timeline->left,
		.end = timeline->left + timeline->width,
		.unit = MEASURE_AXIS_SECONDS};

	measure_axis_draw(&timeline->picture->canvas, &axis, timeline->top, timeline->axis);
}

/* Height of what is above and below the rows. */
static double timeline_frame(struct timeline *timeline, double legend)
{
	return (phases_of(timeline) ? PHASE_HEIGHT : 0) +
	       (timeline->has_all ? ALL_HEIGHT + GAP : 0) + AXIS_ROOM + legend;
}

static void timeline_place_rows(struct timeline *timeline)
{
	const double names = timeline_names_width(timeline);

	timeline->left = round(MEASURE_PICTURE_LEFT + names);
	timeline->width = fmax(1, floor(measure_picture_width(timeline->picture) - names));
	timeline->phases = MEASURE_PICTURE_TOP;
	timeline->top = MEASURE_PICTURE_TOP + timeline_frame(timeline, 0) - AXIS_ROOM;
	timeline->axis = timeline->top + timeline->rows.height;
}

static void timeline_draw(struct timeline *timeline, double legend)
{
	struct measure_picture *picture = timeline->picture;
	const struct measure_picture_box box = measure_picture_begin(
		picture, "Time line", timeline_frame(timeline, legend) + timeline->rows.height);

	timeline_draw_axis(timeline);
	timeline_draw_bars(timeline);
	timeline_draw_waits(timeline);
	timeline_draw_labels(timeline);
	timeline_draw_phases(timeline);
	timeline_draw_contacts(timeline);
	timeline_draw_names(timeline, box.x);
	measure_legend_draw(&picture->canvas, timeline->legend, timeline->nr_legend, box.x,
		timeline->axis + AXIS_ROOM, box.width, true);
}

/* What is there decides on the legend, and that on the height of the sheet. */
static void timeline_make(struct timeline *timeline)
{
	struct measure_picture *picture = timeline->picture;

	timeline_inks_make(&timeline->inks, &timeline->waits->profile);
	timeline_place_rows(timeline);
	timeline_read_all(timeline);
	for (size_t i = 0; i < timeline->rows.nr_order; i++)
		timeline_sum_waits(timeline, timeline->rows.order[i]);
	timeline_make_legend(timeline);
	timeline_draw(timeline,
		measure_legend_draw(&picture->canvas, timeline->legend, timeline->nr_legend, 0, 0,
			measure_picture_width(picture), false));
}

static void timeline_free(struct timeline *timeline)
{
	for (size_t i = 0; timeline->merged && i < timeline->rows.nr_rows; i++)
		timeline_sums_free(&timeline->merged[i]);
	measure_free(timeline->merged);
	timeline_sums_free(&timeline->all);
	timeline_bars_free(&timeline->bars);
	timeline_inks_free(&timeline->inks);
	timeline_rows_free(&timeline->rows);
	measure_free(timeline->legend);
}

/* The whole run, unless the user wants less. */
static void timeline_choose_window(struct timeline *timeline)
{
	const struct measure_picture_options *options = timeline->picture->options;
	const struct measure_profile *profile = &timeline->waits->profile;

	timeline->from = options->has_window ? options->from : profile->first;
	timeline->until = options->has_window ? options->until : profile->last;
	if (timeline->until <= timeline->from)
		timeline->until = timeline->from + 1;
}

bool measure_picture_draw_timeline(struct measure_picture *picture)
{
	struct timeline timeline = {.picture = picture, .waits = picture->facts->waits};
	const double wish = picture->options->height;
	bool is_any;

	timeline_rows_make(&timeline.rows, timeline.waits, 0);
	timeline.has_all = timeline.rows.nr_order >= LEAST_FOR_ALL;
	if (wish > 0) {
		const double room = measure_picture_height(picture, 0) -
				    timeline_frame(&timeline, 2 * AXIS_ROOM);

		timeline_rows_free(&timeline.rows);
		timeline_rows_make(&timeline.rows, timeline.waits, fmax(room, 1));
	}
	is_any = timeline.rows.nr_order > 0;
	if (is_any) {
		timeline_choose_window(&timeline);
		timeline_make(&timeline);
	}
	timeline_free(&timeline);
	return is_any;
}
