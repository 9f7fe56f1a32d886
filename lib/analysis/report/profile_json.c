/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profile as JSON, as folded stacks, and views of it as CSV and HTML. */
#include "config.h"

#include "profile_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "cli/json_text.h"
#include "profile_samples.h"

/* --------------------------------------------------------------------------- JSON --- */

static void json_string(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\": ", name);
	measure_json_text(out, text);
}

static void json_number(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ", \"%s\": %" PRIu64, name, value);
}

/* Times in nanoseconds; numbers with a fraction, which are no times, with six digits. */
static void json_calls(
	const struct measure_profile *profile, const struct measure_view_row *row, FILE *out)
{
	json_number(out, "visits", row->visits);
	json_number(out, "inclusive_ns", measure_profile_ns(profile, row->inclusive));
	json_number(out, "exclusive_ns", measure_profile_ns(profile, row->exclusive));
	json_number(out, "calls", row->complete);
	if (row->complete) {
		json_number(out, "min_ns", measure_profile_ns(profile, row->min));
		json_number(out, "mean_ns",
			measure_profile_ns(profile, row->complete_ticks / row->complete));
		json_number(out, "max_ns", measure_profile_ns(profile, row->max));
		json_number(out, "p50_ns",
			measure_profile_ns(profile, measure_view_quantile(row, 0.5)));
		json_number(out, "p90_ns",
			measure_profile_ns(profile, measure_view_quantile(row, 0.9)));
		json_number(out, "p99_ns",
			measure_profile_ns(profile, measure_view_quantile(row, 0.99)));
	}
	json_number(out, "locations", row->locations);
	json_number(out, "most_exclusive_ns", measure_profile_ns(profile, row->most_exclusive));
	fprintf(out, ", \"imbalance\": %.6f", measure_view_imbalance(row));
	if (!profile->waits)
		return;
#define PATH_WAITS(name, word) json_number(out, word, measure_profile_ns(profile, row->waits.name));
	MEASURE_PATH_WAITS(PATH_WAITS)
#undef PATH_WAITS
}

static void json_region(const struct measure_profile *profile, uint32_t region, FILE *out)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	const struct measure_region *definition = measure_profile_region(profile, region);

	json_string(out, "name", measure_profile_region_name(profile, region));
	fprintf(out, ", ");
	json_string(out, "paradigm",
		definition ? measure_paradigm_word(definition->paradigm) : "PSEUDO");
	fprintf(out, ", ");
	json_string(out, "group", measure_group_words[measure_group_of(profile, region)]);
	fprintf(out, ", ");
	json_string(out, "file", definition ? measure_text(definitions, definition->file) : "");
	json_number(out, "line", definition ? definition->begin_line : 0);
}

static void json_regions(const struct measure_profile *profile, FILE *out)
{
	const struct measure_view_options options = {.by = MEASURE_BY_REGION};
	struct measure_view view;

	measure_view_make(&view, profile, &options);
	fprintf(out, ",\n\"regions\": [");
	for (size_t i = 0; i < view.nr_rows; i++) {
		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_region(profile, view.rows[i].subject, out);
		json_calls(profile, &view.rows[i], out);
		fputc('}', out);
	}
	fputc(']', out);
	measure_view_free(&view);
}

/* Columns of a path that are not 0. */
static void json_values(const struct measure_profile *profile, uint32_t path, FILE *out)
{
	const uint64_t *values = measure_profile_table_find(&profile->tables[MEASURE_TABLE_VALUES],
		MEASURE_TABLE_VALUES, measure_key_pair(path, 0));
	const struct measure_column_info *columns = &measure_columns[MEASURE_FIRST_OF_VALUES];

	for (uint32_t i = 0; values && i < measure_profile_table_width(MEASURE_TABLE_VALUES); i++)
		if (values[i])
			json_number(out, columns[i].word,
				columns[i].unit == MEASURE_UNIT_TICKS
					? measure_profile_ns(profile, values[i])
					: values[i]);
}

static int compare_subjects(const void *left, const void *right)
{
	const struct measure_view_row *a = left, *b = right;

	return (a->subject > b->subject) - (a->subject < b->subject);
}

