/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Choosing adapters and finding their shared objects; see preload.h. */
#include "config.h"

#include "preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "launcher.h"
#include "libdir.h"
#include "metric/list.h"
#include "launch/options/metric_names.h"
#include "cli/suggest.h"
#include "launch/options/options.h"
#include "launch/options/policy.h"
#include "launch/options/wrap_names.h"
#include "libgomp_shim.h"

#define CORE   "libmeasure.so"
#define SCOREP "libmeasure-scorep.so"

extern char **environ;

static const struct {
	const char *name;
	enum measure_adapter_when when;
	const char *other;
	const char *built_for;
	bool attaches;
} adapters[] = {
#define ADAPTER(name, WHEN, other, built_for, attaches)                                            \
	{#name, MEASURE_ADAPTER_##WHEN, other, built_for, attaches},
#include "adapters.def"
};
#define NR_ADAPTERS ((int)(sizeof(adapters) / sizeof(adapters[0])))
_Static_assert(sizeof(adapters) / sizeof(adapters[0]) <= MEASURE_ADAPTERS_MOST, "more choices");

/* A wrong MEASURE_LIBDIR is a mistake, what is not installed is none. */
static measure_status_t find_directory(char *directory)
{
	const char *told = getenv("MEASURE_LIBDIR");
	bool is_mistake = told && *told && !measure_policy_is_lenient();

	if (measure_libdir_find(directory, CORE, is_mistake ? "unset it" : "not recording",
		    "reinstall Measure or set MEASURE_LIBDIR"))
		return MEASURE_OK;
	return is_mistake ? MEASURE_ERROR_USAGE : MEASURE_ERROR_NOT_FOUND;
}

static void preload_decide(
	struct measure_preload_choice *choice, bool is_on, const char *why, const char *what)
{
	choice->is_on = is_on;
	snprintf(choice->why, sizeof(choice->why), "%s%s", why, what);
}

/* Whether it is made for one library that the program may be linked to. */
static bool is_for_library(int adapter)
{
	return adapters[adapter].when == MEASURE_ADAPTER_LINKED ||
	       adapters[adapter].when == MEASURE_ADAPTER_OPENED;
}

/* With --exec the program is not the one that counts. */
static void decide_against(const struct measure_preload *preload,
	struct measure_preload_choice *choice, const char *why, const char *what)
{
	if (preload->settings->exec)
		preload_decide(choice, false, "chosen separately for each program started by ",
			preload->program->name);
	else
		preload_decide(choice, false, why, what);
}

static void choose_by_calls(const struct measure_preload *preload,
	struct measure_preload_choice *choice, const char *functions)
{
	char function[64];

	if (measure_elf_calls(preload->program->image, functions, function, sizeof(function)))
		preload_decide(choice, true, "the program calls ", function);
	else
		decide_against(preload, choice, "the program does not call ", functions);
}

/* The variable of an adapter that is a library's tool, if another tool is there already. */
static bool find_other_tool(int adapter, char *name, size_t size)
{
	const char *word =
		adapters[adapter].when == MEASURE_ADAPTER_TOOL ? adapters[adapter].other : "";

	while (*word) {
		const int length = (int)strcspn(word, " ");
		snprintf(name, size, "%.*s", length, word);
		if (getenv(name))
			return true;
		word += length + (word[length] == ' ');
	}
	return false;
}

static void choose_tool(struct measure_preload_choice *choice, int adapter)
{
	char variable[64];

	choice->has_rival = find_other_tool(adapter, variable, sizeof(variable));
	if (choice->has_rival)
		preload_decide(choice, false, variable, " is set");
	else
		preload_decide(choice, true, "always", "");
}

static void choose_by_library(struct measure_preload *preload,
	struct measure_preload_choice *choice, const char *library, const char *function)
{
	char found[64];

	if (measure_elf_find(preload->program->elf.needed, library, found, sizeof(found)))
		preload_decide(choice, true, "the program is linked to ", found);
	else if (measure_elf_defines(preload->program->image, function))
		preload_decide(choice, true, "the program has functions of ", library);
	else
		decide_against(preload, choice, "the program is not linked to ", library);
}

static void choose_automatically(struct measure_preload *preload)
{
	const char *needed = preload->program->elf.needed;
	char library[64];

	for (int i = 0; i < NR_ADAPTERS; i++) {
		struct measure_preload_choice *choice = &preload->choices[i];
		if (adapters[i].when == MEASURE_ADAPTER_ALWAYS)
			preload_decide(choice, true, "always", "");
		else if (adapters[i].when == MEASURE_ADAPTER_CALLS)
			choose_by_calls(preload, choice, adapters[i].other);
		else if (adapters[i].when == MEASURE_ADAPTER_TOOL)
			choose_tool(choice, i);
		else if (adapters[i].when == MEASURE_ADAPTER_EMBEDDED)
			choose_by_library(
				preload, choice, adapters[i].other, adapters[i].built_for);
		else if (adapters[i].when == MEASURE_ADAPTER_ASKED)
			preload_decide(choice, false, "only if --adapters names it", "");
		else if (!is_for_library(i))
			continue;
		else if (measure_elf_find(needed, adapters[i].other, library, sizeof(library)))
			preload_decide(choice, true, "the program is linked to ", library);
		else if (adapters[i].when == MEASURE_ADAPTER_OPENED &&
			 measure_launcher_is_there(preload->settings))
			preload_decide(choice, true,
				"a launcher started the program, which may load ",
				adapters[i].other);
		else
			decide_against(preload, choice, "the program is not linked to ",
				adapters[i].other);
	}
}

/* -1: there is no such one. */
static int find_adapter(const char *name, size_t length)
{
	for (int i = 0; i < NR_ADAPTERS; i++)
		if (strlen(adapters[i].name) == length &&
			strncmp(adapters[i].name, name, length) == 0)
			return i;
	return -1;
}

static struct measure_preload_choice *preload_find(
	struct measure_preload *preload, const char *name, size_t length)
{
	int adapter = find_adapter(name, length);

	return adapter >= 0 ? &preload->choices[adapter] : NULL;
}

static measure_status_t preload_refuse(const char *name, size_t length)
{
	char known[256] = "auto, none", wrong[64], guess[64];

	snprintf(wrong, sizeof(wrong), "%.*s", (int)length, name);
	for (int i = 0; i < NR_ADAPTERS; i++)
		strcat(strcat(known, ", "), adapters[i].name);
	measure_suggest_word(known, ", ", wrong, guess, sizeof(guess));
	return measure_policy_mistake("ignored", "%s: '%s' is not one of %s%s",
		measure_options_source("adapters"), wrong, known, guess);
}

static bool is_known(const char *word, size_t length)
{
	return (length == 4 && (strncmp(word, "auto", 4) == 0 || strncmp(word, "none", 4) == 0)) ||
	       find_adapter(word, length) >= 0;
}

measure_status_t measure_preload_check(const char *list)
{
	measure_status_t status = MEASURE_OK;

	for (const char *word = list; *word;) {
		size_t length = strcspn(word, ","), sign = *word == '-' || *word == '+';
		if (length > sign && !is_known(word + sign, length - sign) &&
			preload_refuse(word + sign, length - sign) != MEASURE_OK)
			status = MEASURE_ERROR_USAGE;
		word += length + (word[length] == ',');
	}
	return status;
}

static void apply_word(struct measure_preload *preload, const char *word, size_t length)
{
	bool is_off = *word == '-';
	size_t sign = is_off || *word == '+';

	if (length == 4 && strncmp(word, "auto", 4) == 0)
		choose_automatically(preload);
	/* "none" is to record no more than begin and end; what is unknown has been said. */
	struct measure_preload_choice *choice = preload_find(preload, word + sign, length - sign);
	if (!choice)
		return;
	choice->is_named = true;
	preload_decide(choice, !is_off, "named in --adapters", "");
}

static void apply_list(struct measure_preload *preload)
{
	const char *list = preload->settings->adapters;

	for (int i = 0; i < NR_ADAPTERS; i++) {
		preload->choices[i].name = adapters[i].name;
		preload_decide(&preload->choices[i], false, "not selected", "");
	}
	preload->nr_choices = NR_ADAPTERS;
	if (*list == '+' || *list == '-')
		choose_automatically(preload);
	while (*list) {
		size_t length = strcspn(list, ",");
		if (length > 0)
			apply_word(preload, list, length);
		list += length + (list[length] == ',');
	}
	for (int i = 0; i < NR_ADAPTERS; i++) {
		if (adapters[i].when != MEASURE_ADAPTER_WITH || preload->choices[i].is_named)
			continue;
		const char *other = adapters[i].other;
		preload_decide(&preload->choices[i],
			preload_find(preload, other, strlen(other))->is_on, "as ", other);
	}
}

/* Whatever adapters there are: metrics stand before the records of any. */
static void choose_by_metrics(struct measure_preload *preload)
{
	for (int i = 0; i < NR_ADAPTERS; i++) {
		if (adapters[i].when != MEASURE_ADAPTER_METRICS)
			continue;
		bool is_wanted =
			measure_metric_list_has(preload->settings->metrics, adapters[i].other);
		preload_decide(&preload->choices[i], is_wanted, is_wanted ? "" : "no metric of ",
			is_wanted ? "for --metrics" : adapters[i].other);
	}
}

/* By option alone, but that --adapters may leave it out. */
static void choose_by_sample(struct measure_preload *preload)
{
	bool is_wanted = strcmp(preload->settings->sample, "off") != 0;

	for (int i = 0; i < NR_ADAPTERS; i++) {
		struct measure_preload_choice *choice = &preload->choices[i];
		bool is_excluded = choice->is_named && !choice->is_on;

		if (adapters[i].when != MEASURE_ADAPTER_SAMPLE || is_excluded)
			continue;
		preload_decide(choice, is_wanted, is_wanted ? "for --sample" : "no --sample", "");
	}
}

static void choose_by_wrap(struct measure_preload *preload)
{
	const bool is_wanted = *preload->settings->wrap != '\0';

	for (int i = 0; i < NR_ADAPTERS; i++)
		if (adapters[i].when == MEASURE_ADAPTER_WRAP)
			preload_decide(&preload->choices[i], is_wanted,
				is_wanted ? "for --wrap" : "no --wrap", "");
}

/* --openmp: one of the two adapters of OpenMP, whatever the program is linked to. */
static measure_status_t choose_openmp(struct measure_preload *preload)
{
	struct measure_preload_choice *gomp = preload_find(preload, "gomp", 4);
	struct measure_preload_choice *ompt = preload_find(preload, "ompt", 4);
	char why[sizeof(gomp->why)];

	if (preload->settings->openmp == MEASURE_OPENMP_AUTO && !gomp->is_named &&
		measure_libgomp_shim_is_linked(preload->program->elf.needed))
		preload_decide(gomp, false,
			"libomp.so is linked first and serves the calls of libgomp", "");
	if (preload->settings->openmp == MEASURE_OPENMP_GOMP) {
		preload_decide(ompt, false, "--openmp=gomp", "");
	} else if (preload->settings->openmp == MEASURE_OPENMP_OMPT &&
		   measure_libgomp_shim_find(preload, why, sizeof(why))) {
		preload_decide(gomp, false, "--openmp=ompt", "");
		preload_decide(ompt, true, "--openmp=ompt", "");
	} else if (preload->settings->openmp == MEASURE_OPENMP_OMPT) {
		return measure_policy_trouble(
			"recording the program's own OpenMP library", "--openmp=ompt: %s", why);
	}
	return MEASURE_OK;
}

static bool is_needed(const struct measure_preload *preload, const char *library)
{
	char found[64];

	return *library &&
	       measure_elf_find(preload->program->elf.needed, library, found, sizeof(found));
}

/* What the adapter's other build is for; "": there is none. */
static const char *other_library(int adapter)
{
#define OTHER_BUILD(word, library)                                                                 \
	if (strcmp(adapters[adapter].name, #word) == 0)                                            \
		return library;
#include "adapters.def"
	return "";
}

/* The program needs the library that the adapter's other build is for, and not the first one's. An
 * interpreter needs neither: what it opens later is what its launcher is for. */
static bool needs_other_build(const struct measure_preload *preload, int adapter)
{
	const char *first = adapters[adapter].built_for, *other = other_library(adapter);

	if (!*other || is_needed(preload, first))
		return false;
	return is_needed(preload, other) ||
	       (!is_needed(preload, adapters[adapter].other) &&
		       measure_launcher_serves(preload->settings, other));
}

void measure_preload_object(
	const struct measure_preload *preload, int adapter, char *path, size_t size)
{
	snprintf(path, size, "%s/libmeasure-%s%s.so", preload->directory, adapters[adapter].name,
		needs_other_build(preload, adapter) ? "-other" : "");
}

/* It is built for one library of a kind (libmpi.so.40), or two, and stays off with another one. */
static bool fits(struct measure_preload *preload, int adapter)
{
	struct measure_preload_choice *choice = &preload->choices[adapter];
	const char *ours = adapters[adapter].built_for, *second = other_library(adapter);
	char theirs[64];

	if (!ours || choice->is_named || !is_for_library(adapter))
		return true;
	if (!measure_elf_find(preload->program->elf.needed, adapters[adapter].other, theirs,
		    sizeof(theirs)))
		return true; /* nor any other one */
	if (is_needed(preload, ours) || needs_other_build(preload, adapter))
		return true;
	choice->is_on = false;
	snprintf(choice->why, sizeof(choice->why),
		"built for %s%s%s, but the program uses %s: build Measure for that library", ours,
		*second ? " and " : "", second, theirs);
	return false;
}

static bool is_with_one_that_is_off(struct measure_preload *preload, int adapter)
{
	const char *other = adapters[adapter].other;

	return adapters[adapter].when == MEASURE_ADAPTER_WITH &&
	       !preload_find(preload, other, strlen(other))->is_on;
}

/* Trouble that the user did not ask for by name. */
static bool may_say(const struct measure_preload *preload)
{
	return !preload->settings->quiet || preload->settings->strict;
}

/* Of metrics that are missing then, who reads --metrics tells. */
static measure_status_t refuse_missing(
	struct measure_preload *preload, int adapter, const char *path)
{
	struct measure_preload_choice *choice = &preload->choices[adapter];

	preload_decide(choice, false, "this Measure was built without it", "");
	if (choice->is_named)
		return measure_policy_trouble("recording without it",
			"%s: not found: this Measure was built without adapter %s", path,
			choice->name);
	if (!may_say(preload) || adapters[adapter].when == MEASURE_ADAPTER_METRICS)
		return MEASURE_OK;
	return measure_policy_trouble("recording without it",
		"%s: not found: reinstall Measure, built with the libraries that adapter %s "
		"requires",
		path, choice->name);
}

/* In a process that runs already some adapters have missed what they need to have seen. */
static measure_status_t refuse_late(struct measure_preload *preload, int adapter)
{
	struct measure_preload_choice *choice = &preload->choices[adapter];

	preload_decide(choice, false, "cannot be added to a running process", "");
	if (!choice->is_named && adapters[adapter].when != MEASURE_ADAPTER_METRICS)
		return MEASURE_OK;
	return measure_policy_mistake("ignored",
		"--attach: %s cannot be added to a running process: start the program with "
		"measure",
		choice->name);
}

/* Turns off what cannot be loaded, with a word. Those that come with another one stand behind it.
 */
static measure_status_t check_objects(struct measure_preload *preload)
{
	measure_status_t status = MEASURE_OK;
	char path[PATH_MAX + 64];

	for (int i = 0; i < NR_ADAPTERS && status == MEASURE_OK; i++) {
		struct measure_preload_choice *choice = &preload->choices[i];
		measure_preload_object(preload, i, path, sizeof(path));
		if (choice->is_on && is_with_one_that_is_off(preload, i))
			preload_decide(choice, false, "as ", adapters[i].other);
		if (!choice->is_on)
			continue;
		if (preload->program->loaded && !adapters[i].attaches)
			status = refuse_late(preload, i);
		else if (access(path, R_OK) != 0)
			status = refuse_missing(preload, i, path);
		else if (!fits(preload, i) && may_say(preload))
			status = measure_policy_trouble("recording without it", "adapter %s: %s",
				choice->name, choice->why);
	}
	return status;
}

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

	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		if (program->loaded ||
			!measure_elf_find(program->elf.needed, libraries[i], name, size - 1))
			continue;
		if (measure_elf_read("/proc/self/exe", &own) == MEASURE_OK &&
			strstr(own.needed, libraries[i]))
			continue;
		strcat(name, ":");
		return;
	}
	name[0] = '\0';
}

static measure_status_t make_list(struct measure_preload *preload)
{
	char first[64];
	find_sanitizer(preload->program, first, sizeof(first));
	size_t used = (size_t)snprintf(
		preload->list, sizeof(preload->list), "%s%s/%s", first, preload->directory, CORE);
	char path[PATH_MAX + 64];

	for (int i = 0; i < NR_ADAPTERS; i++) {
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

measure_status_t measure_preload_choose(struct measure_preload *preload,
	const struct measure_settings *settings, const struct measure_program *program)
{
	memset(preload, 0, sizeof(*preload));
	preload->settings = settings;
	preload->program = program;

	apply_list(preload);
	measure_status_t status = find_directory(preload->directory);
	if (status == MEASURE_OK)
		status = choose_openmp(preload);
	if (status == MEASURE_OK) {
		choose_by_metrics(preload);
		choose_by_sample(preload);
		choose_by_wrap(preload);
		status = check_objects(preload);
	}
	if (status == MEASURE_OK)
		status = make_list(preload);
	return status;
}

measure_status_t measure_preload_check_tools(const struct measure_preload *preload)
{
	measure_status_t status = MEASURE_OK;
	char variable[64];

	for (int i = 0; i < NR_ADAPTERS && status == MEASURE_OK; i++) {
		const struct measure_preload_choice *choice = &preload->choices[i];
		const bool is_wanted =
			choice->is_named ? choice->is_on : choice->has_rival && may_say(preload);
		if (is_wanted && find_other_tool(i, variable, sizeof(variable)))
			status = measure_policy_trouble("leaving the program its own tool",
				"adapter %s: %s is set: unset it", choice->name, variable);
	}
	return status;
}

bool measure_preload_has(const struct measure_preload *preload, const char *adapter)
{
	for (int i = 0; i < preload->nr_choices; i++)
		if (strcmp(preload->choices[i].name, adapter) == 0)
			return preload->choices[i].is_on;
	return false;
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
