/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outliers by regression: of each type and class the tasks that took longer than the upper
 * prediction limit for their operations. */
#include "config.h"

#include "task_panels.h"

#include "trace/common/containers.h"

struct outlier_group {
	MEASURE_GROWING(uint32_t, tasks);
};

static void group_mark_outliers(const struct measure_task_view *view,
	const struct outlier_group *group, enum measure_duration_model model, uint8_t *is_outlier)
{
	const struct measure_tasks *tasks = view->tasks;
	double *durations = measure_zeroed(group->nr_tasks, sizeof(*durations));
	double *flops = measure_zeroed(group->nr_tasks, sizeof(*flops));
	struct measure_regression regression;

	for (size_t i = 0; i < group->nr_tasks; i++) {
		durations[i] = (double)tasks->tasks[group->tasks[i]].executed;
		flops[i] = tasks->flops[group->tasks[i]];
	}
	if (measure_regression_fit(&regression, model, durations, flops, group->nr_tasks))
		for (size_t i = 0; i < group->nr_tasks; i++)
			is_outlier[group->tasks[i]] =
				flops[i] > 0 &&
				durations[i] > measure_regression_limit(&regression, flops[i]);
	measure_free(durations);
	measure_free(flops);
}

uint8_t *measure_task_outliers(
	const struct measure_task_view *view, enum measure_duration_model model)
{
	const struct measure_tasks *tasks = view->tasks;
	const size_t nr_groups = view->nr_types * tasks->nr_classes;
	struct outlier_group *groups = measure_zeroed(nr_groups, sizeof(*groups));
	uint8_t *is_outlier = measure_zeroed(tasks->nr_tasks, sizeof(*is_outlier));

	for (size_t i = 0; tasks->flops && i < tasks->nr_tasks; i++) {
		size_t group;

		if (!measure_task_view_is_useful(view, i))
			continue;
		group = measure_task_view_type(view, i) * tasks->nr_classes +
			tasks->workers[tasks->tasks[i].worker].class;
		*measure_append(&groups[group], tasks) = (uint32_t)i;
	}
	for (size_t i = 0; i < nr_groups; i++) {
		if (groups[i].nr_tasks > 0)
			group_mark_outliers(view, &groups[i], model, is_outlier);
		measure_free(groups[i].tasks);
	}
	measure_free(groups);
	return is_outlier;
}
