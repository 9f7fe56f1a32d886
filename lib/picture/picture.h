/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pictures of a trace without a browser: its time line and charts, as PNG, SVG or PDF. */
#ifndef MEASURE_PICTURE_PICTURE_H
#define MEASURE_PICTURE_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/efficiency/efficiency.h"
#include "analysis/waits/waits.h"

enum measure_picture_format { MEASURE_PICTURE_PNG, MEASURE_PICTURE_SVG, MEASURE_PICTURE_PDF };

enum measure_picture_chart {
#define PICTURE_CHART(NAME, ...) MEASURE_PICTURE_##NAME,
#include "picture_charts.def"
#undef PICTURE_CHART
	MEASURE_NR_PICTURE_CHARTS
};

struct measure_picture_info {
	const char *word, *text;
};

extern const struct measure_picture_info measure_picture_charts[MEASURE_NR_PICTURE_CHARTS];

/* Lengths of a side. */
#define MEASURE_PICTURE_LEAST 100
#define MEASURE_PICTURE_MOST  20000

struct measure_panel_choice;

struct measure_picture_options {
	enum measure_picture_format format;
	enum measure_picture_chart chart;
	unsigned width, height; /* 0: what the picture needs */
	bool is_dark;
	bool has_window;      /* of time lines; else the whole run */
	uint64_t from, until; /* corrected time */
	const struct measure_panel_choice *panels; /* of MEASURE_PICTURE_TASKS */
};

/* Why there is no picture. */
enum measure_picture_result {
	MEASURE_PICTURE_DRAWN,
	MEASURE_PICTURE_EMPTY, /* nothing was written: the trace has nothing of it */
	MEASURE_PICTURE_FAILED /* errno says why; the file is incomplete */
};

struct measure_page_contacts;
struct measure_report_tasks;

/* What is drawn. */
struct measure_picture_facts {
	const char *name;                  /* of the archive, for people */
	const struct measure_waits *waits; /* root causes have been found */
	const struct measure_efficiency *efficiency;
	const struct measure_page_contacts
		*contacts; /* of time lines; NULL: no messages are drawn */
	const struct measure_report_tasks *tasks; /* NULL: there are none */
};

/* Writes to the file, which stays open. What the picture leaves out is said in `note`, which may be
 * empty. */
#define MEASURE_PICTURE_NOTE 256
enum measure_picture_result measure_picture_draw(const struct measure_picture_options *options,
	const struct measure_picture_facts *facts, FILE *file, char note[MEASURE_PICTURE_NOTE]);

/* False: this build lacks cairo. */
bool measure_picture_is_possible(void);

#endif
