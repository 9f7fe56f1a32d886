/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Orders tasks and finds their statistics; see task_view.h. */
#include "config.h"

#include "task_view.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------- tasks --- */

const char *measure_task_view_type_name(const struct measure_task_view *view, size_t type)
{
	return type < view->tasks->nr_types ? view->tasks->types[type].name : "other tasks";
}

const char *measure_task_view_location_name(const struct measure_task_view *view, uint32_t location)
{
	const struct measure_definitions *definitions = &view->trace->definitions;

	if (view->nr_processes == 1)
		return measure_text(definitions, definitions->locations[location].name);
	return measure_name_of_location(definitions, location);
}

bool measure_task_view_type_is_application(const struct measure_task_view *view, size_t type)
{
	return type >= view->tasks->nr_types || view->tasks->types[type].is_application;
}

bool measure_task_view_is_useful(const struct measure_task_view *view, size_t task)
{
	const struct measure_task *of = &view->tasks->tasks[task];

	return measure_task_is_executed(of) && of->worker < view->tasks->nr_workers &&
	       measure_task_view_type_is_application(view, measure_task_view_type(view, task));
}

uint64_t measure_task_view_end_of(const struct measure_task_view *view, size_t task)
{
	const uint64_t end = view->tasks->tasks[task].end;

	return end != MEASURE_TASK_NO_TIME ? end : view->tasks->length;
}

/* --------------------------------------------------------------------- iterations --- */

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

uint32_t *measure_task_view_iterations(const struct measure_task_view *view, size_t *nr)
{
	struct {
		MEASURE_GROWING(uint32_t, numbers);
	} found = {.nr_numbers = 0};
	size_t kept = 0;

	for (size_t i = 0; i < view->tasks->nr_tasks; i++) {
		const uint32_t iteration = view->tasks->tasks[i].iteration;

		/* neighbours are often of the same one */
		if (iteration != MEASURE_NONE &&
			(found.nr_numbers == 0 ||
				found.numbers[found.nr_numbers - 1] != iteration) &&
			measure_task_view_is_useful(view, i))
			*measure_append(&found, numbers) = iteration;
	}
	if (found.nr_numbers > 1)
		qsort(found.numbers, found.nr_numbers, sizeof(*found.numbers), compare_numbers);
	for (size_t i = 0; i < found.nr_numbers; i++)
		if (kept == 0 || found.numbers[i] != found.numbers[kept - 1])
			found.numbers[kept++] = found.numbers[i];
	*nr = kept;
	return found.numbers;
}

uint32_t measure_task_view_find_iteration(const uint32_t *iterations, size_t nr, uint32_t iteration)
{
	const uint32_t *found =
		nr > 0 ? bsearch(&iteration, iterations, nr, sizeof(*iterations), compare_numbers)
		       : NULL;

	return found ? (uint32_t)(found - iterations) : MEASURE_NONE;
}

/* ------------------------------------------------------------------------ walking --- */

struct piece_walk {
	const struct measure_task_view *view;
	measure_task_piece *piece;
	void *data;
	MEASURE_GROWING(uint32_t, open); /* each began while the one before it was executed */
	uint64_t now;                    /* all before this has been told */
};

static void walk_to(struct piece_walk *walk, uint64_t time)
{
	const uint32_t task = walk->open[walk->nr_open - 1];

	if (time > walk->now) {
		if (measure_task_view_is_useful(walk->view, task))
			walk->piece(walk->data, task, walk->now, time);
		walk->now = time;
	}
}

static void walk_end_tasks_before(struct piece_walk *walk, uint64_t time)
{
	const struct measure_task *tasks = walk->view->tasks->tasks;

	while (walk->nr_open > 0 && tasks[walk->open[walk->nr_open - 1]].end <= time) {
		walk_to(walk, tasks[walk->open[walk->nr_open - 1]].end);
		walk->nr_open--;
	}
}

void measure_task_view_walk(const struct measure_task_view *view, uint32_t worker,
	measure_task_piece *piece, void *data)
{
	struct piece_walk walk = {.view = view, .piece = piece, .data = data};

	for (size_t i = view->first_executed[worker]; i < view->first_executed[worker + 1]; i++) {
		const uint32_t task = view->executed[i];
		const uint64_t start = view->tasks->tasks[task].start;

		walk_end_tasks_before(&walk, start);
		if (walk.nr_open > 0)
			walk_to(&walk, start);
		walk.now = start > walk.now ? start : walk.now;
		*measure_append(&walk, open) = task;
	}
	walk_end_tasks_before(&walk, MEASURE_TASK_NO_TIME);
	measure_free(walk.open);
}

