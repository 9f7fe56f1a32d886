/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Planning a run; see plan.h. */
#include "config.h"

#include "plan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/call_groups.h"
#include "api/sample_rate.h"
#include "api/seconds.h"
#include "buffer.h"
#include "cli.h"
#include "clock/clock.h"
#include "launcher.h"
#include "memory/segment.h"
#include "metrics.h"
#include "rundir.h"

static const struct measure_call_group mpi_groups[] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "api/groups_mpi.def"
};
static const struct measure_call_group pthread_groups[] = {
#include "api/groups_pthread.def"
#undef GROUP
};
static const struct measure_call_group io_groups[] = {
#define GROUP(name, when) {#name, MEASURE_GROUP_##when},
#include "api/groups_io.def"
#undef GROUP
};
#define NR(items) (sizeof(items) / sizeof((items)[0]))

static measure_status_t check_groups(const char *setting, const char *text,
	const struct measure_call_group *items, unsigned int nr)
{
	const struct measure_call_groups groups = {items, nr};
	char known[256] = "all, auto";
	size_t length;
	const char *word = measure_groups_unknown(&groups, text, &length);

	if (!word)
		return MEASURE_OK;
	for (unsigned int i = 0; i < nr; i++)
		strcat(strcat(known, ", "), items[i].name);
	measure_cli_say("%s: '%.*s' is not one of %s: not recording",
		measure_options_source(setting), (int)length, word, known);
	return MEASURE_ERROR_USAGE;
}

#define LONGEST_INTERVAL 3600000 /* between samples of metrics, ms */

static measure_status_t check_seconds(const char *setting, const char *text)
{
	double seconds;

	if (measure_seconds_parse(text, &seconds))
		return MEASURE_OK;
	measure_cli_say("%s: '%s' is not a number of seconds: not recording",
		measure_options_source(setting), text);
	return MEASURE_ERROR_USAGE;
}

static measure_status_t check_settings(struct measure_settings *settings)
{
	const char *why = "";
	double share;
	struct measure_sample_rate rate;

	if (!measure_clock_is_valid(settings->clock, &why)) {
		measure_cli_say("%s: '%s' cannot be used: %s: not recording",
			measure_options_source("clock"), settings->clock, why);
		return MEASURE_ERROR_USAGE;
	}
	if (check_seconds("sync_interval", settings->sync_interval) != MEASURE_OK ||
		check_seconds("flush_interval", settings->flush_interval) != MEASURE_OK)
		return MEASURE_ERROR_USAGE;
	if (!measure_share_parse(settings->overhead, &share)) {
		measure_cli_say("%s: '%s' is neither off nor a percentage above 0 and at most 100: "
				"not recording",
			measure_options_source("overhead"), settings->overhead);
		return MEASURE_ERROR_USAGE;
	}
	if (!measure_sample_rate_parse(settings->sample, &rate)) {
		measure_cli_say(
			"%s: '%s' is neither off nor a number of samples per second, 1 to %.0f, "
			"alone or behind cpu: or wall:: not recording",
			measure_options_source("sample"), settings->sample, MEASURE_SAMPLE_MOST_HZ);
		return MEASURE_ERROR_USAGE;
	}
	if (!measure_chunk_size_is_valid(settings->chunk)) {
		measure_cli_say("%s: must be 256K to 16M and a multiple of 4K: not recording",
			measure_options_source("chunk"));
		return MEASURE_ERROR_USAGE;
	}
	if (settings->metric_interval < 1 || settings->metric_interval > LONGEST_INTERVAL) {
		measure_cli_say("%s: must be 1 to 3600000 milliseconds: not recording",
			measure_options_source("metric_interval"));
		return MEASURE_ERROR_USAGE;
	}
	if (check_groups("mpi_groups", settings->mpi_groups, mpi_groups, NR(mpi_groups)) !=
			MEASURE_OK ||
		check_groups("pthread_groups", settings->pthread_groups, pthread_groups,
			NR(pthread_groups)) != MEASURE_OK ||
		check_groups("io_groups", settings->io_groups, io_groups, NR(io_groups)) !=
			MEASURE_OK)
		return MEASURE_ERROR_USAGE;
	if (settings->buffer == 0)
		settings->buffer = measure_buffer_default(settings->local_size);
	return MEASURE_OK;
}

/* It is never the program that is meant. */
static void look_for_launcher(struct measure_plan *plan)
{
	const char *name = plan->program.name;

	switch (measure_launcher_command(name)) {
	case MEASURE_LAUNCHER_HERE:
		plan->settings.exec = true;
		break;
	case MEASURE_LAUNCHER_AFAR:
		if (!plan->settings.quiet)
			measure_cli_say("%s: what it starts is not recorded: put measure behind "
					"it: %s ... measure PROGRAM",
				name, name);
		break;
	case MEASURE_LAUNCHER_NONE:
		break;
	}
}

measure_status_t measure_plan_make(struct measure_plan *plan, const struct measure_options *options)
{
	struct measure_settings *settings = &plan->settings;

	*settings = options->settings;
	plan->buffer = settings->buffer;
	measure_launcher_detect(settings, getpid());
	if (options->is_wrong)
		return MEASURE_ERROR_USAGE;
	measure_status_t status = check_settings(settings);
	if (status != MEASURE_OK)
		return status;
	status = measure_rules_read(&plan->rules, settings);
	if (status != MEASURE_OK && settings->strict)
		return status;
	measure_metrics_resolve(settings);
	status = measure_metrics_check(settings);
	if (status != MEASURE_OK)
		return status;
	measure_program_inspect(&plan->program);
	const char *obstacle = plan->program.obstacle;
	if (obstacle && *obstacle)
		measure_cli_say("%s: %s: not recording", plan->program.path, obstacle);
	if (obstacle)
		return MEASURE_ERROR_UNSUPPORTED;
	look_for_launcher(plan);
	return measure_preload_choose(&plan->preload, settings, &plan->program);
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
		if (choice->is_on)
			printf("preload: %s/libmeasure-%s.so: %s\n", plan->preload.directory,
				choice->name, choice->why);
		else
			printf("off: %s: %s\n", choice->name, choice->why);
	}
	if (plan->preload.openmp_library[0])
		printf("preload: %s: in place of libgomp.so.1\n", plan->preload.openmp_library);
	printf("\n");
	measure_options_print(&plan->settings, true);
	printf("\n");
	measure_options_print(&plan->settings, false);
}