/* Paths that have something, and those above them, by number; to be freed. */
static bool *find_used_paths(const struct measure_profile *profile)
{
	const struct measure_profile_table *values = &profile->tables[MEASURE_TABLE_VALUES];
	bool *is_used = measure_zeroed(profile->nr_paths, sizeof(*is_used));

	for (size_t i = 0; i < values->nr; i++)
		is_used[values->keys[i].high] = true;
	for (size_t i = 0; i < profile->nr_metrics; i++)
		is_used[profile->metrics[i].path] = true;
	for (size_t i = profile->nr_paths; i-- > 0;) {
		const struct measure_profile_path *path = &profile->paths[i];

		if (path->region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		is_used[i] |= path->visits > 0 || path->inclusive > 0 ||
			      (profile->waits && measure_path_has_waits(&profile->waits[i]));
		if (is_used[i] && i > 0)
			is_used[path->parent] = true;
	}
	return is_used;
}

static void json_paths(const struct measure_profile *profile, FILE *out)
{
	const struct measure_view_options options = {.by = MEASURE_BY_PATH, .has_empty = true};
	bool *is_used = find_used_paths(profile);
	const char *comma = "";
	struct measure_view view;

	measure_view_make(&view, profile, &options);
	if (view.nr_rows > 0)
		qsort(view.rows, view.nr_rows, sizeof(*view.rows), compare_subjects);
	fprintf(out, ",\n\"paths\": [");
	for (size_t i = 0; i < view.nr_rows; i++) {
		const uint32_t path = view.rows[i].subject;

		if (!is_used[path])
			continue;
		fprintf(out, "%s\n {\"id\": %" PRIu32 ", \"parent\": ", comma, path);
		comma = ",";
		if (path == 0)
			fprintf(out, "null, ");
		else
			fprintf(out, "%" PRIu32 ", ", profile->paths[path].parent);
		json_region(profile, profile->paths[path].region, out);
		json_calls(profile, &view.rows[i], out);
		json_values(profile, path, out);
		fputc('}', out);
	}
	fputc(']', out);
	measure_view_free(&view);
	measure_free(is_used);
}

static void json_places(
	const struct measure_profile *profile, enum measure_view_by by, const char *word, FILE *out)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	const struct measure_view_options options = {.by = by};
	struct measure_view view;
	char name[256];

	measure_view_make(&view, profile, &options);
	if (view.nr_rows > 0)
		qsort(view.rows, view.nr_rows, sizeof(*view.rows), compare_subjects);
	fprintf(out, ",\n\"%s\": [", word);
	for (size_t i = 0; i < view.nr_rows; i++) {
		const struct measure_view_row *row = &view.rows[i];
		const uint32_t process = by == MEASURE_BY_PROCESS
						 ? row->subject
						 : definitions->locations[row->subject].group;

		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_string(out, "name", measure_view_name(&view, row, name, sizeof(name)));
		json_number(out, "process", process);
		if (process < definitions->nr_location_groups) {
			fprintf(out, ", ");
			json_string(out, "host",
				measure_name_of_host(
					definitions, definitions->location_groups[process].host));
		}
		json_number(out, "visits", row->visits);
		json_number(out, "time_ns", measure_profile_ns(profile, row->exclusive));
		fprintf(out, ", \"groups\": {");
		for (int group = 0, nr = 0; group < MEASURE_NR_GROUPS; group++)
			if (row->groups[group])
				fprintf(out, "%s\"%s\": %" PRIu64, nr++ > 0 ? ", " : "",
					measure_group_words[group],
					measure_profile_ns(profile, row->groups[group]));
		fprintf(out, "}}");
	}
	fputc(']', out);
	measure_view_free(&view);
}

static void json_key(
	const struct measure_profile *profile, enum measure_key_kind kind, uint64_t word, FILE *out)
{
	char buffer[1024];

	if (kind == MEASURE_KEY_NUMBER || kind == MEASURE_KEY_PATH)
		fprintf(out, "%" PRIu64, word);
	else
		measure_json_text(
			out, measure_key_text(profile, kind, word, buffer, sizeof(buffer)));
}

static int compare_key_words(const void *left, const void *right, void *data)
{
	const struct measure_key *keys = data;
	const struct measure_key *a = &keys[*(const size_t *)left];
	const struct measure_key *b = &keys[*(const size_t *)right];

	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return (a->low > b->low) - (a->low < b->low);
}

