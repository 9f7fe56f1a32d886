/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics that are sampled; see sampling.h. */
#include "config.h"

#include "sampling.h"

#include <stdio.h>
#include <string.h>

#include "assemble/journal_file.h"
#include "defs/records.h"
#include "metrics.h"

static struct measure_sampling_group *group_of(
	struct measure_sampling *sampling, const struct measure_metric_source *source)
{
	struct measure_sampling_group *group = sampling->groups;

	for (uint32_t i = 0; i < sampling->nr_groups; i++, group++)
		if (group->source == source && group->nr < MEASURE_MOST_METRICS)
			return group;
	sampling->nr_groups++;
	group->source = source;
	return group;
}

static void add(struct measure_sampling *sampling, const struct measure_metric_source *source,
	const char *name)
{
	struct measure_metric_info info;
	const char *why;

	if (sampling->nr == MEASURE_MOST_SAMPLED || source->find(name, &info, &why) != MEASURE_OK)
		return;
	struct measure_sampling_group *group = group_of(sampling, source);
	snprintf(group->names[group->nr], sizeof(group->names[0]), "%s", name);
	group->metrics[group->nr++] = info;
	sampling->nr++;
}

void measure_sampling_choose(struct measure_sampling *sampling, const char *list, uint32_t scope)
{
	struct measure_metric_choice choice;

	memset(sampling, 0, sizeof(*sampling));
	sampling->scope = scope;
	for (uint32_t i = 0; i < MEASURE_METRIC_MOST && measure_metric_list_next(&list, &choice);
		i++) {
		const struct measure_metric_source *source = measure_metrics_source(&choice);
		if (!source || source->scope != scope)
			continue;
		add(sampling, source, choice.metric);
		sampling->has_plugin |= measure_metric_is_of_plugin(&choice);
	}
}

measure_status_t measure_sampling_describe(const struct measure_sampling *sampling, int part_fd)
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

static bool begin_group(struct measure_sampling_group *group, pid_t pid)
{
	const char *names[MEASURE_MOST_METRICS];

	for (uint32_t i = 0; i < group->nr; i++)
		names[i] = group->names[i];
	group->state = group->source->begin(names, group->nr, pid);
	return group->state;
}

bool measure_sampling_begin(struct measure_sampling *sampling, pid_t pid)
{
	for (uint32_t i = 0; i < sampling->nr_groups; i++)
		if (!begin_group(&sampling->groups[i], pid)) {
			measure_sampling_end(sampling);
			return false;
		}
	return true;
}

bool measure_sampling_read(struct measure_sampling *sampling, uint8_t types[MEASURE_MOST_SAMPLED],
	union measure_metric_value values[MEASURE_MOST_SAMPLED])
{
	for (uint32_t i = 0; i < sampling->nr_groups; i++) {
		const struct measure_sampling_group *group = &sampling->groups[i];
		if (!group->source->read(group->state, values))
			return false;
		for (uint32_t k = 0; k < group->nr; k++)
			types[k] = group->metrics[k].value_type;
		types += group->nr;
		values += group->nr;
	}
	return true;
}

void measure_sampling_end(struct measure_sampling *sampling)
{
	for (uint32_t i = 0; i < sampling->nr_groups; i++) {
		struct measure_sampling_group *group = &sampling->groups[i];
		if (group->state)
			group->source->end(group->state);
		group->state = NULL;
	}
}
