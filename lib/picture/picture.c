/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which chart is drawn; see picture.h. */
#include "config.h"

#include "picture_internal.h"

#define USUAL_WIDTH 1000.0

const struct measure_picture_info measure_picture_charts[MEASURE_NR_PICTURE_CHARTS] = {
#define PICTURE_CHART(NAME, word, text) {#word, text},
#include "picture_charts.def"
#undef PICTURE_CHART
};

static bool (*const chart_functions[MEASURE_NR_PICTURE_CHARTS])(struct measure_picture *) = {
	[MEASURE_PICTURE_TIMELINE] = measure_picture_draw_timeline,
	[MEASURE_PICTURE_TASKS] = measure_picture_draw_tasks,
	[MEASURE_PICTURE_PROFILE] = measure_picture_draw_profile,
	[MEASURE_PICTURE_BALANCE] = measure_picture_draw_balance,
	[MEASURE_PICTURE_REGIONS] = measure_picture_draw_regions,
	[MEASURE_PICTURE_EFFICIENCIES] = measure_picture_draw_efficiencies,
	[MEASURE_PICTURE_WAITS] = measure_picture_draw_waits,
	[MEASURE_PICTURE_CRITICAL_PATH] = measure_picture_draw_critical_path,
	[MEASURE_PICTURE_MATRIX] = measure_picture_draw_matrix,
	[MEASURE_PICTURE_SIZES] = measure_picture_draw_sizes,
	[MEASURE_PICTURE_COLLECTIVES] = measure_picture_draw_collectives,
	[MEASURE_PICTURE_CLOCKS] = measure_picture_draw_clocks,
	[MEASURE_PICTURE_FILES] = measure_picture_draw_files,
	[MEASURE_PICTURE_ITERATIONS] = measure_picture_draw_iterations,
};

bool measure_picture_is_possible(void)
{
	return true;
}

enum measure_picture_result measure_picture_draw(const struct measure_picture_options *options,
	const struct measure_picture_facts *facts, FILE *file, char note[MEASURE_PICTURE_NOTE])
{
	struct measure_picture picture = {.options = options,
		.facts = facts,
		.note = note,
		.usual_width = USUAL_WIDTH,
		.canvas = {.file = file, .format = options->format, .is_dark = options->is_dark}};
	bool is_drawn, is_written;

	note[0] = '\0';
	measure_canvas_start(&picture.canvas);
	is_drawn = chart_functions[options->chart](&picture);
	if (is_drawn)
		measure_picture_write_note(&picture);
	is_written = measure_canvas_close(&picture.canvas);
	if (!is_drawn && is_written)
		return MEASURE_PICTURE_EMPTY;
	return is_written ? MEASURE_PICTURE_DRAWN : MEASURE_PICTURE_FAILED;
}