static void json_table_row(const struct measure_profile *profile, enum measure_table_name name,
	size_t index, FILE *out)
{
	const struct measure_table_info *info = &measure_tables[name];
	const struct measure_column_info *columns = &measure_columns[info->first_column];
	const struct measure_profile_table *table = &profile->tables[name];
	const uint64_t words[2] = {table->keys[index].high, table->keys[index].low};
	const uint64_t *values = &table->values[index * measure_profile_table_width(name)];

	for (int i = 0; i < 2 && info->kinds[i] != MEASURE_KEY_NOTHING; i++) {
		fprintf(out, "%s\"%s\": ", i > 0 ? ", " : "", info->key_words[i]);
		json_key(profile, info->kinds[i], words[i], out);
	}
	for (uint32_t c = 0; c < measure_profile_table_width(name); c++)
		json_number(out, columns[c].word,
			columns[c].unit == MEASURE_UNIT_TICKS
				? measure_profile_ns(profile, values[c])
				: values[c]);
}

static void json_table(
	const struct measure_profile *profile, enum measure_table_name name, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[name];
	size_t *rows = measure_zeroed(table->nr, sizeof(*rows));

	for (size_t i = 0; i < table->nr; i++)
		rows[i] = i;
	if (table->nr > 0)
		qsort_r(rows, table->nr, sizeof(*rows), compare_key_words, table->keys);
	fprintf(out, ",\n\"%s\": [", measure_tables[name].word);
	for (size_t i = 0; i < table->nr; i++) {
		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_table_row(profile, name, rows[i], out);
		fputc('}', out);
	}
	fputc(']', out);
	measure_free(rows);
}

/* By function; the program or library that it is in, if that is known. */
static void json_samples(const struct measure_profile *profile, FILE *out)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	size_t nr;
	struct measure_sampled_function *functions =
		measure_profile_sampled_functions(profile, &nr);

	fprintf(out, ",\n\"sampled_functions\": [");
	for (size_t i = 0; i < nr; i++) {
		const struct measure_region *region = &definitions->regions[functions[i].region];
		const char *library = measure_text(definitions, region->description);

		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_string(out, "name", measure_profile_region_name(profile, functions[i].region));
		fprintf(out, ", ");
		json_string(out, "library", strchr(library, '/') ? library : "");
		fprintf(out, ", ");
		json_string(out, "file", measure_text(definitions, region->file));
		json_number(out, "line", region->begin_line);
		json_number(out, "self", functions[i].self);
		json_number(out, "whole", functions[i].whole);
		fputc('}', out);
	}
	fputc(']', out);
	measure_free(functions);
}

static bool is_gauge(OTF2_MetricMode mode)
{
	return mode == OTF2_METRIC_ABSOLUTE_POINT || mode == OTF2_METRIC_ABSOLUTE_LAST ||
	       mode == OTF2_METRIC_ABSOLUTE_NEXT;
}

/* JSON has neither infinity nor NaN. */
static void json_real(FILE *out, const char *name, double value, int nr_digits)
{
	if (isfinite(value))
		fprintf(out, ", \"%s\": %.*g", name, nr_digits, value);
	else
		fprintf(out, ", \"%s\": null", name);
}

/* A sum of counters; of gauges the mean over time. */
static void json_metric_value(const struct measure_metric_member *member,
	const struct measure_profile_metric *metric, FILE *out)
{
	const double scale =
		pow(member->base == OTF2_BASE_BINARY ? 2 : 10, (double)member->exponent);

	if (is_gauge(member->mode)) {
		json_real(out, "mean",
			(metric->ticks ? metric->real / (double)metric->ticks : metric->max) *
				scale,
			9);
		json_real(out, "min", metric->min * scale, 9);
		json_real(out, "max", metric->max * scale, 9);
		return;
	}
	if (member->type == OTF2_TYPE_DOUBLE)
		json_real(out, "sum", metric->real * scale, 17);
	else if (member->exponent == 0)
		fprintf(out, ", \"sum\": %" PRId64, metric->integer);
	else
		json_real(out, "sum", (double)metric->integer * scale, 17);
}

