/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metric plug-ins of Score-P in the program: those whose values are of threads, and of the process,
 * which the main thread has. A module of its own, which opens them, so that only programs that are
 * measured with one load it. */
#include "config.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapter.h"
#include "metric.h"
#include "metric/list.h"
#include "metric/scorep.h"

#define MOST_PLUGINS 16

struct plugin {
	char path[MEASURE_METRIC_PATH];
	struct measure_scorep scorep;
	bool is_off;
	_Atomic uint32_t nr_waiting; /* sets that no thread reads yet */
};

static struct plugin plugins[MOST_PLUGINS];
static uint32_t nr_plugins;

/* Of whose metrics a name is, by its address. */
static struct {
	const char *name;
	struct plugin *plugin;
} metrics[MEASURE_METRIC_MOST];
static uint32_t nr_metrics;

/* What one thread reads together. */
struct scorep_source_set {
	const struct measure_scorep_info *info;
	uint32_t nr;
	int32_t numbers[MEASURE_MOST_METRICS];
	uint64_t last; /* ticks when it was read; 0: never */
};

/* ----------------------------------------------------------------------- reading --- */

static struct plugin *plugin_of(const char *name)
{
	for (uint32_t i = 0; i < nr_metrics; i++)
		if (metrics[i].name == name)
			return metrics[i].plugin;
	return NULL;
}

static bool is_of_this_thread(const struct plugin *plugin)
{
	return plugin->scorep.info.scope == MEASURE_SCOREP_THREAD ||
	       syscall(SYS_gettid) == getpid();
}

/* Without metrics where the values are another thread's. */
static bool fill(struct scorep_source_set *set, const struct plugin *plugin,
	const char *const *names, uint32_t nr)
{
	if (!is_of_this_thread(plugin))
		return true;
	for (uint32_t i = 0; i < nr; i++) {
		set->numbers[i] = plugin->scorep.info.add((char *)names[i]);
		if (set->numbers[i] < 0)
			return false;
	}
	set->nr = nr;
	return true;
}

static void *scorep_source_begin(const char *const *names, uint32_t nr, pid_t pid)
{
	struct plugin *plugin = plugin_of(names[0]);
	struct scorep_source_set *set = plugin ? calloc(1, sizeof(*set)) : NULL;

	(void)pid;
	if (!set)
		return NULL;
	set->info = &plugin->scorep.info;
	bool is_filled = fill(set, plugin, names, nr);
	/* The first thread that reads has them all now. */
	if (atomic_load(&plugin->nr_waiting) > 0 && atomic_fetch_sub(&plugin->nr_waiting, 1) == 1)
		measure_scorep_tell(&plugin->scorep, MEASURE_SCOREP_BEGIN);
	if (is_filled)
		return set;
	free(set);
	return NULL;
}

static bool read_always(const struct scorep_source_set *set, union measure_metric_value *values)
{
	for (uint32_t i = 0; i < set->nr; i++)
		values[i].unsigned_int = set->info->value(set->numbers[i]);
	return set->nr > 0;
}

/* One metric, no more often than the plug-in wants. */
static bool read_new(struct scorep_source_set *set, union measure_metric_value *value)
{
	uint64_t now = set->info->interval ? measure_clock_now() : 0;

	if (set->nr == 0 || (set->last && now - set->last < set->info->interval))
		return false;
	set->last = now;
	return set->info->new_value(set->numbers[0], &value->unsigned_int);
}

static bool scorep_source_read_values(void *state, union measure_metric_value *values)
{
	struct scorep_source_set *set = state;
	int saved = errno;
	bool is_read = set->info->timing == MEASURE_SCOREP_ALWAYS ? read_always(set, values)
								  : read_new(set, values);

	errno = saved;
	return is_read;
}

/* They have no word for that. */
static void scorep_source_end(void *state)
{
	free(state);
}

/* Nobody asks it for names: `measure` asks the plug-in itself. */
static measure_status_t scorep_source_find(
	const char *metric, struct measure_metric_info *info, const char **why)
{
	(void)metric, (void)info, (void)why;
	return MEASURE_ERROR_NOT_FOUND;
}

static const char *scorep_source_name_of(uint32_t number)
{
	(void)number;
	return NULL;
}

static const struct measure_metric_source source = {MEASURE_METRIC_ABI, MEASURE_METRIC_THREAD,
	"scorep", scorep_source_find, scorep_source_name_of, scorep_source_begin,
	scorep_source_read_values, scorep_source_end, NULL};

/* ---------------------------------------------------------------------- plug-ins --- */

static struct plugin *find_plugin(const char *path)
{
	for (uint32_t i = 0; i < nr_plugins; i++)
		if (strcmp(plugins[i].path, path) == 0)
			return &plugins[i];
	return NULL;
}

/* NULL: it is read elsewhere, or not at all. What is wrong was said by `measure`. */
static struct plugin *open_plugin(const char *path)
{
	struct plugin *plugin = find_plugin(path);

	if (plugin)
		return plugin->is_off ? NULL : plugin;
	if (nr_plugins == MOST_PLUGINS)
		return NULL;
	plugin = &plugins[nr_plugins++];
	strcpy(plugin->path, path);
	plugin->is_off = !measure_scorep_open(path, &plugin->scorep) ||
			 !plugin->scorep.is_in_program || measure_scorep_fault(&plugin->scorep);
	if (!plugin->is_off && !measure_scorep_start(&plugin->scorep, measure_clock_now)) {
		plugin->is_off = true;
		measure_metric_missing();
	}
	return plugin->is_off ? NULL : plugin;
}

/* Metrics of the main thread alone, and new ones that need not be there, come one by one. */
static void add_metrics(struct plugin *plugin, const struct measure_metric_info *infos, uint32_t nr)
{
	bool is_seldom = plugin->scorep.info.timing != MEASURE_SCOREP_ALWAYS ||
			 plugin->scorep.info.scope != MEASURE_SCOREP_THREAD;
	uint32_t most = is_seldom ? 1 : MEASURE_MOST_METRICS;

	for (uint32_t i = 0; i < nr; i++) {
		metrics[nr_metrics].name = infos[i].name;
		metrics[nr_metrics++].plugin = plugin;
	}
	for (uint32_t i = 0; i < nr; i += most) {
		atomic_fetch_add(&plugin->nr_waiting, 1);
		if (!measure_metric_add(
			    &source, infos + i, nr - i < most ? nr - i : most, is_seldom))
			atomic_fetch_sub(&plugin->nr_waiting, 1);
	}
}

static void add_choice(const struct measure_metric_choice *choice)
{
	struct measure_metric_info infos[MEASURE_METRIC_MOST];
	struct plugin *plugin = open_plugin(choice->source);
	uint32_t room = MEASURE_METRIC_MOST - nr_metrics;

	if (!plugin)
		return;
	uint32_t nr = measure_scorep_metrics(&plugin->scorep, choice->metric, infos, room);
	add_metrics(plugin, infos, nr < room ? nr : room);
}

__attribute__((constructor)) static void start(void)
{
	struct measure_metric_choice choice;
	const char *text = measure_option_text("metrics");

	for (uint32_t i = 0;
		text && i < MEASURE_METRIC_MOST && measure_metric_list_next(&text, &choice); i++)
		if (measure_metric_is_of_plugin(&choice))
			add_choice(&choice);
}
