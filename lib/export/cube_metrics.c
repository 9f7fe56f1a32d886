/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics of a file of Cube: time with waiting time by pattern, visits, delay costs by pattern, the
 * critical path. A metric contains those below it. */
#include "config.h"

#include "cube_metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/root_causes.h"

struct cube_name {
	const char *wait, *delay;
};

static const struct cube_name names[MEASURE_NR_WAIT_PATTERNS] = {
#define CUBE_NAME(PATTERN, wait, delay) [MEASURE_WAIT_##PATTERN] = {wait, delay},
#include "cube_names.def"
#undef CUBE_NAME
};

/* ------------------------------------------------------------------------- metrics --- */

static char *joined(const char *begin, const char *end)
{
	const size_t size = strlen(begin) + strlen(end) + 1;
	char *text = measure_zeroed(size, 1);

	snprintf(text, size, "%s%s", begin, end);
	return text;
}

/* The texts are put together. Returns its number. */
static uint32_t add_metric(struct cube_metrics *metrics, uint32_t parent, const char *const name[2],
	const char *const title[2], const char *description)
{
	*measure_append(metrics, items) = (struct cube_metric){.name = joined(name[0], name[1]),
		.title = joined(title[0], title[1]),
		.description = description,
		.parent = parent};
	return (uint32_t)metrics->nr_items - 1;
}

static uint32_t add_plain(struct cube_metrics *metrics, uint32_t parent, const char *name,
	const char *title, const char *description)
{
	return add_metric(metrics, parent, (const char *const[]){name, ""},
		(const char *const[]){title, ""}, description);
}

static void add_value(struct cube_metrics *metrics, uint32_t metric, uint32_t path,
	uint32_t location, uint64_t value)
{
	if (value > 0)
		*measure_append(&metrics->items[metric], values) =
			(struct cube_value){path, location, value};
}

/* Down from, and with, `first`, which contain what is below them and nothing else. */
static void add_to_all(struct cube_metrics *metrics, uint32_t first, uint32_t metric, uint32_t path,
	uint32_t location, uint64_t value)
{
	for (; metric != MEASURE_NONE && metric >= first; metric = metrics->items[metric].parent)
		add_value(metrics, metric, path, location, value);
}

/* ---------------------------------------------------------------------------- time --- */

