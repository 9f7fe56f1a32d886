/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A time line in the making. */
#ifndef MEASURE_PICTURE_TIMELINE_PICTURE_TIMELINE_H
#define MEASURE_PICTURE_TIMELINE_PICTURE_TIMELINE_H

#include "timeline_bars.h"
#include "timeline_inks.h"
#include "timeline_rows.h"

#define TIMELINE_NAME 256

struct timeline {
	struct measure_picture *picture;
	const struct measure_waits *waits;
	uint64_t from, until;
	struct timeline_rows rows;
	struct timeline_inks inks;
	struct timeline_bars bars;
	struct timeline_sums all;
	struct timeline_sums *merged; /* by row; those of one location are not used */
	MEASURE_GROWING(struct measure_legend_entry, legend);
	char functions[MEASURE_NR_INKS][TIMELINE_NAME]; /* in the legend */
	double left, width;                             /* of bars */
	double phases, top, axis; /* y of the phases, of the first row, of the axis */
	bool has_all, has_waits;
};

/* timeline_contacts.c: messages and collectives, as lines on the bars of rows. */
void timeline_draw_contacts(struct timeline *timeline);

#endif
