/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds bounds and checks expectations; see task_summary.h. */
#include "config.h"

#include "task_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/figures.h"
#include "base/printable.h"
#include "task_panels.h"

/* -------------------------------------------------------------------------- bounds --- */

static uint64_t path_length(const struct measure_task_view *view, uint32_t process,
	enum measure_task_durations durations, bool has_messages)
{
	const struct measure_tasks_path_options options = {
		.durations = durations, .has_messages = has_messages, .process = process};
	struct measure_tasks_path path;
	uint64_t length;

	measure_tasks_critical_path(view->tasks, &options, &path);
	length = path.length;
	measure_tasks_path_free(&path);
	return length;
}

void measure_task_bounds_find(
	const struct measure_task_view *view, uint32_t process, struct measure_task_bounds *bounds)
{
	*bounds = (struct measure_task_bounds){.process = process,
		.makespan = measure_task_view_makespan(view, process),
		.area = measure_task_view_bound(view, process),
		.critical_path = path_length(view, process, MEASURE_TASK_DURATIONS_OBSERVED, false),
		.fastest_path = path_length(view, process, MEASURE_TASK_DURATIONS_FASTEST, false)};
	bounds->critical_path_messages = bounds->critical_path;
	bounds->fastest_path_messages = bounds->fastest_path;
	if (view->tasks->nr_hops > 0) {
		bounds->critical_path_messages =
			path_length(view, process, MEASURE_TASK_DURATIONS_OBSERVED, true);
		bounds->fastest_path_messages =
			path_length(view, process, MEASURE_TASK_DURATIONS_FASTEST, true);
	}
}

/* -------------------------------------------------------------------- expectations --- */

/* Where a run is taken for a good one. */
#define MOST_OUTLIERS    0.05 /* of tasks */
#define MOST_SPREAD      0.25 /* of the median: between the quartiles */
#define LEAST_OF_TYPE    0.01 /* of the time of all tasks, for a type and class to count */
#define LEAST_TASKS      4    /* of which quartiles can be told */
#define MOST_LACK        0.01 /* of the time between the ramps */
#define RAMP             0.1  /* of the time, at each end */
#define LEAST_ITERATIONS 2.0  /* at the same time */
#define MOST_ABOVE_BOUND 0.1
#define MOST_ABOVE_MEAN  0.1
#define MOST_LATE        0.01 /* of the time of all workers */

__attribute__((format(printf, 4, 5))) static void expectation_set(
	struct measure_expectation *expectation, bool is_met, double value, const char *format, ...)
{
	va_list arguments;

	expectation->is_known = true;
	expectation->is_met = is_met;
	expectation->value = value;
	va_start(arguments, format);
	vsnprintf(expectation->text, sizeof(expectation->text), format, arguments);
	va_end(arguments);
}

static void expectation_is_unknown(struct measure_expectation *expectation, const char *reason)
{
	snprintf(expectation->text, sizeof(expectation->text), "%s", reason);
}

static const char *seconds_text(
	const struct measure_task_view *view, double ticks, char text[MEASURE_FIGURE_TEXT])
{
	return measure_figure_seconds(
		ticks / (double)view->trace->definitions.clock.resolution, text);
}

/* What the quartiles of a group are apart, of the median; less than 0: the group does not count. */
static double group_spread(const struct measure_duration_statistics *durations, double all)
{
	if (durations->nr < LEAST_TASKS || !(durations->median > 0) ||
		durations->mean * (double)durations->nr < LEAST_OF_TYPE * all)
		return -1;
	return (durations->upper_quartile - durations->quartile) / durations->median;
}

static void expect_uniform_durations(
	const struct measure_task_view *view, struct measure_expectation *expectation)
{
	const size_t nr_classes = view->tasks->nr_classes;
	double all = 0, nr = 0, nr_outliers = 0, worst = -1, spread;
	char low[MEASURE_FIGURE_TEXT], high[MEASURE_FIGURE_TEXT];
	size_t group = 0;

	for (size_t i = 0; i < view->tasks->nr_tasks; i++) {
		if (!measure_task_view_is_useful(view, i))
			continue;
		nr++;
		nr_outliers += view->is_outlier[i];
		all += (double)view->tasks->tasks[i].executed;
	}
	for (size_t i = 0; i < view->nr_types * nr_classes; i++) {
		spread = measure_task_view_type_is_application(view, i / nr_classes)
				 ? group_spread(&view->durations[i], all)
				 : -1;
		if (spread > worst) {
			worst = spread;
			group = i;
		}
	}
	if (worst < 0) {
		expectation_is_unknown(expectation, "there are too few tasks of each type");
		return;
	}
	expectation_set(expectation, worst <= MOST_SPREAD && nr_outliers <= MOST_OUTLIERS * nr,
		worst,
		"half of the tasks %s on %s take %s to %s, %.0f %% of their median apart; "
		"%.1f %% of all tasks are outliers",
		MEASURE_PRINTABLE(measure_task_view_type_name(view, group / nr_classes)),
		MEASURE_PRINTABLE(view->tasks->classes[group % nr_classes].name),
		seconds_text(view, view->durations[group].quartile, low),
		seconds_text(view, view->durations[group].upper_quartile, high), 100 * worst,
		100 * nr_outliers / nr);
}

