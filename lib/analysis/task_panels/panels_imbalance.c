/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of how unequally workers are used, slice by slice: by utilisation alone, with workers
 * weighted by their speed, and against the area bound. */
#include "config.h"

#include <math.h>

#include "panels_internal.h"

enum imbalance_metric { PERCENT, PERCENTAGE, TIME, DEVIATION, AVERAGE, NR_METRICS };

static const char *const metric_names[NR_METRICS] = {"PI", "IP", "IT", "STD", "AVG"};

/* Of one slice. */
struct imbalance {
	double of[NR_METRICS]; /* NAN: there is none */
};

/* Utilisations of workers, [worker * nr_columns + slice], and a place for one slice of them. */
struct utilisations {
	struct measure_task_panel panel;
	double *slice; /* by group */
	size_t nr;
};

static void utilisations_make(struct utilisations *of, const struct measure_task_view *view,
	const struct measure_task_panel_options *options, const struct measure_slices *slices)
{
	of->panel = (struct measure_task_panel){.slices = *slices};
	panel_utilisation(view, options, &of->panel);
	of->nr = of->panel.nr_groups;
	of->slice = measure_zeroed(of->nr, sizeof(*of->slice));
}

static void utilisations_free(struct utilisations *of)
{
	measure_task_panel_free(&of->panel);
	measure_free(of->slice);
}

static void utilisations_take(struct utilisations *of, size_t slice)
{
	for (size_t i = 0; i < of->nr; i++)
		of->slice[i] = of->panel.values[i * of->panel.nr_columns + slice];
}

static size_t utilisations_most(const struct utilisations *of)
{
	size_t most = 0;

	for (size_t i = 1; i < of->nr; i++)
		if (of->slice[i] > of->slice[most])
			most = i;
	return most;
}

static double utilisations_mean(const struct utilisations *of)
{
	double sum = 0;

	for (size_t i = 0; i < of->nr; i++)
		sum += of->slice[i];
	return sum / (double)of->nr;
}

/* Of a sample; of one worker there is none. */
static double utilisations_deviation(const struct utilisations *of)
{
	const double mean = utilisations_mean(of);
	double sum = 0;

	for (size_t i = 0; i < of->nr; i++)
		sum += (of->slice[i] - mean) * (of->slice[i] - mean);
	return of->nr > 1 ? sqrt(sum / ((double)of->nr - 1)) : NAN;
}

/* From the metrics of one slice the values of all. */
static void put_imbalance(
	struct measure_task_panel *panel, size_t slice, const struct imbalance *imbalance)
{
	for (int i = 0; i < NR_METRICS; i++)
		panel->values[(size_t)i * panel->nr_columns + slice] =
			isfinite(imbalance->of[i]) ? imbalance->of[i] : NAN;
}

static void add_metrics(struct measure_task_panel *panel)
{
	for (int i = 0; i < NR_METRICS; i++)
		measure_panel_add_group(panel, metric_names[i]);
	measure_panel_make_values(panel);
}

/* Divisions by zero end as NAN in put_imbalance(). */
static struct imbalance imbalance_of_equals(const struct utilisations *of)
{
	const double most = of->slice[utilisations_most(of)], mean = utilisations_mean(of);
	const double nr = (double)of->nr;

	return (struct imbalance){{[PERCENT] = most / mean - 1,
		[PERCENTAGE] = (most - mean) / most * nr / (nr - 1),
		[TIME] = most - mean,
		[DEVIATION] = utilisations_deviation(of),
		[AVERAGE] = mean}};
}

void panel_imbalance(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	struct utilisations of;

	utilisations_make(&of, view, options, &panel->slices);
	if (of.nr > 0)
		add_metrics(panel);
	for (size_t i = 0; of.nr > 0 && i < panel->slices.nr; i++) {
		struct imbalance imbalance;

		utilisations_take(&of, i);
		imbalance = imbalance_of_equals(&of);
		put_imbalance(panel, i, &imbalance);
	}
	utilisations_free(&of);
}

/* --------------------------------------------------------------------------- power --- */

/* By worker: 1 / mean duration of tasks of a type, 0 where it has executed none. */
static double *powers_make(const struct measure_task_view *view, uint32_t type)
{
	const struct measure_tasks *tasks = view->tasks;
	double *powers = measure_zeroed(tasks->nr_workers, sizeof(*powers));

	for (size_t w = 0; w < tasks->nr_workers; w++) {
		double sum = 0, nr = 0;

		for (size_t i = view->first_executed[w]; i < view->first_executed[w + 1]; i++) {
			if (measure_task_view_type(view, view->executed[i]) != type)
				continue;
			sum += (double)tasks->tasks[view->executed[i]].executed;
			nr++;
		}
		powers[w] = sum > 0 ? nr / sum : 0;
	}
	return powers;
}

