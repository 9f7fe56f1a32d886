/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Planning a run; see plan.h. */
#include "config.h"

#include "plan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "call_groups.h"
#include "launch/options/snapshot_signal.h"
#include "launch/options/wrap_names.h"
#include "sample_rate.h"
#include "snapshot_condition.h"
#include "seconds.h"
#include "cli/memory_limits.h"
#include "cli/cli.h"
#include "clock/clock.h"
#include "launcher.h"
#include "own_loader.h"
#include "format/segment.h"
#include "metric/list.h"
#include "launch/options/metric_names.h"
#include "cli/suggest.h"
#include "launch/options/policy.h"
#include "launch/rundir/rundir.h"

static const struct measure_call_group mpi_groups[] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_mpi.def"
};
static const struct measure_call_group starpu_groups[] = {
#include "groups_starpu.def"
};
static const struct measure_call_group python_groups[] = {
#include "groups_python.def"
};
static const struct measure_call_group pthread_groups[] = {
#include "groups_pthread.def"
#undef GROUP
};
static const struct measure_call_group io_groups[] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "groups_io.def"
#undef GROUP
};
#define NR(items) (sizeof(items) / sizeof((items)[0]))

/* The word of `length` and its comma taken out of a list. */
static void drop_word(char *list, const char *word, size_t length)
{
	char *start = list + (word - list), *end = start + length;

	if (start > list && (start[-1] == '+' || start[-1] == '-'))
		start--;
	if (*end == ',')
		end++;
	else if (start > list)
		start--;
	memmove(start, end, strlen(end) + 1);
}

static measure_status_t refuse_group(const char *setting, const char *word, size_t length,
	const struct measure_call_groups *groups)
{
	char known[256] = "all, auto", wrong[64], guess[128];

	snprintf(wrong, sizeof(wrong), "%.*s", (int)length, word);
	for (unsigned int i = 0; i < groups->nr; i++) {
		strcat(strcat(known, ", "), groups->items[i].name);
	}
	measure_suggest_word(known, ", ", wrong, guess, sizeof(guess));
	return measure_policy_mistake("ignored", "%s: '%s' is not one of %s%s",
		measure_options_source(setting), wrong, known, guess);
}

static measure_status_t check_groups(
	const char *setting, char *text, const struct measure_call_group *items, unsigned int nr)
{
	const struct measure_call_groups groups = {items, nr};
	size_t length;
	const char *word;

	while ((word = measure_groups_unknown(&groups, text, &length))) {
		if (refuse_group(setting, word, length, &groups) != MEASURE_OK)
			return MEASURE_ERROR_USAGE;
		drop_word(text, word, length);
	}
	return MEASURE_OK;
}

#define LEAST_MAX_SIZE (UINT64_C(4) << 20)
#define LONGEST_INTERVAL 3600000 /* between samples of metrics, ms */

/* A value that is of its type but not what the option can do. With --lenient the default. */
static measure_status_t refuse_value(
	struct measure_settings *settings, const char *name, const char *fault)
{
	char value[MEASURE_SETTINGS_TEXT], instead[64];
	const char *why;

	for (size_t i = 0; i < measure_settings_nr; i++) {
		const struct measure_setting *setting = &measure_settings_table[i];
		if (strcmp(setting->name, name) != 0)
			continue;
		measure_setting_print(settings, setting, value, sizeof(value));
		snprintf(instead, sizeof(instead), "using %s", setting->initial);
		if (measure_policy_mistake(instead, "%s: '%.200s' %s", measure_options_source(name),
			    value, fault) != MEASURE_OK)
			return MEASURE_ERROR_USAGE;
		return measure_settings_set(settings, name, setting->initial, &why);
	}
	return MEASURE_ERROR_NOT_FOUND;
}

/* A clock that this processor does not have is no mistake. */
static measure_status_t check_clock(struct measure_settings *settings)
{
	const char *why = "";
	char fault[256], guess[64];

	switch (measure_clock_check(settings->clock, &why)) {
	case MEASURE_OK:
		return MEASURE_OK;
	case MEASURE_ERROR_UNSUPPORTED:
		if (measure_policy_trouble("using auto", "%s: '%.200s' cannot be used: %s",
			    measure_options_source("clock"), settings->clock, why) != MEASURE_OK)
			return MEASURE_ERROR_UNSUPPORTED;
		strcpy(settings->clock, "auto");
		return MEASURE_OK;
	default:
		measure_suggest_word("auto,tsc,monotonic_raw,monotonic,realtime,simulated:", ",",
			settings->clock, guess, sizeof(guess));
		snprintf(fault, sizeof(fault), "cannot be used: %s%s", why, guess);
		return refuse_value(settings, "clock", fault);
	}
}

