/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the rules of a recording; see rules.h. */
#include "config.h"

#include "rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "options.h"
#include "policy.h"
#include "rule_file.h"

static const char *consequence(void)
{
	return measure_policy_is_lenient() ? "recording without a filter"
					   : "not starting the program";
}

/* What is wrong with a filter is a mistake. */
static measure_status_t refused(measure_status_t status)
{
	return status == MEASURE_OK || measure_policy_is_lenient() ? MEASURE_OK
								   : MEASURE_ERROR_USAGE;
}

static measure_status_t parse(struct measure_filter *filter,
	const struct measure_settings *settings, const char *text,
	struct measure_filter_error *error)
{
	measure_status_t status = measure_filter_add(filter, settings->filter, text, error);

	if (status == MEASURE_OK)
		status = measure_filter_add_option(
			filter, measure_options_source("exclude"), false, settings->exclude, error);
	if (status == MEASURE_OK)
		status = measure_filter_add_option(
			filter, measure_options_source("include"), true, settings->include, error);
	return status;
}

/* The three texts, each with its NUL. */
static measure_status_t pack(
	struct measure_rules *rules, const struct measure_settings *settings, const char *text)
{
	const char *const texts[] = {text, settings->exclude, settings->include};
	char *place;

	rules->size = 0;
	for (int i = 0; i < 3; i++)
		rules->size += strlen(texts[i]) + 1;
	place = rules->text = malloc(rules->size);
	if (!place)
		return MEASURE_ERROR_MEMORY;
	for (int i = 0; i < 3; i++)
		place = stpcpy(place, texts[i]) + 1;
	return MEASURE_OK;
}

measure_status_t measure_rules_read(
	struct measure_rules *rules, const struct measure_settings *settings)
{
	struct measure_filter_error error = {"no memory"};
	measure_status_t status;
	char *text;

	*rules = (struct measure_rules){NULL, NULL, 0};
	status = measure_rule_file_load(settings->filter, consequence(), &text);
	if (status != MEASURE_OK) {
		free(text);
		return refused(status);
	}
	rules->filter = measure_filter_new();
	status =
		rules->filter ? parse(rules->filter, settings, text, &error) : MEASURE_ERROR_MEMORY;
	if (status == MEASURE_OK && !measure_filter_is_empty(rules->filter))
		status = pack(rules, settings, text);
	if (status != MEASURE_OK)
		measure_cli_say("%s: %s", error.text, consequence());
	if (!rules->text) {
		measure_filter_free(rules->filter);
		rules->filter = NULL;
	}
	free(text);
	return refused(status);
}
