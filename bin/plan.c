/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Planning a run; see plan.h. */
#include "config.h"

#include "plan.h"

#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "cli.h"
#include "clock/clock.h"
#include "launcher.h"
#include "rundir.h"

#define CHUNK_LEAST (UINT64_C(256) << 10)
#define CHUNK_MOST  (UINT64_C(16) << 20)
#define CHUNK_UNIT  4096

static measure_status_t check_settings(struct measure_settings *settings)
{
	const char *why = "";

	if (!measure_clock_is_valid(settings->clock, &why)) {
		measure_cli_say("--clock=%s: %s: see measure --help", settings->clock, why);
		return MEASURE_ERROR_USAGE;
	}
	if (settings->chunk < CHUNK_LEAST || settings->chunk > CHUNK_MOST ||
		settings->chunk % CHUNK_UNIT != 0) {
		measure_cli_say("--chunk: must be 256K to 16M and a multiple of 4K: choose another");
		return MEASURE_ERROR_USAGE;
	}
	if (settings->buffer == 0)
		settings->buffer = measure_buffer_default(settings->local_size);
	return MEASURE_OK;
}

measure_status_t measure_plan_make(struct measure_plan *plan, const struct measure_options *options)
{
	struct measure_settings *settings = &plan->settings;

	*settings = options->settings;
	measure_launcher_detect(settings);
	if (options->is_wrong)
		return MEASURE_ERROR_USAGE;
	measure_status_t status = check_settings(settings);
	if (status != MEASURE_OK)
		return status;
	measure_program_inspect(&plan->program);
	const char *obstacle = plan->program.obstacle;
	if (obstacle && *obstacle)
		measure_cli_say("%s: %s: not recording", plan->program.path, obstacle);
	if (obstacle)
		return MEASURE_ERROR_UNSUPPORTED;
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
	printf("\n");
	measure_options_print(&plan->settings, true);
	printf("\n");
	measure_options_print(&plan->settings, false);
}
