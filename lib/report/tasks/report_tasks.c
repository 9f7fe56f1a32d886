/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the tasks of a run and makes their panels; see report_tasks.h. */
#include "config.h"

#include "report_tasks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sync/parallel/workers.h"

const struct measure_panel_choice measure_panels_usual = {
	.ids = {MEASURE_TASK_PANEL_SPACE_TIME, MEASURE_TASK_PANEL_ITERATION,
		MEASURE_TASK_PANEL_STATES, MEASURE_TASK_PANEL_SUBMITTED, MEASURE_TASK_PANEL_READY,
		MEASURE_TASK_PANEL_UTILISATION},
	.nr = 6,
};

/* ------------------------------------------------------------------------- reading --- */

static void find_paths(struct measure_report_tasks *tasks)
{
	const struct measure_tasks_path_options observed = {.durations =
								    MEASURE_TASK_DURATIONS_OBSERVED,
							.has_messages = true,
							.process = MEASURE_NONE},
						fastest = {
							.durations = MEASURE_TASK_DURATIONS_FASTEST,
							.process = MEASURE_NONE};
	struct measure_tasks_path path;

	measure_tasks_critical_path(&tasks->tasks, &observed, &tasks->path);
	tasks->is_on_path = measure_zeroed(tasks->tasks.nr_tasks, sizeof(*tasks->is_on_path));
	for (size_t i = 0; i < tasks->path.nr_tasks; i++)
		tasks->is_on_path[tasks->path.tasks[i]] = 1;
	measure_tasks_critical_path(&tasks->tasks, &fastest, &path);
	tasks->fastest = path.length;
	measure_tasks_path_free(&path);
}

struct measure_report_tasks *measure_report_tasks_read(
	struct measure_trace *trace, unsigned nr_threads, const struct measure_panel_choice *choice)
{
	const struct measure_tasks_options options = {.nr_threads = nr_threads};
	struct measure_report_tasks *tasks = measure_zeroed(1, sizeof(*tasks));

	tasks->trace = trace;
	tasks->choice = choice;
	measure_tasks_read(trace, &options, &tasks->tasks);
	measure_task_view_make(&tasks->view, trace, &tasks->tasks);
	if (tasks->view.end > tasks->view.zero) {
		find_paths(tasks);
		return tasks;
	}
	measure_report_tasks_free(tasks);
	return NULL;
}

void measure_report_tasks_free(struct measure_report_tasks *tasks)
{
	if (!tasks)
		return;
	for (int i = 0; i < MEASURE_NR_TASK_PANELS; i++)
		measure_task_panel_free(&tasks->panels[i]);
	measure_free(tasks->is_on_path);
	measure_tasks_path_free(&tasks->path);
	measure_task_view_free(&tasks->view);
	measure_tasks_free(&tasks->tasks);
	measure_free(tasks);
}

/* ------------------------------------------------------------------------- panels --- */

static void make_one(void *data, size_t index)
{
	const struct measure_task_panel_options options = {
		.process = MEASURE_NONE, .type = MEASURE_NONE};
	struct measure_report_tasks *tasks = data;

	if (!tasks->panels[index].groups)
		measure_task_panel_make(&tasks->view, (enum measure_task_panel_id)index, &options,
			&tasks->panels[index]);
}

void measure_report_tasks_make_all(struct measure_report_tasks *tasks, unsigned nr_threads)
{
	measure_workers_share(nr_threads, MEASURE_NR_TASK_PANELS, make_one, tasks);
}

void measure_report_tasks_make(
	struct measure_report_tasks *tasks, const struct measure_panel_choice *choice)
{
	make_one(tasks, MEASURE_TASK_PANEL_BOUNDS);
	make_one(tasks, MEASURE_TASK_PANEL_IDLENESS);
	for (size_t i = 0; i < choice->nr; i++)
		make_one(tasks, choice->ids[i]);
}

bool measure_report_panel_has_content(const struct measure_task_panel *panel)
{
	for (size_t i = 0; panel->values && i < panel->nr_groups * panel->nr_columns; i++)
		if (!isnan(panel->values[i]) && panel->values[i] != 0)
			return true;
	return panel->nr_boxes > 0;
}