static void json_metrics(const struct measure_profile *profile, FILE *out)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;

	fprintf(out, ",\n\"metrics\": [");
	for (size_t i = 0; i < profile->nr_metrics; i++) {
		const struct measure_profile_metric *metric = &profile->metrics[i];
		const struct measure_metric_member *member =
			&definitions->metric_members[metric->member];

		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_string(out, "name", measure_text(definitions, member->name));
		fprintf(out, ", ");
		json_string(out, "unit", measure_text(definitions, member->unit));
		json_number(out, "path", metric->path);
		fprintf(out, ", ");
		json_string(
			out, "location", measure_name_of_location(definitions, metric->location));
		json_number(out, "values", metric->count);
		json_metric_value(member, metric, out);
		fprintf(out, ", \"is_spread\": %s}", metric->is_spread ? "true" : "false");
	}
	fputc(']', out);
}

void measure_profile_print_json(const struct measure_profile *profile, FILE *out)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	const uint64_t span = profile->last > profile->first ? profile->last - profile->first : 0;

	fprintf(out, "{\"schema\": %d", MEASURE_PROFILE_SCHEMA);
	fprintf(out, ", ");
	json_string(out, "archive", measure_trace_name(profile->trace));
	fprintf(out, ", ");
	json_string(out, "creator", profile->trace->creator ? profile->trace->creator : "");
	json_number(out, "time_ns", measure_profile_ns(profile, span));
	json_number(out, "events", profile->nr_events);
	json_number(out, "nr_processes", definitions->nr_processes);
	json_number(out, "nr_locations", profile->nr_locations);
	json_number(out, "unreadable_locations", profile->nr_broken);
	json_number(out, "unopened_leaves", profile->faults.unopened);
	json_number(out, "repaired_regions", profile->faults.repaired);
	json_number(out, "open_regions", profile->faults.cut);
	json_number(out, "backward_events", profile->faults.backward);
	json_number(out, "tasks_created", profile->nr_tasks_created);
	json_number(out, "tasks_completed", profile->nr_tasks_completed);
	json_regions(profile, out);
	json_paths(profile, out);
	json_places(profile, MEASURE_BY_PROCESS, "processes", out);
	json_places(profile, MEASURE_BY_LOCATION, "locations", out);
	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		if (name != MEASURE_TABLE_VALUES)
			json_table(profile, name, out);
	json_samples(profile, out);
	json_metrics(profile, out);
	fprintf(out, "\n}\n");
}

/* ------------------------------------------------------------------- folded stacks --- */

void measure_print_folded_name(const char *name, FILE *out)
{
	while (*name) {
		const size_t length = measure_utf8_length(name);

		if (length == 0)
			fputs("\xef\xbf\xbd", out); /* U+FFFD */
		else if (length == 1)
			fputc(*name == ';' ? ':' : *name == '\n' ? ' ' : *name, out);
		else
			fwrite(name, 1, length, out);
		name += length ? length : 1;
	}
}

static void print_stack(const struct measure_profile *profile, const uint32_t *stack, size_t nr,
	uint64_t exclusive, FILE *out)
{
	for (size_t i = nr; i-- > 0;) {
		measure_print_folded_name(
			measure_profile_region_name(profile, profile->paths[stack[i]].region), out);
		if (i > 0)
			fputc(';', out);
	}
	fprintf(out, " %" PRIu64 "\n", measure_profile_ns(profile, exclusive));
}

