/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which locations a time line has, and which row of it each is in. Where there are too many, the
 * threads of a process share a row, then the processes of a group. */
#ifndef MEASURE_PICTURE_TIMELINE_ROWS_H
#define MEASURE_PICTURE_TIMELINE_ROWS_H

#include "picture/picture_internal.h"

struct timeline_row {
	size_t first, nr;  /* of rows->order */
	double y, height;  /* of its bar */
	char process[128]; /* name; "": that of the row above */
	char thread[128];  /* the same; "": all of the process */
};

struct timeline_rows {
	uint32_t *order; /* locations with events, those of a process together */
	size_t nr_order;
	uint32_t *of_location; /* row, or MEASURE_NONE */
	MEASURE_GROWING(struct timeline_row, rows);
	double height;   /* of all */
	bool are_merged; /* some rows have several locations */
};

/* height: of all rows, 0: what they need. y is from 0 on. */
void timeline_rows_make(
	struct timeline_rows *rows, const struct measure_waits *waits, double height);
void timeline_rows_free(struct timeline_rows *rows);

#endif