static bool is_executed_by_all(const struct measure_task_panel *workers, const double *powers)
{
	for (size_t i = 0; i < workers->nr_groups; i++)
		if (!(powers[workers->groups[i].worker] > 0))
			return false;
	return workers->nr_groups > 0;
}

/* Of the type that was asked for, else of the one with the most time among those that all workers
 * have executed. NULL: there is none. */
static double *powers_choose(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, const struct measure_task_panel *workers)
{
	double *chosen = NULL;
	uint64_t most = 0;

	for (uint32_t type = 0; type < view->nr_types; type++) {
		const uint64_t executed =
			type < view->tasks->nr_types ? view->tasks->types[type].executed : 0;
		double *powers;

		if (!measure_task_view_type_is_application(view, type) ||
			(options->type != MEASURE_NONE && options->type != type) ||
			(chosen && executed <= most))
			continue;
		powers = powers_make(view, type);
		if (is_executed_by_all(workers, powers)) {
			measure_free(chosen);
			chosen = powers;
			most = executed;
		} else {
			measure_free(powers);
		}
	}
	return chosen;
}

static struct imbalance imbalance_of_powers(const struct utilisations *of, const double *powers)
{
	const size_t most = utilisations_most(of);
	double all = 0, used = 0;
	double excess;

	for (size_t i = 0; i < of->nr; i++) {
		const double power = powers[of->panel.groups[i].worker];

		all += power;
		used += power * of->slice[i];
	}
	excess = of->slice[most] - used / all;
	return (struct imbalance){{[PERCENT] = of->slice[most] / (used / all) - 1,
		[PERCENTAGE] = excess / of->slice[most] * all /
			       (all - powers[of->panel.groups[most].worker]),
		[TIME] = excess,
		[DEVIATION] = utilisations_deviation(of),
		[AVERAGE] = used / all}};
}

void panel_power_imbalance(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	struct utilisations of;
	double *powers;

	utilisations_make(&of, view, options, &panel->slices);
	powers = powers_choose(view, options, &of.panel);
	if (powers)
		add_metrics(panel);
	for (size_t i = 0; powers && i < panel->slices.nr; i++) {
		struct imbalance imbalance;

		utilisations_take(&of, i);
		imbalance = imbalance_of_powers(&of, powers);
		put_imbalance(panel, i, &imbalance);
	}
	measure_free(powers);
	utilisations_free(&of);
}

/* ---------------------------------------------------------------------- area bound --- */

static double between_0_and_1(double value)
{
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

static struct imbalance imbalance_of_bounds(
	const struct utilisations *of, double share, double without_most)
{
	const double most = of->slice[utilisations_most(of)];

	return (struct imbalance){{[PERCENT] = most / share - 1,
		[PERCENTAGE] = between_0_and_1((most - share) / most * without_most / share),
		[TIME] = between_0_and_1(most - share),
		[DEVIATION] = utilisations_deviation(of),
		[AVERAGE] = share}};
}

void panel_class_imbalance(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	struct measure_area area;
	struct utilisations of;
	double *counts = measure_task_view_counts(view, options->process, &panel->slices);

	utilisations_make(&of, view, options, &panel->slices);
	measure_task_view_area(view, options->process, &area);
	if (of.nr > 0)
		add_metrics(panel);
	for (size_t i = 0; of.nr > 0 && i < panel->slices.nr; i++) {
		const double length = (double)measure_slice_length(&panel->slices, i);
		struct imbalance imbalance = {{NAN, NAN, NAN, NAN, NAN}};
		double bound = NAN, without = NAN;
		uint32_t class;

		utilisations_take(&of, i);
		class = of.panel.groups[utilisations_most(&of)].class;
		for (size_t type = 0; type < view->nr_types; type++)
			area.counts[type] = counts[type * panel->slices.nr + i];
		if (measure_area_bound(&area, &bound, NULL)) {
			area.workers[class]--;
			if (!measure_area_bound(&area, &without, NULL))
				without = NAN;
			area.workers[class]++;
			imbalance = imbalance_of_bounds(&of, bound / length, without / length);
		}
		put_imbalance(panel, i, &imbalance);
	}
	measure_area_free(&area);
	measure_free(counts);
	utilisations_free(&of);
}