/* -------------------------------------------------------------------------- names --- */

static const char *process_name(const struct measure_report_tasks *tasks, uint32_t process)
{
	const struct measure_definitions *definitions = &tasks->trace->definitions;

	return process < definitions->nr_location_groups
		       ? measure_text(definitions, definitions->location_groups[process].name)
		       : "";
}

const char *measure_report_row_name(const struct measure_report_tasks *tasks,
	const struct measure_task_panel *panel, uint32_t row, char *text, size_t size)
{
	const struct measure_task_panel_group *group = NULL;
	const char *process, *name = "";

	for (size_t i = 0; i < panel->nr_groups && !group; i++)
		if (panel->groups[i].row == row)
			group = &panel->groups[i];
	process =
		group && group->process != MEASURE_NONE ? process_name(tasks, group->process) : "";
	if (group && group->worker != MEASURE_NONE)
		return measure_task_view_location_name(
			&tasks->view, tasks->tasks.workers[group->worker].location);
	/* "memory node 0, owned": the last word is the layer's */
	if (group && panel->id == MEASURE_TASK_PANEL_MEMORY_STATES) {
		const char *end = strrchr(group->name, ',');

		snprintf(text, size, "%.*s",
			(int)(end ? end - group->name : (long)strlen(group->name)), group->name);
		return text;
	}
	if (group && group->class < tasks->tasks.nr_classes)
		name = tasks->tasks.classes[group->class].name;
	snprintf(text, size, "%s%s%s", process, *process && *name ? ", " : "", name);
	return text;
}

const char *measure_report_layer_name(const struct measure_report_tasks *tasks,
	const struct measure_task_panel *panel, size_t group)
{
	char text[1];

	if (panel->id != MEASURE_TASK_PANEL_MEMORY_STATES)
		return panel->groups[group].name;
	return measure_report_box_word(
		tasks, MEASURE_TASK_PANEL_HANDLES, panel->groups[group].what, text, 0);
}

const char *measure_report_box_word(const struct measure_report_tasks *tasks,
	enum measure_task_panel_id id, uint32_t what, char *text, size_t size)
{
	static const char *const data_states[] = {"owned", "shared"};

	switch (id) {
	case MEASURE_TASK_PANEL_STATES:
	case MEASURE_TASK_PANEL_OTHER_STATES:
		return what < MEASURE_NR_WORKER_STATES ? measure_worker_states[what] : NULL;
	case MEASURE_TASK_PANEL_HANDLES:
		return what < 2 ? data_states[what] : NULL;
	case MEASURE_TASK_PANEL_TRANSFERS:
		snprintf(text, size, "from memory node %u", (unsigned)what);
		return text;
	default:
		return what < tasks->view.nr_types ? measure_task_view_type_name(&tasks->view, what)
						   : NULL;
	}
}

/* -------------------------------------------------------------------------- bounds --- */

struct measure_report_bound measure_report_bound_of(
	const struct measure_report_tasks *tasks, uint32_t process)
{
	const struct measure_task_panel *panel = &tasks->panels[MEASURE_TASK_PANEL_BOUNDS];

	/* a run of one process has no group of all */
	for (size_t i = 0; i < panel->nr_groups; i++)
		if (panel->groups[i].process == process ||
			(process == MEASURE_NONE && panel->nr_groups == 1))
			return (struct measure_report_bound){
				panel->values[2 * i], panel->values[2 * i + 1]};
	return (struct measure_report_bound){NAN, NAN};
}

double measure_report_idleness(const struct measure_report_tasks *tasks, uint32_t worker)
{
	const struct measure_task_panel *panel = &tasks->panels[MEASURE_TASK_PANEL_IDLENESS];

	for (size_t i = 0; i < panel->nr_groups; i++)
		if (panel->groups[i].worker == worker)
			return panel->values[i * panel->nr_columns] / 100;
	return NAN;
}

bool measure_report_is_accelerator(const struct measure_report_tasks *tasks, uint32_t class)
{
	const char *name = tasks->tasks.classes[class].name;

	return strcmp(name, "CPU") != 0 && strcmp(name, "thread") != 0;
}