/* ------------------------------------------------------------------------- making --- */

static int compare_starts(const void *left, const void *right, void *data)
{
	const struct measure_task *tasks = data;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (tasks[a].start != tasks[b].start)
		return tasks[a].start < tasks[b].start ? -1 : 1;
	if (tasks[a].end != tasks[b].end)
		return tasks[a].end > tasks[b].end ? -1 : 1;
	return (a > b) - (a < b);
}

static bool is_executed(const struct measure_tasks *tasks, size_t task)
{
	return measure_task_is_executed(&tasks->tasks[task]) &&
	       tasks->tasks[task].worker < tasks->nr_workers;
}

static bool is_in_order(const uint32_t *executed, size_t nr, const struct measure_task *tasks)
{
	for (size_t i = 1; i < nr; i++)
		if (compare_starts(&executed[i - 1], &executed[i], (void *)tasks) > 0)
			return false;
	return true;
}

static void view_order_tasks(struct measure_task_view *view)
{
	const struct measure_tasks *tasks = view->tasks;
	size_t *next = measure_zeroed(tasks->nr_workers + 1, sizeof(*next));
	size_t *first = measure_zeroed(tasks->nr_workers + 1, sizeof(*first));

	for (size_t i = 0; i < tasks->nr_tasks; i++)
		if (is_executed(tasks, i))
			first[tasks->tasks[i].worker + 1]++;
	for (size_t i = 0; i < tasks->nr_workers; i++)
		next[i + 1] = first[i + 1] += first[i];
	view->executed = measure_zeroed(first[tasks->nr_workers], sizeof(*view->executed));
	for (size_t i = 0; i < tasks->nr_tasks; i++)
		if (is_executed(tasks, i))
			view->executed[next[tasks->tasks[i].worker]++] = (uint32_t)i;
	for (size_t i = 0; i < tasks->nr_workers; i++)
		if (!is_in_order(&view->executed[first[i]], first[i + 1] - first[i], tasks->tasks))
			qsort_r(&view->executed[first[i]], first[i + 1] - first[i],
				sizeof(*view->executed), compare_starts, tasks->tasks);
	view->first_executed = first;
	measure_free(next);
}

static void view_add_process(struct measure_task_view *view, uint32_t process)
{
	if (process >= view->trace->definitions.nr_location_groups ||
		view->places[process] != MEASURE_NONE)
		return;
	view->places[process] = view->nr_processes;
	view->processes[view->nr_processes++] = process;
}

static void view_find_processes(struct measure_task_view *view)
{
	const struct measure_tasks *tasks = view->tasks;
	const uint32_t nr = view->trace->definitions.nr_location_groups;

	view->processes = measure_zeroed(nr, sizeof(*view->processes));
	view->places = measure_zeroed(nr, sizeof(*view->places));
	for (uint32_t i = 0; i < nr; i++)
		view->places[i] = MEASURE_NONE;
	for (size_t i = 0; i < tasks->nr_workers; i++)
		view_add_process(view, tasks->workers[i].process);
	for (size_t i = 0; i < tasks->nr_tasks; i++)
		view_add_process(view, tasks->tasks[i].process);
}

static size_t view_group(const struct measure_task_view *view, size_t task)
{
	return measure_task_view_type(view, task) * view->tasks->nr_classes +
	       view->tasks->workers[view->tasks->tasks[task].worker].class;
}

/* Durations of each group together, behind those of the groups before it. */
static void view_find_durations(struct measure_task_view *view)
{
	const struct measure_tasks *tasks = view->tasks;
	const size_t nr_groups = view->nr_types * tasks->nr_classes;
	const size_t nr = view->first_executed[tasks->nr_workers];
	double *durations = measure_zeroed(nr, sizeof(*durations));
	size_t *next = measure_zeroed(nr_groups + 1, sizeof(*next));
	size_t begin = 0;

	view->durations = measure_zeroed(nr_groups, sizeof(*view->durations));
	for (size_t i = 0; i < nr; i++)
		next[view_group(view, view->executed[i]) + 1]++;
	for (size_t i = 0; i < nr_groups; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < nr; i++)
		durations[next[view_group(view, view->executed[i])]++] =
			(double)tasks->tasks[view->executed[i]].executed;
	for (size_t i = 0; i < nr_groups; begin = next[i++])
		measure_duration_statistics_find(
			&view->durations[i], &durations[begin], next[i] - begin);
	measure_free(durations);
	measure_free(next);
}