static double count_workers(const struct measure_task_view *view, uint32_t process)
{
	double nr = 0;

	for (size_t i = 0; i < view->tasks->nr_workers; i++)
		nr += view->tasks->workers[i].process == process;
	return nr;
}

/* Share of the slices between the ramps in which fewer tasks are ready than there are workers. A
 * ramp ends where there are enough, or where it is too long. */
static double share_of_lack(const double *ready, size_t nr, double nr_workers)
{
	size_t first = 0, last = nr, nr_lacking = 0;

	while ((double)first < RAMP * (double)nr && ready[first] < nr_workers)
		first++;
	while ((double)(nr - last) < RAMP * (double)nr && last > first &&
		ready[last - 1] < nr_workers)
		last--;
	for (size_t i = first; i < last; i++)
		nr_lacking += ready[i] < nr_workers;
	return last > first ? (double)nr_lacking / (double)(last - first) : 0;
}

static void expect_enough_ready(
	const struct measure_task_view *view, struct measure_expectation *expectation)
{
	const struct measure_task_panel_options options = {
		.process = MEASURE_NONE, .type = MEASURE_NONE};
	struct measure_task_panel ready;
	double worst = -1;
	size_t group = 0;

	measure_task_panel_make(view, MEASURE_TASK_PANEL_READY, &options, &ready);
	for (size_t i = 0; i < ready.nr_groups; i++) {
		const double nr_workers = count_workers(view, ready.groups[i].process);
		double share;

		if (nr_workers <= 0)
			continue;
		share = share_of_lack(
			&ready.values[i * ready.nr_columns], ready.nr_columns, nr_workers);
		if (share > worst) {
			worst = share;
			group = i;
		}
	}
	if (worst < 0)
		expectation_is_unknown(expectation, "no process has workers");
	else
		expectation_set(expectation, worst <= MOST_LACK, worst,
			"%s has fewer ready tasks than workers (%.0f) in %.1f %% of the time "
			"between the ramps at both ends",
			MEASURE_PRINTABLE(ready.groups[group].name),
			count_workers(view, ready.groups[group].process), 100 * worst);
	measure_task_panel_free(&ready);
}

/* From the first start of its application tasks to the last end. */
struct iteration_span {
	uint64_t start, end;
};

static double sum_of_spans(
	const struct measure_task_view *view, const uint32_t *iterations, size_t nr)
{
	struct iteration_span *spans = measure_zeroed(nr, sizeof(*spans));
	double sum = 0;

	for (size_t i = 0; i < view->tasks->nr_tasks; i++) {
		const struct measure_task *task = &view->tasks->tasks[i];
		const uint32_t place =
			measure_task_view_find_iteration(iterations, nr, task->iteration);

		if (place == MEASURE_NONE || !measure_task_view_is_useful(view, i))
			continue;
		if (spans[place].end == 0 || task->start < spans[place].start)
			spans[place].start = task->start;
		if (task->end > spans[place].end)
			spans[place].end = task->end;
	}
	for (size_t i = 0; i < nr; i++)
		sum += (double)(spans[i].end - spans[i].start);
	measure_free(spans);
	return sum;
}

static void expect_iterations_overlap(
	const struct measure_task_view *view, struct measure_expectation *expectation)
{
	const double makespan = (double)(view->end - view->zero);
	size_t nr;
	uint32_t *iterations = measure_task_view_iterations(view, &nr);
	const double mean = sum_of_spans(view, iterations, nr) / makespan;

	if (nr < 2 || !(makespan > 0))
		expectation_is_unknown(expectation, "tasks of fewer than two iterations are known");
	else
		expectation_set(expectation, mean >= LEAST_ITERATIONS, mean,
			"%.1f of %s iterations are in progress at the same time, on average: %s",
			mean, measure_figure(nr),
			mean >= LEAST_ITERATIONS ? "they go in depth"
						 : "they go in breadth, one after the other");
	measure_free(iterations);
}

static void expect_near_bounds(
	const struct measure_task_view *view, struct measure_expectation *expectation)
{
	char texts[3][MEASURE_FIGURE_TEXT];
	const double area = measure_task_view_bound(view, MEASURE_NONE);
	const double path =
		(double)path_length(view, MEASURE_NONE, MEASURE_TASK_DURATIONS_OBSERVED, false);
	const double bound = fmax(area, path); /* of NAN the other one */
	const double time = (double)(view->end - view->zero);
	const double above = time / bound - 1;

	if (!(bound > 0)) {
		expectation_is_unknown(expectation, "no task took any time");
		return;
	}
	expectation_set(expectation, above <= MOST_ABOVE_BOUND, above,
		"the makespan, %s, is %.2f times the larger bound (area bound %s, critical path "
		"%s)",
		seconds_text(view, time, texts[0]), 1 + above,
		isnan(area) ? "unknown" : seconds_text(view, area, texts[1]),
		seconds_text(view, path, texts[2]));
}