static uint32_t add_times(struct cube_metrics *metrics)
{
	const struct measure_profile *profile = &metrics->waits->profile;
	const uint32_t time = add_plain(metrics, MEASURE_NONE, "time", "Time", "time in a call");
	const uint32_t visits =
		add_plain(metrics, MEASURE_NONE, "visits", "Visits", "number of calls");

	metrics->items[visits].is_count = true;
	for (size_t i = 0; i < profile->nr_rows; i++) {
		const struct measure_profile_row *row = &profile->rows[i];

		if (profile->paths[row->path].region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		add_value(metrics, time, row->path, row->location, row->exclusive);
		add_value(metrics, visits, row->path, row->location, row->visits);
	}
	return time;
}

/* --------------------------------------------------------------------------- waits --- */

/* What it is contained in. */
static uint32_t outer_pattern(uint32_t pattern)
{
	switch (pattern) {
	case MEASURE_WAIT_WRONG_ORDER_SAME:
	case MEASURE_WAIT_WRONG_ORDER_DIFFERENT:
		return MEASURE_WAIT_LATE_SENDER;
	case MEASURE_WAIT_LATE_COMPLETE:
		return MEASURE_WAIT_EARLY_WAIT;
	default:
		return MEASURE_NONE;
	}
}

static uint32_t wait_metric(
	struct cube_metrics *metrics, uint32_t waiting, uint32_t *of_pattern, uint32_t pattern)
{
	const uint32_t outer = outer_pattern(pattern);
	uint32_t parent = waiting;

	if (of_pattern[pattern] != 0)
		return of_pattern[pattern];
	if (outer != MEASURE_NONE)
		parent = wait_metric(metrics, waiting, of_pattern, outer);
	of_pattern[pattern] = add_metric(metrics, parent,
		names[pattern].wait
			? (const char *const[]){names[pattern].wait, ""}
			: (const char *const[]){"measure_", measure_wait_patterns[pattern].word},
		(const char *const[]){measure_wait_patterns[pattern].title, ""},
		"time in which calls could not go on");
	return of_pattern[pattern];
}

static void add_waits(struct cube_metrics *metrics, uint32_t time)
{
	const struct measure_waits *waits = metrics->waits;
	const uint32_t waiting = add_plain(metrics, time, "measure_waiting", "Waiting",
		"time in which calls could not go on, by measure-analyze");
	uint32_t of_pattern[MEASURE_NR_WAIT_PATTERNS] = {0};

	for (size_t i = 0; i < waits->nr_rows; i++) {
		const struct measure_wait_row *row = &waits->rows[i];
		uint32_t metric;

		if (measure_wait_patterns[row->pattern].part == MEASURE_WAIT_BESIDE)
			continue;
		metric = wait_metric(metrics, waiting, of_pattern, row->pattern);
		add_to_all(metrics, outer_pattern(row->pattern) == MEASURE_NONE ? waiting : metric,
			metric, row->path, row->location, row->ticks);
	}
}

/* -------------------------------------------------------------------------- delays --- */

/* All costs of a pattern; the two after it are the short-term and the long-term ones. */
static uint32_t add_delay_metrics(struct cube_metrics *metrics, uint32_t parent, uint32_t pattern)
{
	const struct measure_wait_pattern_info *info = &measure_wait_patterns[pattern];
	const char *known = names[pattern].delay;
	char *name = known ? joined(known, "") : joined("measure_delay_", info->word);
	const uint32_t all = add_metric(metrics, parent, (const char *const[]){name, "_aggregate"},
		(const char *const[]){info->title, ""},
		"waiting time of others that is due to a call path");

	add_metric(metrics, all, (const char *const[]){name, ""},
		(const char *const[]){info->title, ", short-term"},
		"waiting time of those who waited for this location");
	add_metric(metrics, all, (const char *const[]){name, "_longterm"},
		(const char *const[]){info->title, ", long-term"},
		"waiting time of those who waited for somebody who waited");
	measure_free(name);
	return all;
}

static void add_delays(struct cube_metrics *metrics)
{
	const struct measure_delays *delays = &metrics->waits->root_causes->delays;
	const uint32_t delay = add_plain(metrics, MEASURE_NONE, "delay", "Delay costs",
		"waiting time of others that is due to a call path");
	uint32_t of_pattern[MEASURE_NR_WAIT_PATTERNS] = {0};

	for (size_t i = 0; i < delays->nr_rows; i++) {
		const struct measure_delay_row *row = &delays->rows[i];
		uint32_t *all = &of_pattern[row->pattern];

		if (*all == 0)
			*all = add_delay_metrics(metrics, delay, row->pattern);
		add_to_all(metrics, delay, *all + 1, row->path, row->location, row->short_term);
		add_to_all(metrics, delay, *all + 2, row->path, row->location, row->long_term);
	}
}

/* ------------------------------------------------------------------- critical path --- */

static void add_critical_path(struct cube_metrics *metrics)
{
	const struct measure_root_causes *causes = metrics->waits->root_causes;
	const struct measure_critical_path *critical = &causes->critical;
	const uint32_t metric = add_plain(metrics, MEASURE_NONE, "critical_path",
		"Critical path profile", "time on the critical path");
	struct measure_path_times range;

	measure_path_times_start(&range, &causes->timelines);
	for (size_t i = 0; i < critical->nr_segments; i++) {
		const struct measure_path_segment *segment = &critical->segments[i];

		measure_timeline_all(&causes->timelines, segment->location, segment->from,
			segment->until, &range);
		for (size_t k = 0; k < range.nr_paths; k++)
			add_value(metrics, metric, range.paths[k], segment->location,
				range.ticks[range.paths[k]]);
		measure_path_times_clear(&range);
	}
	measure_path_times_free(&range);
}

void cube_metrics_find(struct cube_metrics *metrics, const struct measure_waits *waits)
{
	*metrics = (struct cube_metrics){.waits = waits};
	add_waits(metrics, add_times(metrics));
	add_delays(metrics);
	add_critical_path(metrics);
}

void cube_metrics_free(struct cube_metrics *metrics)
{
	for (size_t i = 0; i < metrics->nr_items; i++) {
		measure_free(metrics->items[i].name);
		measure_free(metrics->items[i].title);
		measure_free(metrics->items[i].values);
	}
	measure_free(metrics->items);
}
