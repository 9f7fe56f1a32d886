/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts of upright columns, one beside the other. */
#ifndef MEASURE_PICTURE_COLUMNS_H
#define MEASURE_PICTURE_COLUMNS_H

#include "picture_internal.h"

struct measure_column {
	double place; /* they stand in its order */
	double value;
	double most; /* a line up to there; 0: none */
	char label[MEASURE_FIGURE_TEXT];
};

struct measure_column_chart {
	const char *title;
	enum measure_axis_unit unit;
	enum measure_ink ink;
	MEASURE_GROWING(struct measure_column, columns);
};

/* Draws a picture of its own, and frees the columns. False: there are none. */
bool measure_columns_draw(struct measure_picture *picture, struct measure_column_chart *chart);

#endif