static void view_find_outliers(struct measure_task_view *view)
{
	const struct measure_tasks *tasks = view->tasks;

	view->is_outlier = measure_zeroed(tasks->nr_tasks, sizeof(*view->is_outlier));
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		if (!measure_task_view_is_useful(view, i))
			continue;
		view->is_outlier[i] = (double)tasks->tasks[i].executed >
				      view->durations[view_group(view, i)].fence;
		view->zero =
			tasks->tasks[i].start < view->zero ? tasks->tasks[i].start : view->zero;
		view->end = tasks->tasks[i].end > view->end ? tasks->tasks[i].end : view->end;
	}
	if (view->zero > view->end)
		view->zero = view->end;
}

void measure_task_view_make(struct measure_task_view *view, const struct measure_trace *trace,
	const struct measure_tasks *tasks)
{
	*view = (struct measure_task_view){.trace = trace,
		.tasks = tasks,
		.nr_types = tasks->nr_types + 1,
		.zero = MEASURE_TASK_NO_TIME};
	view_find_processes(view);
	view_order_tasks(view);
	view_find_durations(view);
	view_find_outliers(view);
}

void measure_task_view_free(struct measure_task_view *view)
{
	measure_free(view->processes);
	measure_free(view->places);
	measure_free(view->executed);
	measure_free(view->first_executed);
	measure_free(view->durations);
	measure_free(view->is_outlier);
}

/* ------------------------------------------------------------------------- bounds --- */

void measure_task_view_area(
	const struct measure_task_view *view, uint32_t process, struct measure_area *area)
{
	const struct measure_tasks *tasks = view->tasks;
	double *numbers = measure_zeroed(
		view->nr_types * tasks->nr_classes, sizeof(*numbers)); /* as durations */

	measure_area_start(area, view->nr_types, tasks->nr_classes);
	for (size_t i = 0; i < tasks->nr_workers; i++)
		if (measure_task_view_is_of(process, tasks->workers[i].process))
			area->workers[tasks->workers[i].class]++;
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		size_t group;

		if (!measure_task_view_is_useful(view, i) ||
			!measure_task_view_is_of(
				process, tasks->workers[tasks->tasks[i].worker].process))
			continue;
		group = view_group(view, i);
		if (numbers[group]++ == 0)
			area->durations[group] = 0;
		area->durations[group] += (double)tasks->tasks[i].executed;
		area->counts[group / tasks->nr_classes]++;
	}
	for (size_t i = 0; i < view->nr_types * tasks->nr_classes; i++)
		if (numbers[i] > 0)
			area->durations[i] /= numbers[i];
	measure_free(numbers);
}

double measure_task_view_bound(const struct measure_task_view *view, uint32_t process)
{
	struct measure_area area;
	double bound = NAN;

	measure_task_view_area(view, process, &area);
	if (!measure_area_bound(&area, &bound, NULL))
		bound = NAN;
	measure_area_free(&area);
	return bound;
}

double *measure_task_view_counts(
	const struct measure_task_view *view, uint32_t process, const struct measure_slices *slices)
{
	const struct measure_tasks *tasks = view->tasks;
	double *counts = measure_zeroed(view->nr_types * slices->nr, sizeof(*counts));
	struct measure_step_function *functions =
		measure_zeroed(view->nr_types, sizeof(*functions));

	for (size_t i = 0; i < view->nr_types; i++)
		measure_step_function_start(&functions[i], slices);
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const struct measure_task *task = &tasks->tasks[i];
		const uint64_t end = task->end > task->start ? task->end : task->start + 1;

		if (measure_task_view_is_useful(view, i) &&
			measure_task_view_is_of(process, tasks->workers[task->worker].process))
			measure_step_function_add(&functions[measure_task_view_type(view, i)],
				task->start, end, 1 / (double)(end - task->start));
	}
	for (size_t i = 0; i < view->nr_types; i++) {
		measure_step_function_means(&functions[i], &counts[i * slices->nr]);
		for (size_t j = 0; j < slices->nr; j++)
			counts[i * slices->nr + j] *= (double)measure_slice_length(slices, j);
		measure_step_function_free(&functions[i]);
	}
	measure_free(functions);
	return counts;
}

uint64_t measure_task_view_makespan(const struct measure_task_view *view, uint32_t process)
{
	const struct measure_tasks *tasks = view->tasks;
	uint64_t start = MEASURE_TASK_NO_TIME, end = 0;

	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const struct measure_task *task = &tasks->tasks[i];

		if (!measure_task_view_is_useful(view, i) ||
			!measure_task_view_is_of(process, tasks->workers[task->worker].process))
			continue;
		start = task->start < start ? task->start : start;
		end = task->end > end ? task->end : end;
	}
	return end > start ? end - start : 0;
}