void measure_profile_print_folded(const struct measure_profile *profile, FILE *out)
{
	uint64_t *exclusive = measure_profile_exclusive(profile);
	uint32_t *stack = measure_zeroed(profile->nr_paths, sizeof(*stack));

	for (uint32_t i = 0; i < profile->nr_paths; i++) {
		size_t nr = 0;

		if (exclusive[i] == 0 || profile->paths[i].region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		for (uint32_t at = i; at != MEASURE_NONE && (at != 0 || i == 0);
			at = profile->paths[at].parent)
			stack[nr++] = at;
		print_stack(profile, stack, nr, exclusive[i], out);
	}
	measure_free(exclusive);
	measure_free(stack);
}

/* --------------------------------------------------------------------------- views --- */

static bool has_groups(const struct measure_view *view)
{
	return view->by == MEASURE_BY_PROCESS || view->by == MEASURE_BY_LOCATION ||
	       view->by == MEASURE_BY_PHASE;
}

#define VIEW_COLUMNS       15
#define VIEW_COLUMNS_WAITS 4 /* the last ones: where the profile has them */

static const char *const view_titles[VIEW_COLUMNS] = {"visits", "inclusive_ns", "exclusive_ns",
	"calls", "min_ns", "mean_ns", "max_ns", "p50_ns", "p90_ns", "p99_ns", "most_exclusive_ns",
#define PATH_WAITS(name, word) word,
	MEASURE_PATH_WAITS(PATH_WAITS)
#undef PATH_WAITS
};

static size_t nr_view_columns(const struct measure_view *view)
{
	return view->profile->waits && !has_groups(view) ? VIEW_COLUMNS
							 : VIEW_COLUMNS - VIEW_COLUMNS_WAITS;
}

static void view_values(const struct measure_view *view, const struct measure_view_row *row,
	uint64_t values[VIEW_COLUMNS])
{
	const uint64_t ticks[] = {row->inclusive, row->exclusive, row->complete ? row->min : 0,
		row->complete ? row->complete_ticks / row->complete : 0, row->max,
		measure_view_quantile(row, 0.5), measure_view_quantile(row, 0.9),
		measure_view_quantile(row, 0.99), row->most_exclusive,
#define PATH_WAITS(name, word) row->waits.name,
		MEASURE_PATH_WAITS(PATH_WAITS)
#undef PATH_WAITS
	};

	values[0] = row->visits;
	values[3] = row->complete;
	for (size_t i = 0; i < 2; i++)
		values[1 + i] = measure_profile_ns(view->profile, ticks[i]);
	for (size_t i = 2; i < sizeof(ticks) / sizeof(*ticks); i++)
		values[2 + i] = measure_profile_ns(view->profile, ticks[i]);
}

void measure_view_print_csv(const struct measure_view *view, FILE *out)
{
	uint64_t values[VIEW_COLUMNS];
	char name[MEASURE_REPORT_NAME];

	fprintf(out, "%s", measure_view_words[view->by]);
	for (size_t i = 0; i < nr_view_columns(view); i++)
		fprintf(out, ",%s", view_titles[i]);
	for (int group = 0; has_groups(view) && group < MEASURE_NR_GROUPS; group++)
		fprintf(out, ",%s_ns", measure_group_words[group]);
	fputc('\n', out);
	for (size_t r = 0; r < view->nr_rows; r++) {
		const struct measure_view_row *row = &view->rows[r];

		measure_print_csv_text(measure_view_name(view, row, name, sizeof(name)), out);
		view_values(view, row, values);
		for (size_t i = 0; i < nr_view_columns(view); i++)
			fprintf(out, ",%" PRIu64, values[i]);
		for (int group = 0; has_groups(view) && group < MEASURE_NR_GROUPS; group++)
			fprintf(out, ",%" PRIu64,
				measure_profile_ns(view->profile, row->groups[group]));
		fputc('\n', out);
	}
}

void measure_print_xml_text(const char *text, FILE *out)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
		}
}

void measure_view_print_html(const struct measure_view *view, FILE *out)
{
	uint64_t values[VIEW_COLUMNS];
	char name[MEASURE_REPORT_NAME];

	fprintf(out, "<table class=\"measure-profile\">\n<thead><tr><th>%s</th>",
		measure_view_words[view->by]);
	for (size_t i = 0; i < nr_view_columns(view); i++)
		fprintf(out, "<th>%s</th>", view_titles[i]);
	for (int group = 0; has_groups(view) && group < MEASURE_NR_GROUPS; group++)
		fprintf(out, "<th>%s_ns</th>", measure_group_words[group]);
	fprintf(out, "</tr></thead>\n<tbody>\n");
	for (size_t r = 0; r < view->nr_rows; r++) {
		const struct measure_view_row *row = &view->rows[r];

		fprintf(out, "<tr><td>");
		measure_print_xml_text(measure_view_name(view, row, name, sizeof(name)), out);
		fprintf(out, "</td>");
		view_values(view, row, values);
		for (size_t i = 0; i < nr_view_columns(view); i++)
			fprintf(out, "<td>%" PRIu64 "</td>", values[i]);
		for (int group = 0; has_groups(view) && group < MEASURE_NR_GROUPS; group++)
			fprintf(out, "<td>%" PRIu64 "</td>",
				measure_profile_ns(view->profile, row->groups[group]));
		fprintf(out, "</tr>\n");
	}
	fprintf(out, "</tbody>\n</table>\n");
}
