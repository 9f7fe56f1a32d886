/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metric plug-ins of Score-P in a keeper; see plugin_collector.h. */
#include "config.h"

#include "plugin_collector.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble/part/journal_file.h"
#include "cli/cli.h"
#include "clock/clock.h"
#include "format/journal_records.h"
#include "metric.h"

#define MOST_WAITING 65536 /* values, for those of other metrics that are earlier */

/* ----------------------------------------------------------------------- choosing --- */

static bool is_known(const struct measure_collectors *collectors, const char *path)
{
	for (uint32_t i = 0; i < collectors->nr; i++)
		if (strcmp(collectors->items[i].path, path) == 0)
			return true;
	return false;
}

/* What is wrong with a plug-in or a word was said by `measure`. */
static void add_metrics(struct measure_collector *collector, const char *list)
{
	struct measure_metric_choice choice;

	for (uint32_t i = 0; i < MEASURE_METRIC_MOST && measure_metric_list_next(&list, &choice);
		i++) {
		uint32_t room = MEASURE_MOST_SINGLE - collector->nr;
		if (strcmp(choice.source, collector->path) != 0)
			continue;
		uint32_t nr = measure_scorep_metrics(&collector->plugin, choice.metric,
			collector->metrics + collector->nr, room);
		collector->nr += nr < room ? nr : room;
	}
}

static bool plugin_collector_describe(const struct measure_collector *collector)
{
	struct measure_frames frames = {0};

	for (uint32_t i = 0; i < collector->nr; i++) {
		const struct measure_metric_info *info = &collector->metrics[i];
		const struct measure_def_sampled def = {collector->series, MEASURE_METRIC_NODE,
			collector->plugin.name, info->name,
			info->description ? info->description : "", info->unit, info->type,
			info->mode, info->value_type, info->base, info->exponent};
		MEASURE_FRAMES_ADD(&frames, sampled, &def);
	}
	bool is_told = frames.status == MEASURE_OK &&
		       measure_clock_snapshots_append(
			       collector->into->triples, frames.bytes.items, frames.bytes.nr);
	free(frames.bytes.items);
	return is_told;
}

/* Those that this process, or one that it is forked from, has started. */
static char started[MEASURE_SAMPLED_PLUGINS][MEASURE_METRIC_PATH];
static uint32_t nr_started;

static bool was_started(const char *path)
{
	for (uint32_t i = 0; i < nr_started; i++)
		if (strcmp(started[i], path) == 0)
			return true;
	return false;
}

static void add_plugin(struct measure_collectors *collectors, const char *path)
{
	struct measure_collector *collector = &collectors->items[collectors->nr];

	if (!measure_scorep_open(path, &collector->plugin) || collector->plugin.is_in_program ||
		measure_scorep_fault(&collector->plugin))
		return;
	snprintf(collector->path, sizeof(collector->path), "%s", path);
	collector->into = &collectors->into;
	collector->series = MEASURE_SAMPLED_SCOPES + collectors->nr++;
	collector->is_off = was_started(path);
}

void measure_collectors_choose(
	struct measure_collectors *collectors, const struct measure_collecting *into)
{
	struct measure_metric_choice choice;
	const char *rest = into->list;

	memset(collectors, 0, sizeof(*collectors)); /* of a child, they have been its parent's */
	collectors->into = *into;
	for (uint32_t i = 0; i < MEASURE_METRIC_MOST && measure_metric_list_next(&rest, &choice) &&
			     collectors->nr < MEASURE_SAMPLED_PLUGINS;
		i++)
		if (measure_metric_is_of_plugin(&choice) && !is_known(collectors, choice.source))
			add_plugin(collectors, choice.source);
}

/* ------------------------------------------------------------------------ reading --- */

/* A plug-in may have returned when the keeper has gone on without this thread. */
static bool lock_part(const struct measure_collector *collector)
{
	pthread_mutex_lock(collector->into->lock);
	if (!*collector->into->is_cut)
		return true;
	pthread_mutex_unlock(collector->into->lock);
	return false;
}

static void unlock_part(const struct measure_collector *collector)
{
	pthread_mutex_unlock(collector->into->lock);
}

static bool open_file(struct measure_collector *collector)
{
	if (!lock_part(collector))
		return false;
	bool is_open = plugin_collector_describe(collector) &&
		       measure_sample_file_open(collector->into->part_fd, collector->series,
			       collector->into->segment->layout.chunk_size,
			       &collector->file) == MEASURE_OK;
	unlock_part(collector);
	return is_open;
}

/* It was there when `measure` asked it. */
static bool say_missing(struct measure_collector *collector, const char *why)
{
	if (!lock_part(collector)) /* that was said */
		return false;
	atomic_fetch_add(&collector->into->segment->header->counts[MEASURE_COUNT_UNPLUGGED], 1);
	unlock_part(collector);
	measure_cli_say("%s: %s: recording without it", collector->path, why);
	return false;
}

static bool plugin_collector_start(struct measure_collector *collector)
{
	strcpy(started[nr_started], collector->path);
	nr_started++;
	if (!measure_scorep_start(&collector->plugin, measure_clock_now))
		return say_missing(collector, "it no longer starts");
	add_metrics(collector, collector->into->list);
	if (collector->nr == 0)
		return say_missing(collector, "it no longer provides its metrics");
	return open_file(collector) ||
	       say_missing(collector, "cannot create a file for its values");
}

bool measure_collector_begin(struct measure_collector *collector)
{
	if (collector->is_open || collector->is_off)
		return collector->is_open;
	collector->is_open = plugin_collector_start(collector);
	collector->is_off = !collector->is_open;
	if (collector->is_off)
		return false;
	collector->begin = collector->last = measure_clock_now();
	for (uint32_t i = 0; i < collector->nr; i++)
		collector->numbers[i] =
			collector->plugin.info.add((char *)collector->metrics[i].name);
	measure_scorep_tell(&collector->plugin, MEASURE_SCOREP_BEGIN);
	return true;
}

