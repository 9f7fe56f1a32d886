/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at the names of metrics; see metrics.h. */
#include "config.h"

#include "metrics.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "assemble/sample_file.h"
#include "cli.h"
#include "libdir.h"
#include "metric/list.h"
#include "metric/sources.h"
#include "nearest.h"
#include "options.h"

#define TEXT_OF_IT(number) #number
#define TEXT_OF(number)    TEXT_OF_IT(number)

/* Sources that have a module of their own: the METRICS rows of adapters.def. */
static const char *const modules[] = {
#define METRICS_ALWAYS(name)
#define METRICS_ASKED(name)
#define METRICS_LINKED(name)
#define METRICS_OPENED(name)
#define METRICS_CALLS(name)
#define METRICS_WITH(name)
#define METRICS_METRICS(name)                 name,
#define ADAPTER(name, WHEN, other, built_for) METRICS_##WHEN(other)
#include "adapters.def"
#undef ADAPTER
	NULL};

static bool is_module(const char *name)
{
	for (int i = 0; modules[i]; i++)
		if (strcmp(modules[i], name) == 0)
			return true;
	return false;
}

/* libmeasure-<source>.so, which is preloaded into the program as well. */
static const struct measure_metric_source *load(const char *name)
{
	char directory[PATH_MAX], path[PATH_MAX + MEASURE_METRIC_NAME + 32];
	measure_metric_source_fn *source;
	void *object;

	if (!is_module(name) || !measure_libdir_find(directory, "libmeasure.so", "not recording",
					"install Measure whole, or set MEASURE_LIBDIR"))
		return NULL;
	snprintf(path, sizeof(path), "%s/libmeasure-%s.so", directory, name);
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	source = object ? (measure_metric_source_fn *)dlsym(object, "measure_metric_source") : NULL;
	return source ? source() : NULL;
}

static const struct measure_metric_source *find_in(
	const struct measure_metric_source *const *sources, const char *name)
{
	for (int i = 0; sources[i]; i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}

const struct measure_metric_source *measure_metrics_source(const char *name)
{
	const struct measure_metric_source *source = find_in(measure_metric_sources, name);

	if (!source)
		source = find_in(measure_metric_sampled, name);
	return source ? source : load(name);
}

static void complain(const struct measure_settings *settings,
	const struct measure_metric_choice *choice, const char *what, const char *instead)
{
	measure_cli_say("%s: %s:%s: %s%s: %s", measure_options_source("metrics"), choice->source,
		choice->metric, what, instead,
		settings->strict ? "not starting the program" : "recording without it");
}

static void complain_of_source(
	const struct measure_settings *settings, const struct measure_metric_choice *choice)
{
	char known[128] = "; there are";

	for (int i = 0; measure_metric_sources[i]; i++) {
		strcat(strcat(known, i ? ", " : " "), measure_metric_sources[i]->name);
	}
	for (int i = 0; measure_metric_sampled[i]; i++) {
		strcat(strcat(known, ", "), measure_metric_sampled[i]->name);
	}
	for (int i = 0; modules[i]; i++) {
		strcat(strcat(known, ", "), modules[i]);
	}
	complain(settings, choice, "this Measure has no such source of metrics", known);
}

static void complain_of_name(const struct measure_settings *settings,
	const struct measure_metric_choice *choice, const struct measure_metric_source *source)
{
	char known[4 * MEASURE_METRIC_NAME] = "";
	struct measure_nearest nearest;

	measure_nearest_begin(&nearest, choice->metric);
	for (uint32_t i = 0; source->name_of(i); i++)
		measure_nearest_offer(&nearest, source->name_of(i));
	measure_nearest_print(&nearest, known, sizeof(known));
	complain(settings, choice, "there is no such metric", known);
}

/* What there is room for. */
struct budget {
	uint32_t nr;
	uint32_t nr_sampled[MEASURE_SAMPLED_SCOPES];
};

static bool is_one_too_many(
	const struct measure_metric_source *source, struct budget *budget, const char **why)
{
	if (source->scope == MEASURE_METRIC_THREAD || source->scope >= MEASURE_SAMPLED_SCOPES)
		return false;
	*why = "at most " TEXT_OF(MEASURE_MOST_SAMPLED) " metrics of a process or node can be "
							"sampled";
	return ++budget->nr_sampled[source->scope] > MEASURE_MOST_SAMPLED;
}

static bool is_there(const struct measure_settings *settings,
	const struct measure_metric_choice *choice, struct budget *budget)
{
	const struct measure_metric_source *source = measure_metrics_source(choice->source);
	struct measure_metric_info info;
	const char *why = "it cannot be read here";

	if (!source) {
		complain_of_source(settings, choice);
		return false;
	}
	switch (source->find(choice->metric, &info, &why)) {
	case MEASURE_OK:
		if (!is_one_too_many(source, budget, &why))
			return true;
		complain(settings, choice, why, "");
		return false;
	case MEASURE_ERROR_NOT_FOUND:
		complain_of_name(settings, choice, source);
		return false;
	default:
		complain(settings, choice, why, "");
		return false;
	}
}

measure_status_t measure_metrics_check(const struct measure_settings *settings)
{
	struct measure_metric_choice choice;
	const char *text = settings->metrics;
	measure_status_t status = MEASURE_OK;
	struct budget budget = {0};
	bool is_fine;

	while (measure_metric_list_next(&text, &choice)) {
		is_fine = ++budget.nr <= MEASURE_METRIC_MOST;
		if (is_fine)
			is_fine = is_there(settings, &choice, &budget);
		else
			complain(settings, &choice,
				"at most " TEXT_OF(MEASURE_METRIC_MOST) " metrics can be recorded",
				"");
		if (!is_fine && settings->strict)
			status = MEASURE_ERROR_USAGE;
	}
	return status;
}
