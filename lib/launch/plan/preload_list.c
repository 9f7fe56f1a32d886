/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The value of LD_PRELOAD, of what was chosen; see preload_list.h. */
#include "config.h"

#include "preload_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "launch/options/metric_names.h"
#include "launch/options/options.h"
#include "launch/options/wrap_names.h"
#include "libgomp_shim.h"
#include "metric/list.h"

#define SCOREP "libmeasure-scorep.so"

extern char **environ;

static void preload_append(struct measure_preload *preload, const char *path, size_t *used)
{
	if (*used < sizeof(preload->list))
		*used += (size_t)snprintf(
			preload->list + *used, sizeof(preload->list) - *used, ":%s", path);
}

/* What opens plug-ins of Score-P there. */
static void append_scorep(struct measure_preload *preload, size_t *used)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "%s/" SCOREP, preload->directory);
	if (strstr(preload->list, path))
		return;
	if (access(path, R_OK) == 0)
		preload_append(preload, path, used);
	else
		measure_cli_say(
			"%s: not found: recording without plug-ins of Score-P: reinstall Measure",
			path);
}

/* Plug-ins of metrics that are read in the program, each once. */
static void append_plugins(struct measure_preload *preload, size_t *used)
{
	struct measure_metric_choice choice;
	const char *text = preload->settings->metrics;

	while (measure_metric_list_next(&text, &choice)) {
		const struct measure_metric_source *source =
			measure_metric_is_of_plugin(&choice) ? measure_metrics_source(&choice)
							     : NULL;
		if (!source && measure_metrics_is_scorep_inside(&choice))
			append_scorep(preload, used);
		if (!source || source->scope != MEASURE_METRIC_THREAD ||
			strstr(preload->list, choice.source))
			continue;
		if (strpbrk(choice.source, ": \t"))
			measure_cli_say("%s: %s: the loader cannot preload a path that contains "
					"blanks or colons: recording without it",
				measure_options_source("metrics"), choice.source);
		else
			preload_append(preload, choice.source, used);
	}
}

/* Libraries of wrappers call libmeasure-wrap.so. */
static void append_wraps(struct measure_preload *preload, size_t *used)
{
	const char *list = preload->settings->wrap;
	char path[PATH_MAX];

	while (measure_preload_has(preload, "wrap") && measure_wraps_next(&list, path))
		preload_append(preload, path, used);
}

/* The library of AddressSanitizer, with a colon behind it: it ends programs in which it is not the
 * first. "": there is none, or ours needs it as well. */
static void find_sanitizer(const struct measure_program *program, char *name, size_t size)
{
	static const char *const libraries[] = {"libasan.so", "libclang_rt.asan"};
	struct measure_elf own;

	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]) && !program->loaded; i++) {
		if (!measure_elf_find(program->elf.needed, libraries[i], name, size - 1))
			continue;
		if (measure_elf_read("/proc/self/exe", &own) == MEASURE_OK &&
			strstr(own.needed, libraries[i]))
			continue;
		strcat(name, ":");
		return;
	}
	name[0] = '\0';
}

measure_status_t measure_preload_make_list(struct measure_preload *preload)
{
	char first[64], path[PATH_MAX + 64];

	find_sanitizer(preload->program, first, sizeof(first));
	size_t used = (size_t)snprintf(preload->list, sizeof(preload->list), "%s%s/" MEASURE_CORE,
		first, preload->directory);

	for (int i = 0; i < preload->nr_choices; i++) {
		if (!preload->choices[i].is_on || used >= sizeof(preload->list))
			continue;
		measure_preload_object(preload, i, path, sizeof(path));
		preload_append(preload, path, &used);
	}
	append_wraps(preload, &used);
	append_plugins(preload, &used);
	if (preload->openmp_library[0])
		used += (size_t)snprintf(preload->list + used, sizeof(preload->list) - used,
			":%s:%s/" MEASURE_STAND_IN, preload->openmp_library, preload->directory);
	if (used < sizeof(preload->list) && !strpbrk(preload->directory, ": \t"))
		return MEASURE_OK;
	measure_cli_say("%s: the loader cannot preload a path that is too long or contains blanks "
			"or colons: install Measure elsewhere",
		preload->directory);
	return MEASURE_ERROR_UNSUPPORTED;
}

/* Ours go first: a hook of ours must be found before anybody else's of that name. What was
 * there keeps its place in the environment, so that the core can put it back there. */
char **measure_preload_environment(const struct measure_preload *preload, const char *part)
{
	size_t nr = 0, place;
	char *old = getenv("LD_PRELOAD");

	while (environ[nr])
		nr++;
	char **environment = calloc(nr + 3, sizeof(*environment));
	char *preloaded = NULL, *awaited = NULL;
	if (!environment || asprintf(&awaited, "MEASURE_PART=%s", part) < 0 ||
		asprintf(&preloaded, "LD_PRELOAD=%s%s%s", preload->list, old ? ":" : "",
			old ? old : "") < 0)
		return NULL;

	memcpy(environment, environ, nr * sizeof(*environment));
	for (place = 0; place < nr; place++)
		if (strncmp(environment[place], "LD_PRELOAD=", 11) == 0)
			break;
	nr += place == nr;
	environment[place] = preloaded;
	environment[nr] = awaited;
	return environment;
}
