/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes panels by the functions of panels.def; see task_panels.h. */
#include "config.h"

#include "task_panels.h"

#include <string.h>

#include "panels_internal.h"

#define SLICES_OF_WINDOW 1000

const struct measure_task_panel_info measure_task_panel_infos[MEASURE_NR_TASK_PANELS] = {
#define PANEL(NAME, id, starvz, title, unit, KIND, function)                                       \
	{id, starvz, title, unit, MEASURE_PANEL_##KIND},
#include "panels.def"
#undef PANEL
};

static void (*const panel_functions[MEASURE_NR_TASK_PANELS])(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel) = {
#define PANEL(NAME, id, starvz, title, unit, KIND, function) function,
#include "panels.def"
#undef PANEL
};

static bool names_have(const char *names, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = names; length > 0 && (at = strstr(at, name)) != NULL; at += length)
		if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

enum measure_task_panel_id measure_task_panel_find(const char *name)
{
	int id = 0;

	while (id < MEASURE_NR_TASK_PANELS && strcmp(measure_task_panel_infos[id].id, name) != 0 &&
		!names_have(measure_task_panel_infos[id].starvz, name))
		id++;
	return (enum measure_task_panel_id)id;
}

static struct measure_slices panel_slices(
	const struct measure_task_view *view, const struct measure_task_panel_options *options)
{
	uint64_t from = options->from, until = options->until, step = options->step;

	if (from == 0 && until == 0) {
		from = view->zero;
		until = view->end;
	}
	if (step == 0 && until > from)
		step = (until - from - 1) / SLICES_OF_WINDOW + 1;
	return measure_slices_of(from, until, step);
}

void measure_task_panel_make(const struct measure_task_view *view, enum measure_task_panel_id id,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	*panel = (struct measure_task_panel){.id = id, .slices = panel_slices(view, options)};
	if (panel->slices.nr > 0)
		panel_functions[id](view, options, panel);
}
