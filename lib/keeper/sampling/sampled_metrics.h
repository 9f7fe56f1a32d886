/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The metrics of one scope that a keeper samples, and their values. */
#ifndef MEASURE_KEEPER_SAMPLING_SAMPLED_METRICS_H
#define MEASURE_KEEPER_SAMPLING_SAMPLED_METRICS_H

#include "assemble/part/sample_file.h"
#include "metric.h"
#include "metric/list.h"

/* Those that a source reads together. */
struct measure_sampled_metrics_group {
	const struct measure_metric_source *source;
	uint32_t nr;
	char names[MEASURE_MOST_METRICS][MEASURE_METRIC_NAME];
	struct measure_metric_info metrics[MEASURE_MOST_METRICS];
	void *state; /* NULL: not begun */
};

struct measure_sampled_metrics {
	uint32_t scope;
	uint32_t nr; /* of all groups; 0: there is nothing to sample */
	bool has_plugin;
	uint32_t nr_groups;
	struct measure_sampled_metrics_group groups[MEASURE_MOST_SAMPLED];
};

/* Those in --metrics of this scope that there are. */
void measure_sampled_metrics_choose(
	struct measure_sampled_metrics *sampling, const char *list, uint32_t scope);

/* Says in the keeper's journal what values they are. */
measure_status_t measure_sampled_metrics_describe(
	const struct measure_sampled_metrics *sampling, int part_fd);

/* Of a process, or where it runs. False: they cannot be read. */
bool measure_sampled_metrics_begin(struct measure_sampled_metrics *sampling, pid_t pid);

/* In the order of the groups. False: not all can be read now. */
bool measure_sampled_metrics_read(struct measure_sampled_metrics *sampling,
	uint8_t types[MEASURE_MOST_SAMPLED],
	union measure_metric_value values[MEASURE_MOST_SAMPLED]);

void measure_sampled_metrics_end(struct measure_sampled_metrics *sampling);

#endif
