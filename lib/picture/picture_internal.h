/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A picture in the making, and what charts share: the sheet with its title, and charts of bars. */
#ifndef MEASURE_PICTURE_PICTURE_INTERNAL_H
#define MEASURE_PICTURE_PICTURE_INTERNAL_H

#include "analysis/report/profile_view.h"
#include "axis.h"

struct measure_picture {
	const struct measure_picture_options *options;
	const struct measure_picture_facts *facts;
	struct measure_canvas canvas;
	char *note;
	double usual_width; /* unless the user has another wish */
	bool is_begun;      /* there is a sheet */
};

struct measure_picture_box {
	double x, y, width, height;
};

/* Where what is below the title begins. */
#define MEASURE_PICTURE_LEFT 16.0
#define MEASURE_PICTURE_TOP  56.0

/* Begins the sheet: a title, and a line with what ran. `height`: of what comes below, unless the
 * user has another wish. Its place is returned. */
struct measure_picture_box measure_picture_begin(
	struct measure_picture *picture, const char *title, double height);

/* The note, beside the title: a picture does not leave out anything in silence. */
void measure_picture_write_note(struct measure_picture *picture);

/* How high what is below the title may be: what the user wishes, or `height`. */
double measure_picture_height(const struct measure_picture *picture, double height);

/* ... and how wide it is. */
double measure_picture_width(const struct measure_picture *picture);

enum measure_ink measure_ink_of_group(enum measure_region_group group);

/* ---------------------------------------------------------------------------- bars --- */

#define MEASURE_BAR_PIECES MEASURE_NR_GROUPS

struct measure_bar_piece {
	double value;
	enum measure_ink ink;
	bool is_hatched;
};

struct measure_bar {
	char *name;
	char value[96]; /* written behind it */
	unsigned indent;
	struct measure_bar_piece pieces[MEASURE_BAR_PIECES];
	size_t nr_pieces;
};

/* Horizontal ones, one below the other. */
struct measure_bars {
	const char *title;
	enum measure_axis_unit unit;
	double most;      /* the axis ends there; 0: at the longest bar */
	bool are_paths;   /* names lose their begins, not their ends */
	const char *rest; /* what rows are that are left out: "functions" */
	size_t nr_usual;  /* of bars, unless the user says how high the picture is; 0: all */
	MEASURE_GROWING(struct measure_bar, bars);
	MEASURE_GROWING(struct measure_legend_entry, legend);
};

/* A new bar with a copy of its name, to be filled. Of functions the name is without parameters
 * where these are long. */
struct measure_bar *measure_bars_add(struct measure_bars *bars, const char *name);
void measure_bar_add(struct measure_bar *bar, double value, enum measure_ink ink, bool is_hatched);

/* An entry, unless its text is there already. */
void measure_bars_explain(
	struct measure_bars *bars, enum measure_ink ink, bool is_hatched, const char *text);

/* Draws them in a picture of their own, those that fit, and frees them. False: there are none. */
bool measure_bars_draw(struct measure_picture *picture, struct measure_bars *bars);

/* --------------------------------------------------------------------------- charts --- */

/* Each begins the sheet and draws. False: there is nothing to draw, and nothing was begun. */
bool measure_picture_draw_timeline(struct measure_picture *picture);
bool measure_picture_draw_tasks(struct measure_picture *picture);
bool measure_picture_draw_profile(struct measure_picture *picture);
bool measure_picture_draw_balance(struct measure_picture *picture);
bool measure_picture_draw_regions(struct measure_picture *picture);
bool measure_picture_draw_efficiencies(struct measure_picture *picture);
bool measure_picture_draw_waits(struct measure_picture *picture);
bool measure_picture_draw_critical_path(struct measure_picture *picture);
bool measure_picture_draw_matrix(struct measure_picture *picture);
bool measure_picture_draw_sizes(struct measure_picture *picture);
bool measure_picture_draw_collectives(struct measure_picture *picture);
bool measure_picture_draw_clocks(struct measure_picture *picture);
bool measure_picture_draw_files(struct measure_picture *picture);
bool measure_picture_draw_iterations(struct measure_picture *picture);

#endif