static measure_status_t worse(measure_status_t one, measure_status_t other)
{
	return one != MEASURE_OK ? one : other;
}

static measure_status_t check_numbers(struct measure_settings *settings)
{
	double seconds, share;
	uint64_t ns, bytes;
	struct measure_sample_rate rate;
	measure_status_t status = MEASURE_OK;

	if (!measure_seconds_parse(settings->sync_interval, &seconds))
		status = worse(status,
			refuse_value(settings, "sync_interval", "is not a time (10, 500ms, 1min)"));
	if (!measure_seconds_parse(settings->flush_interval, &seconds))
		status = worse(status,
			refuse_value(settings, "flush_interval", "is not a time (1, 500ms)"));
	if (!measure_keep_parse(settings->keep, &ns, &bytes))
		status = worse(status, refuse_value(settings, "keep",
					       "is neither all nor a time (60s, 10min) nor a size "
					       "(1G)"));
	if (!measure_share_parse(settings->overhead, &share))
		status = worse(status, refuse_value(settings, "overhead",
					       "is neither off nor a percentage above 0 and at "
					       "most 100 (5, 0.5%)"));
	if (!measure_sample_rate_parse(settings->sample, &rate))
		status = worse(status, refuse_value(settings, "sample",
					       "is neither off nor a number of samples per second, "
					       "1 to 10000 (997, wall:100)"));
	else if (rate.period != 0 && !MEASURE_CAN_UNWIND)
		status = worse(status, refuse_value(settings, "sample",
					       "cannot be used on this processor: the program "
					       "must be compiled with -finstrument-functions"));
	if (!measure_chunk_size_is_valid(settings->chunk))
		status = worse(status, refuse_value(settings, "chunk",
					       "is not a multiple of 4K from 256K to 16M"));
	if (settings->max_size > 0 && settings->max_size < LEAST_MAX_SIZE)
		status = worse(status, refuse_value(settings, "max_size",
					       "is neither 0 (no limit) nor at least 4M"));
	if (settings->metric_interval < 1 || settings->metric_interval > LONGEST_INTERVAL)
		status = worse(status, refuse_value(settings, "metric_interval",
					       "is not between 1 millisecond and 1 hour"));
	return status;
}

static measure_status_t check_snapshots(struct measure_settings *settings)
{
	struct measure_snapshot_condition condition;
	measure_status_t status = MEASURE_OK;
	char fault[256];
	const char *why;
	int number;

	if (!measure_snapshot_signal_parse(settings->snapshot_signal, &number)) {
		measure_snapshot_signal_fault(settings->snapshot_signal, fault, sizeof(fault));
		status = refuse_value(settings, "snapshot_signal", fault);
	}
	if (*settings->snapshot_if &&
		!measure_snapshot_condition_parse(settings->snapshot_if, &condition, &why))
		status = worse(status, refuse_value(settings, "snapshot_if", why));
	return status;
}

/* Event memory is emptied all the time then. */
static measure_status_t check_kept(struct measure_settings *settings)
{
	if (measure_settings_kept(settings) == MEASURE_KEPT_ALL ||
		settings->spool == MEASURE_SPOOL_ALWAYS)
		return MEASURE_OK;
	return refuse_value(settings, "spool", "cannot be combined with --profile or --keep");
}

/* All that is wrong is said, not only the first of it. */
static measure_status_t check_settings(struct measure_settings *settings)
{
	measure_status_t status = check_clock(settings);

	status = worse(status, check_numbers(settings));
	status = worse(status, check_kept(settings));
	status = worse(status, check_snapshots(settings));
	status = worse(status,
		check_groups("mpi_groups", settings->mpi_groups, mpi_groups, NR(mpi_groups)));
	status = worse(status, check_groups("starpu_groups", settings->starpu_groups, starpu_groups,
				       NR(starpu_groups)));
	status = worse(status, check_groups("python_groups", settings->python_groups, python_groups,
				       NR(python_groups)));
	status = worse(status, check_groups("pthread_groups", settings->pthread_groups,
				       pthread_groups, NR(pthread_groups)));
	status = worse(
		status, check_groups("io_groups", settings->io_groups, io_groups, NR(io_groups)));
	status = worse(status, measure_preload_check(settings->adapters));
	if (settings->buffer == 0)
		settings->buffer = measure_buffer_default(settings->local_size);
	return status;
}