/* Ticks of application tasks on each worker, in pieces that do not overlap. */
static void add_ticks(void *data, uint32_t task, uint64_t start, uint64_t end)
{
	(void)task;
	*(double *)data += (double)(end - start);
}

/* Mean busy time of the workers of a process; less than 0: it has none. */
static double load_of_process(const struct measure_task_view *view, uint32_t process)
{
	const double nr = count_workers(view, process);
	double busy = 0;

	for (uint32_t i = 0; i < view->tasks->nr_workers; i++)
		if (view->tasks->workers[i].process == process)
			measure_task_view_walk(view, i, add_ticks, &busy);
	return nr > 0 ? busy / nr : -1;
}

/* Loads of which the largest and the mean are compared. */
struct loads {
	double sum, most, nr;
	uint32_t which;
};

static void loads_add(struct loads *loads, double load, uint32_t which)
{
	if (load < 0)
		return;
	if (loads->nr <= 0 || load > loads->most) {
		loads->most = load;
		loads->which = which;
	}
	loads->sum += load;
	loads->nr++;
}

/* Of processes; of a single one its workers. */
static void expect_equal_loads(
	const struct measure_task_view *view, struct measure_expectation *expectation)
{
	const struct measure_definitions *definitions = &view->trace->definitions;
	char most[MEASURE_FIGURE_TEXT], mean[MEASURE_FIGURE_TEXT];
	struct loads loads = {.nr = 0};
	const char *name;
	double above;
	bool is_one;

	for (uint32_t i = 0; i < view->nr_processes; i++)
		loads_add(&loads, load_of_process(view, view->processes[i]), view->processes[i]);
	is_one = loads.nr < 2;
	if (is_one) {
		loads = (struct loads){.nr = 0};
		for (uint32_t i = 0; i < view->tasks->nr_workers; i++) {
			double busy = 0;

			measure_task_view_walk(view, i, add_ticks, &busy);
			loads_add(&loads, busy, i);
		}
	}
	if (loads.nr < 2 || !(loads.sum > 0)) {
		expectation_is_unknown(expectation, "there is one worker only");
		return;
	}
	name = is_one ? measure_task_view_location_name(
				view, view->tasks->workers[loads.which].location)
		      : measure_text(definitions, definitions->location_groups[loads.which].name);
	above = loads.most / (loads.sum / loads.nr) - 1;
	expectation_set(expectation, above <= MOST_ABOVE_MEAN, above,
		"%s, the %s with the most work, is busy for %s, %.1f %% longer than the mean of %s",
		MEASURE_PRINTABLE(name), is_one ? "worker" : "process",
		seconds_text(view, loads.most, most), 100 * above,
		seconds_text(view, loads.sum / loads.nr, mean));
}

/* Ticks of the gap before a task that end with a message that the task waited for. */
static uint64_t late_ticks(const struct measure_task_view *view, uint32_t task, uint64_t free_since)
{
	const struct measure_task *tasks = view->tasks->tasks;
	uint32_t chain[2];

	if (tasks[task].start <= free_since ||
		measure_tasks_chain(view->tasks, task, 1, chain) < 2 ||
		measure_task_exchange_of(view->tasks, chain[1]) != MEASURE_TASK_RECEIVES ||
		!measure_task_is_over(&tasks[chain[1]]) || tasks[chain[1]].end <= free_since)
		return 0;
	return (tasks[chain[1]].end < tasks[task].start ? tasks[chain[1]].end : tasks[task].start) -
	       free_since;
}

static void expect_no_late_messages(
	const struct measure_task_view *view, struct measure_expectation *expectation)
{
	const struct measure_tasks *tasks = view->tasks;
	const double all = (double)(view->end - view->zero) * (double)tasks->nr_workers;
	char time[MEASURE_FIGURE_TEXT];
	double late = 0;
	uint64_t nr = 0;

	if (!tasks->partners || !(all > 0)) {
		expectation_is_unknown(expectation, "no task receives a message");
		return;
	}
	for (size_t w = 0; w < tasks->nr_workers; w++) {
		uint64_t free_since = view->zero;

		for (size_t i = view->first_executed[w]; i < view->first_executed[w + 1]; i++) {
			const uint64_t ticks = late_ticks(view, view->executed[i], free_since);
			const uint64_t end = tasks->tasks[view->executed[i]].end;

			late += (double)ticks;
			nr += ticks > 0;
			free_since = end > free_since ? end : free_since;
		}
	}
	expectation_set(expectation, late <= MOST_LATE * all, late / all,
		"workers waited %s times, %s together, for a message that a task needs: %.1f %% of "
		"their time",
		measure_figure(nr), seconds_text(view, late, time), 100 * late / all);
}

void measure_expectations_check(const struct measure_task_view *view,
	struct measure_expectation expectations[MEASURE_NR_EXPECTATIONS])
{
#define EXPECTATION(NAME, title, function)                                                         \
	expectations[MEASURE_EXPECT_##NAME] = (struct measure_expectation){.name = title};         \
	function(view, &expectations[MEASURE_EXPECT_##NAME]);
#include "expectations.def"
#undef EXPECTATION
}
