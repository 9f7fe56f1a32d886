/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the rules of a recording; see filter_rules.h. */
#include "config.h"

#include "filter_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "options.h"
#include "policy.h"
#include "cli/rule_file.h"

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

static const char *consequence_now;

static void say(const char *mistake)
{
	measure_cli_say("%s: %s", mistake, consequence_now);
}

/* What the files say, one behind the other. */
struct filter_rules_texts {
	char *all;
	size_t size;
};

static measure_status_t filter_rules_append(struct filter_rules_texts *texts, const char *text)
{
	size_t length = strlen(text);
	char *all = realloc(texts->all, texts->size + length + 2);

	if (!all)
		return MEASURE_ERROR_MEMORY;
	texts->all = all;
	texts->size += (size_t)sprintf(all + texts->size, "%s%s", text, length ? "\n" : "");
	return MEASURE_OK;
}

static measure_status_t read_file(struct measure_filter *filter, const char *path,
	struct filter_rules_texts *texts, struct measure_filter_error *error)
{
	char *text;
	measure_status_t status = measure_rule_file_load(path, consequence_now, &text);

	error->nr = status == MEASURE_ERROR_IO; /* it was said */
	if (status == MEASURE_OK)
		status = measure_filter_add(filter, path, text, error);
	if (status == MEASURE_OK)
		status = filter_rules_append(texts, text);
	free(text);
	return status;
}

/* "FILE; FILE": all that is wrong in all of them is said. */
static measure_status_t read_files(struct measure_filter *filter, const char *paths,
	struct filter_rules_texts *texts, struct measure_filter_error *error)
{
	char path[MEASURE_SETTINGS_TEXT];
	measure_status_t status = filter_rules_append(texts, "");
	unsigned int nr_wrong = 0;

	while (*paths && status != MEASURE_ERROR_MEMORY) {
		paths += strspn(paths, "; ");
		size_t length = strcspn(paths, ";");
		snprintf(path, sizeof(path), "%.*s", (int)length, paths);
		paths += length;
		if (*path && read_file(filter, path, texts, error) != MEASURE_OK)
			status = error->nr ? MEASURE_ERROR_FORMAT : MEASURE_ERROR_MEMORY;
		nr_wrong += error->nr;
	}
	error->nr = nr_wrong;
	return status;
}

static measure_status_t parse(struct measure_filter *filter,
	const struct measure_settings *settings, struct filter_rules_texts *texts,
	struct measure_filter_error *error)
{
	measure_status_t status = read_files(filter, settings->filter, texts, error);

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
	struct measure_filter_error error = {.say = say};
	struct filter_rules_texts texts = {NULL, 0};
	measure_status_t status = MEASURE_ERROR_MEMORY;

	*rules = (struct measure_rules){NULL, NULL, 0};
	consequence_now = consequence();
	rules->filter = measure_filter_new();
	if (rules->filter)
		status = parse(rules->filter, settings, &texts, &error);
	if (status == MEASURE_OK && !measure_filter_is_empty(rules->filter))
		status = pack(rules, settings, texts.all);
	if (status != MEASURE_OK && error.nr == 0)
		say(measure_status_text(status));
	if (!rules->text) {
		measure_filter_free(rules->filter);
		rules->filter = NULL;
	}
	free(texts.all);
	return refused(status);
}
