/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The option --panels: which panels of tasks are shown, and in which order. */
#ifndef MEASURE_BIN_MEASURE_REPORT_PANEL_OPTIONS_H
#define MEASURE_BIN_MEASURE_REPORT_PANEL_OPTIONS_H

#include "report/tasks/report_tasks.h"

struct panel_options {
	bool are_given;
	struct measure_panel_choice choice;
};

/* `text` names panels, or a file that does: one or several on a line, or the sections of a
 * configuration of StarVZ that are active. "list" prints all names. -1: go on; otherwise the exit
 * status. */
int panel_options_take(const char *text, struct panel_options *options);

#endif
