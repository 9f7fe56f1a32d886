/* SPDX-License-Identifier: BSD-3-Clause
 *
 * suggested.filter: the rules of the run, as they were given, then a block in the language of
 * Score-P's filter files. */
#include "config.h"

#include "summary_internal.h"

#include <string.h>

#include "base/printable.h"

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

static void print_reason(
	const struct measure_summary *summary, FILE *out, const struct summary_region *suggested)
{
	fprintf(out, "  # %llu events", (unsigned long long)suggested->events);
	if (suggested->measured)
		fprintf(out, ", %.0f ns per visit",
			summary_typical_visit(summary, suggested) * 1e9);
	if (summary_find_throttled(summary, suggested->region))
		fprintf(out, ", then disabled");
}

static void print_rule(
	const struct measure_summary *summary, FILE *out, const struct summary_region *suggested)
{
	const struct measure_region *region = &summary->definitions->regions[suggested->region];
	const char *name = summary_string(summary, region->name);
	const char *canonical = *summary_string(summary, region->canonical_name)
					? summary_string(summary, region->canonical_name)
					: name;
	bool is_mangled = strcmp(name, canonical) != 0;

	print_reason(summary, out, suggested);
	fprintf(out, "%s%s\n", is_mangled ? ": " : "", is_mangled ? MEASURE_PRINTABLE(name) : "");
	fprintf(out, "  EXCLUDE %s", is_mangled ? "MANGLED " : "");
	print_name(out, canonical);
	fputc('\n', out);
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
static void print_rules_in_force(const struct measure_summary *summary, FILE *out)
{
	const char *file = summary_process_text(summary, "MEASURE::FILTER");
	const char *exclude = summary_process_text(summary, "MEASURE::FILTER_EXCLUDE");
	const char *include = summary_process_text(summary, "MEASURE::FILTER_INCLUDE");

	if (!*file && !*exclude && !*include)
		return;
	fprintf(out, "# The rules of this run:\n%s", file);
	if (*file && file[strlen(file) - 1] != '\n')
		fputc('\n', out);
	print_option(out, "exclude", exclude);
	print_option(out, "include", include);
	fputc('\n', out);
}

void summary_print_filter(struct measure_summary *summary, FILE *out)
{
	print_rules_in_force(summary, out);
	fprintf(out,
		"# Short functions that are called often. Excluding them removes\n# %llu of %llu "
		"events, and %llu bytes of events.\nSCOREP_REGION_NAMES_BEGIN\n",
		(unsigned long long)summary->saved.events, (unsigned long long)summary->nr_counted,
		(unsigned long long)summary->saved.bytes);
	for (size_t i = 0; i < summary->suggested.nr; i++)
		print_rule(summary, out, &summary->suggested.items[i]);
	fprintf(out, "SCOREP_REGION_NAMES_END\n");
}
