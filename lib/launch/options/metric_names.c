/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at the names of metrics; see metric_names.h. */
#include "config.h"

#include "metric_names.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin_probe.h"
#include "assemble/part/sample_file.h"
#include "cli/cli.h"
#include "launch/plan/libdir.h"
#include "metric/list.h"
#include "metric/scorep.h"
#include "cli/suggest.h"
#include "options.h"
#include "policy.h"

#define TEXT_OF_IT(number) #number
#define TEXT_OF(number)    TEXT_OF_IT(number)

/* Sources that have a module of their own: the METRICS rows of adapters.def. */
static const char *const modules[] = {
#define METRICS_ALWAYS(name)
#define METRICS_ASKED(name)
#define METRICS_LINKED(name)
#define METRICS_OPENED(name)
#define METRICS_CALLS(name)
#define METRICS_TOOL(name)
#define METRICS_EMBEDDED(name)
#define METRICS_WITH(name)
#define METRICS_ASKED(name)
#define METRICS_SAMPLE(name)
#define METRICS_WRAP(name)
#define METRICS_METRICS(name)                           name,
#define ADAPTER(name, WHEN, other, built_for, attaches) METRICS_##WHEN(other)
#include "launch/plan/adapters.def"
	NULL};

static bool is_module(const char *name)
{
	for (int i = 0; modules[i]; i++)
		if (strcmp(modules[i], name) == 0)
			return true;
	return false;
}

/* libmeasure-<source>.so, which is preloaded into the program as well. */
static const struct measure_metric_source *load_module(const char *name)
{
	char directory[PATH_MAX], path[PATH_MAX + MEASURE_METRIC_NAME + 32];
	measure_metric_source_fn *source;
	void *object;

	if (!is_module(name) || !measure_libdir_find(directory, "libmeasure.so", "not recording",
					"reinstall Measure or set MEASURE_LIBDIR"))
		return NULL;
	snprintf(path, sizeof(path), "%s/libmeasure-%s.so", directory, name);
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	source = object ? (measure_metric_source_fn *)dlsym(object, "measure_metric_source") : NULL;
	return source ? source() : NULL;
}

/* What is wrong with a plug-in; NULL: nothing. */
static const char *fault_of(
	const struct measure_metric_choice *choice, const struct measure_metric_source *source)
{
	if (!source)
		return "not a metric plug-in: it defines neither measure_metric_source() nor a "
		       "get_info function of Score-P named like the file";
	if (source->abi != MEASURE_METRIC_ABI)
		return "the plug-in was built for another version of Measure: recompile it";
	if (!source->name || !source->find || !source->name_of || !source->begin || !source->read ||
		!source->end || source->scope >= MEASURE_SAMPLED_SCOPES)
		return "the plug-in lacks functions";
	if (!measure_metric_is_of(choice, source->name))
		return "the plug-in's source and file names differ: rename the file to "
		       "lib<source>.so";
	return NULL;
}

/* Loaded once, however often it is asked for. */
static const struct measure_metric_source *load_plugin(
	const struct measure_metric_choice *choice, const char **why)
{
	measure_metric_source_fn *function;
	const struct measure_metric_source *source;
	void *object = dlopen(choice->source, RTLD_NOW | RTLD_LOCAL);
	static char error[MEASURE_METRIC_PATH + 256]; /* the next dlopen() changes dlerror's */

	if (!object) {
		snprintf(error, sizeof(error), "%s", dlerror());
		*why = error;
		return NULL;
	}
	function = (measure_metric_source_fn *)dlsym(object, "measure_metric_source");
	source = function ? function() : NULL;
	*why = fault_of(choice, source);
	return *why ? NULL : source;
}

