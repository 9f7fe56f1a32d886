/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What measure-report makes of runs. Each output sees one run after the other, the last one of the
 * command line first. */
#ifndef MEASURE_BIN_MEASURE_REPORT_REPORT_OUTPUTS_H
#define MEASURE_BIN_MEASURE_REPORT_REPORT_OUTPUTS_H

#include "report_run.h"

#define REPORT_MOST_OUTPUTS 8

/* False: it was said why not. */
struct report_output {
	bool (*is_wanted)(const struct report_options *options);
	/* before a long time of reading; *state: of the output, freed by end() in any case */
	bool (*start)(const struct report_options *options, void **state);
	/* a run as it was read, before it is analyzed; or NULL */
	void (*see)(void *state, struct report_run *run);
	/* after that */
	bool (*take)(void *state, struct report_run *run);
	bool (*finish)(void *state); /* when all runs have been taken */
	void (*end)(void *state);
};

/* page_output.c, picture_output.c, text_output.c */
extern const struct report_output report_page_output;
extern const struct report_output report_picture_output;
extern const struct report_output report_text_output;

/* All that are wanted. */
struct report_outputs {
	const struct report_options *options;
	void *states[REPORT_MOST_OUTPUTS]; /* NULL: it is not wanted */
};

/* Of a file; to be freed by measure_free(). */
char *report_directory_of(const char *path);

bool report_outputs_start(struct report_outputs *outputs);
void report_outputs_see(struct report_outputs *outputs, struct report_run *run);
bool report_outputs_take(struct report_outputs *outputs, struct report_run *run);
bool report_outputs_finish(struct report_outputs *outputs);
void report_outputs_end(struct report_outputs *outputs);

#endif