static void count_lost(const struct measure_collector *collector)
{
	atomic_fetch_add(&collector->into->segment->header->counts[MEASURE_COUNT_UNSAMPLED], 1);
}

static void write_one(struct measure_collector *collector, const struct measure_collected *one)
{
	const union measure_metric_value value = {.unsigned_int = one->value};

	if (!lock_part(collector))
		return;
	if (measure_sample_file_put(&collector->file, one->time, one->metric,
		    &collector->metrics[one->metric].value_type, &value, 1) != MEASURE_OK)
		count_lost(collector);
	else
		collector->nr_written++;
	if (one->time < collector->file.last_time)
		collector->nr_moved++;
	unlock_part(collector);
}

/* Values of the moment. */
static void read_now(struct measure_collector *collector, uint64_t now)
{
	const struct measure_scorep_info *info = &collector->plugin.info;

	for (uint32_t i = 0; i < collector->nr; i++) {
		struct measure_collected one = {now, i, 0};
		bool is_new = true;
		if (collector->numbers[i] < 0)
			continue;
		if (info->timing == MEASURE_SCOREP_ALWAYS)
			one.value = info->value(collector->numbers[i]);
		else
			is_new = info->new_value(collector->numbers[i], &one.value);
		if (is_new)
			write_one(collector, &one);
	}
}

static void plugin_collector_take(struct measure_collector *collector, uint32_t metric,
	const struct measure_scorep_value *value, uint64_t end)
{
	const struct measure_collected one = {value->time, metric, value->value};

	if (value->time > collector->latest[metric])
		collector->latest[metric] = value->time;
	if (value->time < collector->begin || value->time > end)
		collector->nr_outside++;
	else if (measure_array_push(&collector->waiting, one) != MEASURE_OK)
		count_lost(collector);
}

static void take_all(struct measure_collector *collector, uint64_t end)
{
	for (uint32_t i = 0; i < collector->nr; i++) {
		struct measure_scorep_value *values = NULL;
		if (collector->numbers[i] < 0)
			continue;
		uint64_t nr = collector->plugin.info.values(collector->numbers[i], &values);
		for (uint64_t k = 0; values && k < nr; k++)
			plugin_collector_take(collector, i, &values[k], end);
		free(values);
	}
}

static int by_time(const void *left, const void *right)
{
	const struct measure_collected *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->metric > b->metric) - (a->metric < b->metric);
}

/* Up to when each metric has told its values, and none that is earlier comes any more. One that
 * tells nothing holds up the others, but not all of them for ever. */
static uint64_t told_up_to(const struct measure_collector *collector, uint64_t now)
{
	uint64_t time = now;

	if (collector->waiting.nr > MOST_WAITING)
		return now;
	for (uint32_t i = 0; i < collector->nr; i++)
		if (collector->numbers[i] >= 0 && collector->latest[i] < time)
			time = collector->latest[i];
	return time;
}

/* Those up to `time`, in its order. */
static void write_up_to(struct measure_collector *collector, uint64_t time)
{
	size_t nr = 0;

	if (collector->waiting.nr == 0)
		return;
	qsort(collector->waiting.items, collector->waiting.nr, sizeof(*collector->waiting.items),
		by_time);
	while (nr < collector->waiting.nr && collector->waiting.items[nr].time <= time)
		write_one(collector, &collector->waiting.items[nr++]);
	collector->waiting.nr -= nr;
	memmove(collector->waiting.items, collector->waiting.items + nr,
		collector->waiting.nr * sizeof(*collector->waiting.items));
}

void measure_collector_read(struct measure_collector *collector, uint64_t now)
{
	const struct measure_scorep_info *info = &collector->plugin.info;

	if (info->interval == UINT64_MAX && info->timing > MEASURE_SCOREP_SOMETIMES)
		return; /* it gives all at the end */
	if (info->timing != MEASURE_SCOREP_ALWAYS && now - collector->last < info->interval &&
		collector->last != collector->begin)
		return;
	collector->last = now;
	if (info->timing <= MEASURE_SCOREP_SOMETIMES) {
		read_now(collector, now);
		return;
	}
	take_all(collector, UINT64_MAX);
	write_up_to(collector, told_up_to(collector, now));
}

void measure_collector_end(struct measure_collector *collector, uint64_t end, bool is_replaced)
{
	if (collector->is_open) {
		end = end ? end : measure_clock_now();
		measure_scorep_tell(&collector->plugin, MEASURE_SCOREP_END);
		if (collector->plugin.info.timing > MEASURE_SCOREP_SOMETIMES)
			take_all(collector, end);
		write_up_to(collector, end);
		/* those that were of the future when they came, and still are */
		collector->nr_outside += collector->waiting.nr;
		measure_sample_file_close(&collector->file);
		collector->plugin.info.stop();
	}
	if (collector->is_open && is_replaced)
		measure_cli_say("%s: plug-in cannot be restarted after exec: it recorded no values "
				"from then on",
			collector->path);
	if (collector->nr_outside > 0 && collector->nr_written == 0)
		measure_cli_say(
			"%s: dropped all %llu values: their times are outside the recording",
			collector->path, (unsigned long long)collector->nr_outside);
	if (collector->nr_moved > 0)
		measure_cli_say("%s: %llu values arrived late and were recorded with the time of "
				"an earlier value",
			collector->path, (unsigned long long)collector->nr_moved);
	free(collector->waiting.items);
	collector->is_open = false;
	collector->is_off = true;
}