static const struct measure_metric_source *find_in(
	const struct measure_metric_source *const *sources, const char *name)
{
	for (int i = 0; sources[i]; i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}

static const struct measure_metric_source *source_of(
	const struct measure_metric_choice *choice, const char **why)
{
	const struct measure_metric_source *source;

	*why = NULL;
	if (measure_metric_is_of_plugin(choice))
		return load_plugin(choice, why);
	source = find_in(measure_metric_sources, choice->source);
	if (!source)
		source = find_in(measure_metric_sampled, choice->source);
	return source ? source : load_module(choice->source);
}

const struct measure_metric_source *measure_metrics_source(
	const struct measure_metric_choice *choice)
{
	const char *why;

	return source_of(choice, &why);
}

/* What becomes of a metric that cannot be recorded: a mistake, or trouble. */
typedef measure_status_t complain_fn(const char *instead, const char *format, ...);

static measure_status_t complain(complain_fn *policy, const struct measure_metric_choice *choice,
	const char *what, const char *hint)
{
	return policy("recording without it", "%s: %s%s%s: %s%s", measure_options_source("metrics"),
		choice->source, *choice->metric ? ":" : "", choice->metric, what, hint);
}

static measure_status_t complain_of_source(const struct measure_metric_choice *choice)
{
	char known[256] = "", guess[64];

	for (int i = 0; measure_metric_sources[i]; i++) {
		strcat(strcat(known, i ? ", " : ""), measure_metric_sources[i]->name);
	}
	for (int i = 0; measure_metric_sampled[i]; i++) {
		strcat(strcat(known, ", "), measure_metric_sampled[i]->name);
	}
	for (int i = 0; modules[i]; i++) {
		strcat(strcat(known, ", "), modules[i]);
	}
	/* One that was built without what it needs is no mistake. */
	if (is_module(choice->source))
		return complain(measure_policy_trouble, choice,
			"this Measure was built without this metric source", "");
	measure_suggest_word(known, ", ", choice->source, guess, sizeof(guess));
	return complain(measure_policy_mistake, choice, "unknown metric source; available are ",
		strcat(known, guess));
}

/* Native events of PAPI, with the name of their component: others on another machine. */
static bool depends_on_machine(const struct measure_metric_choice *choice)
{
	return is_module(choice->source) && strstr(choice->metric, "::");
}

/* "; did you mean rusage:ru_minflt?", where its source was left out. */
static bool ask_for_source(const char *metric, char *text, size_t size)
{
	const struct measure_metric_source *const *const tables[] = {
		measure_metric_sources, measure_metric_sampled};
	struct measure_metric_info info;
	const char *why;

	for (int i = 0; i < 2; i++)
		for (int k = 0; tables[i][k]; k++)
			if (tables[i][k]->find(metric, &info, &why) == MEASURE_OK) {
				snprintf(text, size, ": did you mean %s:%s?", tables[i][k]->name,
					metric);
				return true;
			}
	return false;
}

static measure_status_t complain_of_name(
	const struct measure_metric_choice *choice, const struct measure_metric_source *source)
{
	char known[4 * MEASURE_METRIC_NAME] = "";
	struct measure_suggest nearest;

	if (!is_module(choice->source) || !ask_for_source(choice->metric, known, sizeof(known))) {
		measure_suggest_begin(&nearest, choice->metric);
		for (uint32_t i = 0; source->name_of(i); i++)
			measure_suggest_offer(&nearest, source->name_of(i));
		measure_suggest_print(&nearest, known, sizeof(known));
	}
	return complain(
		depends_on_machine(choice) ? measure_policy_trouble : measure_policy_mistake,
		choice, "unknown metric", known);
}

/* What there is room for. */
struct budget {
	uint32_t nr;
	uint32_t nr_sampled[MEASURE_SAMPLED_SCOPES];
	uint32_t nr_plugins; /* of Score-P, read beside the program */
	char plugins[MEASURE_SAMPLED_PLUGINS][MEASURE_METRIC_PATH];
	bool has_refused; /* metrics of plug-ins of Score-P */
	measure_status_t status;
};

/* A mistake counts for more than trouble. */
static void metric_names_note(struct budget *budget, measure_status_t status)
{
	if (budget->status == MEASURE_OK || status == MEASURE_ERROR_USAGE)
		budget->status = status;
}

static bool is_one_too_many(
	const struct measure_metric_source *source, struct budget *budget, const char **why)
{
	if (source->scope == MEASURE_METRIC_THREAD || source->scope >= MEASURE_SAMPLED_SCOPES)
		return false;
	*why = "at most " TEXT_OF(MEASURE_MOST_SAMPLED) " metrics of a process or node can be "
							"sampled";
	return ++budget->nr_sampled[source->scope] > MEASURE_MOST_SAMPLED;
}

/* ------------------------------------------------------------ plug-ins of Score-P --- */

static bool is_scorep(const struct measure_metric_choice *choice, struct measure_scorep *plugin)
{
	const char *why;

	return measure_metric_is_of_plugin(choice) && !source_of(choice, &why) &&
	       measure_scorep_open(choice->source, plugin);
}

bool measure_metrics_is_scorep_inside(const struct measure_metric_choice *choice)
{
	struct measure_scorep plugin;

	return is_scorep(choice, &plugin) && plugin.is_in_program && !measure_scorep_fault(&plugin);
}

/* Another one that is read beside the program has room. */
static bool has_place(struct budget *budget, const char *path)
{
	for (uint32_t i = 0; i < budget->nr_plugins; i++)
		if (strcmp(budget->plugins[i], path) == 0)
			return true;
	if (budget->nr_plugins == MEASURE_SAMPLED_PLUGINS)
		return false;
	strcpy(budget->plugins[budget->nr_plugins++], path);
	return true;
}

/* What is wrong with `nr` metrics of it; NULL: nothing. */
static const char *excess_of(const struct measure_scorep *plugin,
	const struct measure_metric_choice *choice, uint32_t nr, struct budget *budget)
{
	if (plugin->is_in_program) {
		budget->nr += nr - 1;
		return budget->nr > MEASURE_METRIC_MOST
			       ? "this selects several metrics, and at most " TEXT_OF(
					 MEASURE_METRIC_MOST) " can be "
							      "recorded"
			       : NULL;
	}
	if (nr > MEASURE_MOST_SINGLE)
		return "this selects more than " TEXT_OF(MEASURE_MOST_SINGLE) " metrics";
	if (!has_place(budget, choice->source))
		return "at most " TEXT_OF(
			MEASURE_SAMPLED_PLUGINS) " plug-ins of Score-P can be read "
						 "by the keeper";
	return NULL;
}

static const char *trouble_of(const struct measure_scorep *plugin,
	const struct measure_metric_choice *choice, struct budget *budget)
{
	static struct measure_plugin_answer answer;
	const char *why = measure_scorep_fault(plugin);

	if (why)
		return why;
	measure_plugin_probe(plugin, choice->metric, &answer);
	if (*answer.why)
		return answer.why;
	if (answer.nr == 0 && !*choice->metric)
		return "give a metric after a colon, or set SCOREP_METRIC_NAME, NAME being the "
		       "plug-in's name in capitals";
	if (answer.nr == 0)
		return "the plug-in has no such metric (plug-ins of Score-P cannot list theirs)";
	return excess_of(plugin, choice, answer.nr, budget);
}

static bool is_there_by_scorep(const struct measure_metric_choice *choice,
	const struct measure_scorep *plugin, struct budget *budget)
{
	const char *why = trouble_of(plugin, choice, budget);

	if (!why)
		return true;
	metric_names_note(budget, complain(measure_policy_trouble, choice, why, ""));
	budget->has_refused = true;
	return false;
}

/* ----------------------------------------------------------------------- the list --- */

/* A plug-in whose path is wrong is a mistake, one that is not as it should be is none. */
static measure_status_t complain_of_plugin(
	const struct measure_metric_choice *choice, const char *why)
{
	bool is_file = access(choice->source, F_OK) == 0;

	return complain(is_file ? measure_policy_trouble : measure_policy_mistake, choice,
		is_file ? why : "no such file", "");
}

static bool metric_names_is_there(const struct measure_metric_choice *choice, struct budget *budget)
{
	struct measure_metric_info info;
	struct measure_scorep plugin;
	const char *why;
	const struct measure_metric_source *source = source_of(choice, &why);

	if (!source && is_scorep(choice, &plugin))
		return is_there_by_scorep(choice, &plugin, budget);
	if (!source && why)
		metric_names_note(budget, complain_of_plugin(choice, why));
	else if (!source)
		metric_names_note(budget, complain_of_source(choice));
	if (!source)
		return false;
	why = "not available on this machine";
	switch (source->find(choice->metric, &info, &why)) {
	case MEASURE_OK:
		if (!is_one_too_many(source, budget, &why))
			return true;
		metric_names_note(budget, complain(measure_policy_mistake, choice, why, ""));
		return false;
	case MEASURE_ERROR_NOT_FOUND:
		metric_names_note(budget, complain_of_name(choice, source));
		return false;
	default:
		metric_names_note(budget, complain(measure_policy_trouble, choice, why, ""));
		return false;
	}
}

/* Appends "SOURCE:METRIC"; false: there is no room. */
static bool metric_names_append(const struct measure_metric_choice *choice, char *text, size_t size)
{
	char path[PATH_MAX];
	const char *source = choice->source;
	size_t used = strlen(text);

	if (measure_metric_is_of_plugin(choice) && realpath(source, path))
		source = path;
	int length = snprintf(text + used, size - used, "%s%s%s%s", used ? "," : "", source,
		*choice->metric ? ":" : "", choice->metric);
	return length > 0 && (size_t)length < size - used;
}

void measure_metrics_resolve(struct measure_settings *settings)
{
	char resolved[sizeof(settings->metrics)] = "";
	struct measure_metric_choice choice;
	const char *text = settings->metrics;

	if (!strchr(text, '/'))
		return;
	while (measure_metric_list_next(&text, &choice))
		if (!metric_names_append(&choice, resolved, sizeof(resolved)))
			return;
	strcpy(settings->metrics, resolved);
}

measure_status_t measure_metrics_check(struct measure_settings *settings)
{
	char fine[sizeof(settings->metrics)] = "";
	struct measure_metric_choice choice;
	const char *text = settings->metrics;
	struct budget budget = {.status = MEASURE_OK};
	bool is_fine;

	while (measure_metric_list_next(&text, &choice)) {
		is_fine = ++budget.nr <= MEASURE_METRIC_MOST;
		if (is_fine)
			is_fine = metric_names_is_there(&choice, &budget);
		else
			metric_names_note(&budget,
				complain(measure_policy_mistake, &choice,
					"at most " TEXT_OF(
						MEASURE_METRIC_MOST) " metrics can be recorded",
					""));
		is_fine = is_fine && metric_names_append(&choice, fine, sizeof(fine));
	}
	if (budget.has_refused)
		strcpy(settings->metrics, fine);
	return budget.status;
}
