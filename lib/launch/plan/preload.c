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
#include "cli/suggest.h"
#include "launch/options/options.h"
#include "launch/options/policy.h"
#include "libgomp_shim.h"
#include "preload_list.h"

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

	if (measure_libdir_find(directory, MEASURE_CORE, is_mistake ? "unset it" : "not recording",
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
		status = measure_preload_make_list(preload);
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
