/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From options to a filter; see sync_rules.h. */
#include "config.h"

#include "sync_rules.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/rule_file.h"
#include "trace/common/containers.h"

enum { TEXT_FILE, TEXT_EXCLUDE, TEXT_INCLUDE, NR_TEXTS };

void sync_rules_add(struct sync_rules *rules, bool is_include, const char *rule)
{
	char **text = &rules->texts[is_include ? TEXT_INCLUDE : TEXT_EXCLUDE];
	const char *before = *text ? *text : "";
	const size_t size = strlen(before) + strlen(rule) + 2;
	char *all = measure_zeroed(size, 1);

	snprintf(all, size, "%s%s%s", before, *before ? ";" : "", rule);
	measure_free(*text);
	*text = all;
}

static measure_status_t parse(struct sync_rules *rules, struct measure_filter_error *error)
{
	const char *file = rules->texts[TEXT_FILE], *exclude = rules->texts[TEXT_EXCLUDE];
	const char *include = rules->texts[TEXT_INCLUDE];
	measure_status_t status = MEASURE_OK;

	rules->filter = measure_filter_new();
	if (!rules->filter)
		return MEASURE_ERROR_MEMORY;
	if (file)
		status = measure_filter_add(
			rules->filter, rules->file ? rules->file : "", file, error);
	if (status == MEASURE_OK && exclude)
		status = measure_filter_add_option(
			rules->filter, "--exclude", false, exclude, error);
	if (status == MEASURE_OK && include)
		status =
			measure_filter_add_option(rules->filter, "--include", true, include, error);
	if (status == MEASURE_OK && !measure_filter_is_empty(rules->filter))
		return MEASURE_OK;
	measure_filter_free(rules->filter);
	rules->filter = NULL;
	return status;
}

static const char *consequence_said;

static void say(const char *mistake)
{
	measure_cli_say("%s: %s", mistake, consequence_said);
}

bool sync_rules_read(struct sync_rules *rules, const char *consequence)
{
	struct measure_filter_error error = {.say = say};
	bool is_good;

	consequence_said = consequence;
	if (rules->file && measure_rule_file_load(rules->file, consequence,
				   &rules->texts[TEXT_FILE]) != MEASURE_OK)
		return false;
	is_good = parse(rules, &error) == MEASURE_OK;
	if (!is_good && error.nr == 0)
		say("out of memory");
	measure_filter_free(rules->filter);
	rules->filter = NULL;
	return is_good;
}

void sync_rules_share(struct sync_rules *rules, const struct measure_sync_job *job)
{
	struct measure_filter_error error = {.say = NULL};

	for (int i = 0; i < NR_TEXTS; i++) {
		const char *own = job->rank == 0 && rules->texts[i] ? rules->texts[i] : "";
		uint64_t size = strlen(own) + 1;
		char *text;

		job->ops->broadcast(&size, sizeof(size), 0);
		text = measure_zeroed(size, 1);
		if (job->rank == 0)
			memcpy(text, own, size);
		job->ops->broadcast(text, size, 0);
		measure_free(rules->texts[i]);
		rules->texts[i] = text;
	}
	if (parse(rules, &error) != MEASURE_OK)
		measure_out_of_memory();
}

void sync_rules_free(struct sync_rules *rules)
{
	for (int i = 0; i < NR_TEXTS; i++)
		measure_free(rules->texts[i]);
	measure_filter_free(rules->filter);
}
