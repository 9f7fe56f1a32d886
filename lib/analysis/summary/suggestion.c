/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The filter file that an account suggests: the rules of the run, as they were given, then a block
 * in the language of Score-P's filter files. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_statistics.h"
#include "base/printable.h"
#include "summary.h"

#define SPECIAL " \t*?[]\\#" /* in patterns and around them */

/* Any one for each byte of what cannot be shown, or would end the line. */
static void print_name(FILE *out, const char *name)
{
	while (*name) {
		size_t length = measure_utf8_length(name), nr = length ? length : 1;
		bool is_kept = measure_is_shown(name, length);

		if (is_kept && strchr(SPECIAL, *name))
			fputc('\\', out);
		for (; nr > 0; nr--, name++)
			fputc(is_kept ? *name : '?', out);
	}
}

static void print_reason(FILE *out, const struct measure_trace_statistics *account,
	const struct measure_trace_statistics_region *suggested)
{
	bool is_throttled = measure_throttled_find(&account->throttled, suggested->region);

	fprintf(out, "  # %llu events", (unsigned long long)suggested->events);
	if (suggested->measured)
		fprintf(out, ", %.0f ns a visit",
			measure_trace_statistics_typical(suggested) * 1e9);
	if (is_throttled)
		fprintf(out, ", then switched off");
}

static void print_rule(FILE *out, const struct measure_unified *unified,
	const struct measure_trace_statistics *account,
	const struct measure_trace_statistics_region *suggested)
{
	const struct measure_archive_definitions *definitions = &unified->definitions;
	const struct measure_otf2_region *region = &definitions->regions.items[suggested->region];
	const char *name = measure_intern_key(&definitions->strings, region->name);
	const char *canonical = measure_intern_key(&definitions->strings, region->canonical);
	bool is_mangled = strcmp(name, canonical) != 0;

	print_reason(out, account, suggested);
	fprintf(out, "%s%s\n", is_mangled ? ": " : "", is_mangled ? MEASURE_PRINTABLE(name) : "");
	fprintf(out, "  EXCLUDE %s", is_mangled ? "MANGLED " : "");
	print_name(out, canonical);
	fputc('\n', out);
}

const char *measure_summary_rules(const struct measure_job *job, const char *name)
{
	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;
		for (size_t k = 0; part && k < part->properties.nr; k++)
			if (strcmp(part->properties.items[k].name, name) == 0)
				return part->properties.items[k].value;
	}
	return "";
}

/* Rules of an option, with ; between them, as lines. */
static void print_option(FILE *out, const char *word, const char *rules)
{
	while (*rules) {
		size_t length = strcspn(rules, ";");
		fprintf(out, "%s %.*s\n", word, (int)length, rules);
		rules += length + (rules[length] == ';');
		rules += strspn(rules, " ");
	}
}

/* So that this file is enough. */
static void print_rules_in_force(FILE *out, const struct measure_job *job)
{
	const char *file = measure_summary_rules(job, MEASURE_RULES_OF_FILES);
	const char *exclude = measure_summary_rules(job, MEASURE_RULES_TO_EXCLUDE);
	const char *include = measure_summary_rules(job, MEASURE_RULES_TO_INCLUDE);

	if (!*file && !*exclude && !*include)
		return;
	fprintf(out, "# The rules of this run:\n%s", file);
	if (*file && file[strlen(file) - 1] != '\n')
		fputc('\n', out);
	print_option(out, "exclude", exclude);
	print_option(out, "include", include);
	fputc('\n', out);
}

measure_status_t measure_trace_statistics_filter(const struct measure_unified *unified,
	const struct measure_trace_statistics *account, char **text)
{
	size_t size;
	FILE *out = open_memstream(text, &size);

	if (!out)
		return MEASURE_ERROR_MEMORY;
	print_rules_in_force(out, unified->job);
	fprintf(out,
		"# Functions that are entered often and left soon. Without them the trace has\n"
		"# %llu fewer of its %llu events, and %llu fewer bytes of events.\n"
		"SCOREP_REGION_NAMES_BEGIN\n",
		(unsigned long long)account->saved.events, (unsigned long long)account->nr_events,
		(unsigned long long)account->saved.bytes);
	for (size_t i = 0; i < account->suggested.nr; i++)
		print_rule(out, unified, account, &account->suggested.items[i]);
	fprintf(out, "SCOREP_REGION_NAMES_END\n");
	if (fclose(out) != 0) {
		free(*text);
		return MEASURE_ERROR_MEMORY;
	}
	return MEASURE_OK;
}
