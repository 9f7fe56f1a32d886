/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics that are sampled; see sampled_metrics.h. */
#include "config.h"

#include "sampled_metrics.h"

#include <stdio.h>
#include <string.h>

#include "assemble/part/journal_file.h"
#include "format/journal_records.h"
#include "launch/options/metric_names.h"

static struct measure_sampled_metrics_group *group_of(
	struct measure_sampled_metrics *sampling, const struct measure_metric_source *source)
{
	struct measure_sampled_metrics_group *group = sampling->groups;

	for (uint32_t i = 0; i < sampling->nr_groups; i++, group++)
		if (group->source == source && group->nr < MEASURE_MOST_METRICS)
			return group;
	sampling->nr_groups++;
	group->source = source;
	return group;
}

static void sampled_metrics_add(struct measure_sampled_metrics *sampling,
	const struct measure_metric_source *source, const char *name)
{
	struct measure_metric_info info;
	const char *why;

	if (sampling->nr == MEASURE_MOST_SAMPLED || source->find(name, &info, &why) != MEASURE_OK)
		return;
	struct measure_sampled_metrics_group *group = group_of(sampling, source);
	snprintf(group->names[group->nr], sizeof(group->names[0]), "%s", name);
	group->metrics[group->nr++] = info;
	sampling->nr++;
}

void measure_sampled_metrics_choose(
	struct measure_sampled_metrics *sampling, const char *list, uint32_t scope)
{
	struct measure_metric_choice choice;

	memset(sampling, 0, sizeof(*sampling));
	sampling->scope = scope;
	for (uint32_t i = 0; i < MEASURE_METRIC_MOST && measure_metric_list_next(&list, &choice);
		i++) {
		const struct measure_metric_source *source = measure_metrics_source(&choice);
		if (!source || source->scope != scope)
			continue;
		sampled_metrics_add(sampling, source, choice.metric);
		sampling->has_plugin |= measure_metric_is_of_plugin(&choice);
	}
}

measure_status_t measure_sampled_metrics_describe(
	const struct measure_sampled_metrics *sampling, int part_fd)
{
	struct measure_frames frames = {0};

	for (uint32_t i = 0; i < sampling->nr_groups; i++)
		for (uint32_t k = 0; k < sampling->groups[i].nr; k++) {
			const struct measure_metric_info *info = &sampling->groups[i].metrics[k];
			const struct measure_def_sampled def = {sampling->scope, sampling->scope,
				"", info->name, info->description ? info->description : "",
				info->unit, info->type, info->mode, info->value_type, info->base,
				info->exponent};
			MEASURE_FRAMES_ADD(&frames, sampled, &def);
		}
	return measure_frames_append(&frames, part_fd, MEASURE_JOURNAL_OF_KEEPER);
}

static bool begin_group(struct measure_sampled_metrics_group *group, pid_t pid)
{
	const char *names[MEASURE_MOST_METRICS];

	for (uint32_t i = 0; i < group->nr; i++)
		names[i] = group->names[i];
	group->state = group->source->begin(names, group->nr, pid);
	return group->state;
}

bool measure_sampled_metrics_begin(struct measure_sampled_metrics *sampling, pid_t pid)
{
	for (uint32_t i = 0; i < sampling->nr_groups; i++)
		if (!begin_group(&sampling->groups[i], pid)) {
			measure_sampled_metrics_end(sampling);
			return false;
		}
	return true;
}

bool measure_sampled_metrics_read(struct measure_sampled_metrics *sampling,
	uint8_t types[MEASURE_MOST_SAMPLED],
	union measure_metric_value values[MEASURE_MOST_SAMPLED])
{
	for (uint32_t i = 0; i < sampling->nr_groups; i++) {
		const struct measure_sampled_metrics_group *group = &sampling->groups[i];
		if (!group->source->read(group->state, values))
			return false;
		for (uint32_t k = 0; k < group->nr; k++)
			types[k] = group->metrics[k].value_type;
		types += group->nr;
		values += group->nr;
	}
	return true;
}

void measure_sampled_metrics_end(struct measure_sampled_metrics *sampling)
{
	for (uint32_t i = 0; i < sampling->nr_groups; i++) {
		struct measure_sampled_metrics_group *group = &sampling->groups[i];
		if (group->state)
			group->source->end(group->state);
		group->state = NULL;
	}
}