/* It is never the program that is meant. */
static measure_status_t look_for_launcher(struct measure_plan *plan)
{
	const char *name = plan->program.name;

	switch (measure_launcher_command(name)) {
	case MEASURE_LAUNCHER_HERE:
		plan->settings.exec = true;
		break;
	case MEASURE_LAUNCHER_AFAR:
		return measure_policy_mistake("recording the launcher only",
			"%s: cannot record the processes that it starts: put measure after it: %s "
			"... measure PROGRAM",
			name, name);
	case MEASURE_LAUNCHER_NONE:
		break;
	}
	return MEASURE_OK;
}

/* Threads that run already have no counters. */
static measure_status_t check_attached_metrics(struct measure_plan *plan)
{
	struct measure_metric_choice choice;
	const char *text = plan->settings.metrics;

	while (plan->program.loaded && measure_metric_list_next(&text, &choice)) {
		const struct measure_metric_source *source = measure_metrics_source(&choice);

		if (source && source->scope != MEASURE_METRIC_THREAD)
			continue;
		plan->settings.metrics[0] = '\0';
		return measure_policy_mistake("ignored",
			"%s: counters of threads cannot be added to a running process",
			measure_options_source("metrics"));
	}
	return MEASURE_OK;
}

/* What the user has named: all mistakes are said. */
static measure_status_t check_names(struct measure_plan *plan)
{
	struct measure_settings *settings = &plan->settings;
	measure_status_t status = check_settings(settings);

	measure_metrics_resolve(settings);
	status = worse(status, measure_metrics_check(settings));
	status = worse(status, measure_wraps_check(settings));
	status = worse(status, check_attached_metrics(plan));
	status = worse(status, look_for_launcher(plan));
	if (status == MEASURE_OK && !measure_policy_is_lenient())
		status = measure_rundir_check(settings, plan->program.name);
	return status;
}

static measure_status_t check_obstacle(const struct measure_plan *plan)
{
	const char *obstacle = plan->program.obstacle;

	if (obstacle && *obstacle)
		measure_policy_trouble("not recording", "%s: %s", plan->program.path, obstacle);
	return obstacle ? MEASURE_ERROR_UNSUPPORTED : MEASURE_OK;
}

measure_status_t measure_plan_make(struct measure_plan *plan, const struct measure_options *options)
{
	struct measure_settings *settings = &plan->settings;

	*settings = options->settings;
	plan->buffer = settings->buffer;
	if (!plan->program.loaded) /* else we are no process of the job */
		measure_launcher_detect(settings, getpid());
	measure_status_t status = check_names(plan);
	status = worse(status, measure_rules_read(&plan->rules, settings));
	if (status != MEASURE_OK)
		return status;
	measure_program_inspect(&plan->program);
	if (measure_program_is_started_by_env(&plan->program))
		settings->exec = true;
	status = check_obstacle(plan);
	if (status == MEASURE_OK)
		status = measure_preload_choose(&plan->preload, settings, &plan->program);
	if (status != MEASURE_OK)
		return status;
	plan->program.obstacle = measure_own_loader_obstacle(&plan->preload);
	status = check_obstacle(plan);
	return status == MEASURE_OK ? measure_preload_check_tools(&plan->preload) : status;
}

void measure_plan_print(const struct measure_plan *plan, measure_status_t status)
{
	char path[PATH_MAX];

	printf("program: %s\n", plan->program.path);
	if (plan->program.image[0] && strcmp(plan->program.image, plan->program.path) != 0)
		printf("image: %s\n", plan->program.image);
	if (status != MEASURE_OK) {
		printf("not recording\n");
		return;
	}
	if (measure_rundir_expand(&plan->settings, plan->program.name, path, sizeof(path)) ==
		MEASURE_OK)
		printf("run directory: %s\n", path);
	printf("preload: %s/libmeasure.so: the run-time core\n", plan->preload.directory);
	for (int i = 0; i < plan->preload.nr_choices; i++) {
		const struct measure_preload_choice *choice = &plan->preload.choices[i];
		measure_preload_object(&plan->preload, i, path, sizeof(path));
		if (choice->is_on)
			printf("preload: %s: %s\n", path, choice->why);
		else
			printf("off: %s: %s\n", choice->name, choice->why);
	}
	const char *wraps = plan->settings.wrap;
	while (measure_wraps_next(&wraps, path))
		printf("preload: %s: for --wrap\n", path);
	if (plan->preload.openmp_library[0])
		printf("preload: %s: in place of libgomp.so.1\n", plan->preload.openmp_library);
	printf("\n");
	measure_options_print(&plan->settings, true);
	printf("\n");
	measure_options_print(&plan->settings, false);
}
