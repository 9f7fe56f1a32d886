/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The language of --what-if: changes with blanks between them, each SUBJECT=VALUE. */
#include "config.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "what_if.h"

#define MOST_RANK 1000000000

struct change_unit {
	const char *word;
	double value;
};

static const struct change_unit times[] = {
	{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
static const struct change_unit rates[] = {{"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12},
	{"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {NULL, 0}};

/* SUBJECT, and what may stand for its VALUE. */
struct change_subject {
	const char *word; /* with a : behind it, a name follows */
	enum measure_changed what;
	const struct change_unit *units; /* of absolute values, or NULL */
	bool can_balance;
	const char *values; /* for people */
};

static const struct change_subject subjects[] = {
	{"latency", MEASURE_CHANGED_LATENCY, times, false, "latency=0.5x or latency=2us"},
	{"bandwidth", MEASURE_CHANGED_BANDWIDTH, rates, false, "bandwidth=2x or bandwidth=10G"},
	{"network", MEASURE_CHANGED_NETWORK, NULL, false, "network=ideal"},
	{"compute", MEASURE_CHANGED_COMPUTE, NULL, true, "compute=0.8x or compute=balanced"},
	{"region:", MEASURE_CHANGED_REGION, NULL, true,
		"region:sweep=0.8x or region:sweep=balanced"},
	{"rank:", MEASURE_CHANGED_RANK, NULL, true, "rank:3=0.9x or rank:3=balanced"},
};

#define NR_SUBJECTS (sizeof(subjects) / sizeof(*subjects))

static bool refuse_change(char *error, const char *change, const char *why, const char *remedy)
{
	snprintf(error, MEASURE_WHAT_IF_ERROR, "--what-if: '%.100s': %s: %.200s",
		MEASURE_PRINTABLE(change), why, remedy);
	return false;
}

/* -------------------------------------------------------------------------- values --- */

static bool take_unit(
	const char *word, const struct change_unit *units, struct measure_run_change *change)
{
	for (; units && units->word; units++) {
		if (strcmp(word, units->word) != 0)
			continue;
		change->is_absolute = true;
		change->value *= units->value;
		return true;
	}
	return false;
}

static bool take_value(
	const char *value, const struct change_subject *subject, struct measure_run_change *change)
{
	char *end;

	if (subject->what == MEASURE_CHANGED_NETWORK)
		return strcmp(value, "ideal") == 0;
	if (subject->can_balance && strcmp(value, "balanced") == 0) {
		change->is_balanced = true;
		return true;
	}
	if ((*value < '0' || *value > '9') && *value != '.')
		return false;
	change->value = strtod(value, &end);
	if (end == value || !(change->value >= 0 && change->value <= 1e15) ||
		(subject->what == MEASURE_CHANGED_BANDWIDTH && change->value <= 0))
		return false;
	return strcmp(end, "x") == 0 || take_unit(end, subject->units, change);
}

/* -------------------------------------------------------------------------- subjects --- */

static bool take_rank(const char *word, struct measure_run_change *change)
{
	char *end;
	unsigned long rank;

	change->rank = MEASURE_NONE;
	if (strcmp(word, "*") == 0)
		return true;
	if (*word < '0' || *word > '9')
		return false;
	rank = strtoul(word, &end, 10);
	change->rank = (uint32_t)rank;
	return *end == 0 && rank <= MOST_RANK;
}

static bool is_subject(const struct change_subject *subject, const char *word)
{
	const size_t length = strlen(subject->word);

	return subject->word[length - 1] == ':' ? strncmp(word, subject->word, length) == 0
						: strcmp(word, subject->word) == 0;
}

static const struct change_subject *find_subject(const char *word)
{
	for (size_t i = 0; i < NR_SUBJECTS; i++)
		if (is_subject(&subjects[i], word))
			return &subjects[i];
	return NULL;
}

/* Names of regions may hold a =, as operators do: the last one counts. */
static bool take_change(struct measure_what_if *what_if, char *text, char *error)
{
	char *whole = measure_copy_text(text), *value = strrchr(text, '=');
	struct measure_run_change change = {.value = 1, .rank = MEASURE_NONE};
	const struct change_subject *subject;
	bool is_taken = false;

	if (value)
		*value++ = 0;
	subject = find_subject(text);
	if (!subject)
		refuse_change(error, whole, "unknown change",
			"use latency=, bandwidth=, network=ideal, compute=, region:NAME=, rank:N=");
	else if (!value)
		refuse_change(error, whole, "no value", subject->values);
	else if (subject->what == MEASURE_CHANGED_RANK &&
		 !take_rank(text + strlen(subject->word), &change))
		refuse_change(
			error, whole, "no rank: give a number, or * for all", subject->values);
	else if (subject->what == MEASURE_CHANGED_REGION && !text[strlen(subject->word)])
		refuse_change(error, whole, "no name of a region", subject->values);
	else if (!take_value(value, subject, &change))
		refuse_change(error, whole, "wrong value", subject->values);
	else
		is_taken = true;
	if (is_taken) {
		change.what = subject->what;
		if (subject->what == MEASURE_CHANGED_REGION)
			change.name = measure_copy_text(text + strlen(subject->word));
		*measure_append(what_if, changes) = change;
	}
	measure_free(whole);
	return is_taken;
}

bool measure_what_if_parse(
	struct measure_what_if *what_if, const char *text, char error[MEASURE_WHAT_IF_ERROR])
{
	static const char blanks[] = " \t\n,";
	char *copy = measure_copy_text(text), *rest = NULL;
	bool is_right = true;

	*what_if = (struct measure_what_if){.text = measure_copy_text(text)};
	for (char *word = strtok_r(copy, blanks, &rest); word && is_right;
		word = strtok_r(NULL, blanks, &rest))
		is_right = take_change(what_if, word, error);
	if (is_right && what_if->nr_changes == 0)
		is_right = refuse_change(error, text, "no change",
			"give some, as in 'latency=0.5x region:sweep=0.8x rank:3=balanced'");
	measure_free(copy);
	return is_right;
}

void measure_what_if_free(struct measure_what_if *what_if)
{
	for (size_t i = 0; i < what_if->nr_changes; i++)
		measure_free(what_if->changes[i].name);
	measure_free(what_if->changes);
	measure_free(what_if->text);
	*what_if = (struct measure_what_if){.nr_changes = 0};
}

/* ---------------------------------------------------------------------------- check --- */

static bool is_region(const struct measure_definitions *definitions, const char *name)
{
	for (uint32_t i = 0; i < definitions->nr_regions; i++)
		if (fnmatch(name, measure_name_of_region(definitions, i), 0) == 0)
			return true;
	return false;
}

static uint32_t count_processes(const struct measure_definitions *definitions)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < definitions->nr_location_groups; i++)
		nr += definitions->location_groups[i].nr_threads > 0;
	return nr;
}

bool measure_what_if_check(const struct measure_what_if *what_if,
	const struct measure_definitions *definitions, char error[MEASURE_WHAT_IF_ERROR])
{
	const uint32_t nr = count_processes(definitions);
	char remedy[100], subject[120];

	for (size_t i = 0; i < what_if->nr_changes; i++) {
		const struct measure_run_change *change = &what_if->changes[i];

		if (change->name && !is_region(definitions, change->name)) {
			snprintf(subject, sizeof(subject), "region:%.100s", change->name);
			return refuse_change(error, subject, "no such region in the trace",
				"measure-profile lists them; * ? and [ ] stand for others");
		}
		if (change->rank == MEASURE_NONE || change->rank < nr)
			continue;
		snprintf(subject, sizeof(subject), "rank:%u", change->rank);
		snprintf(remedy, sizeof(remedy), "there are %u, from 0 on", nr);
		return refuse_change(error, subject, "no such rank", remedy);
	}
	return true;
}
