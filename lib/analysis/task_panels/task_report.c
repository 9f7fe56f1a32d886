/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text, of 80 columns, and the JSON of measure-analyze --tasks; see task_report.h. */
#include "config.h"

#include "task_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/profile_report.h"
#include "analysis/waits/waits_report.h"
#include "base/figures.h"
#include "base/printable.h"
#include "cli/json_text.h"

#define COLUMNS MEASURE_REPORT_COLUMNS

static double report_seconds(const struct measure_task_view *view, double ticks)
{
	return ticks / (double)view->trace->definitions.clock.resolution;
}

static const char *report_time(
	const struct measure_task_view *view, double ticks, char text[MEASURE_FIGURE_TEXT])
{
	return measure_figure_seconds(report_seconds(view, ticks), text);
}

static uint64_t count_outliers(const struct measure_task_view *view, size_t group)
{
	const struct measure_tasks *tasks = view->tasks;
	uint64_t nr = 0;

	for (size_t i = 0; i < tasks->nr_tasks; i++)
		nr += view->is_outlier[i] &&
		      measure_task_view_type(view, i) == group / tasks->nr_classes &&
		      tasks->workers[tasks->tasks[i].worker].class == group % tasks->nr_classes;
	return nr;
}

/* -------------------------------------------------------------------------- groups --- */

/* Tasks of a type on a class. */
struct report_group {
	size_t index; /* type * nr_classes + class */
	double time;  /* ticks of all */
};

static int compare_groups(const void *left, const void *right)
{
	const struct report_group *a = left, *b = right;

	if (a->time < b->time || a->time > b->time)
		return a->time < b->time ? 1 : -1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Those that have been executed, the longest first; to be freed by measure_free(). */
static struct report_group *report_groups_make(const struct measure_task_view *view, size_t *nr)
{
	const size_t nr_groups = view->nr_types * view->tasks->nr_classes;
	struct report_group *groups = measure_zeroed(nr_groups, sizeof(*groups));

	*nr = 0;
	for (size_t i = 0; i < nr_groups; i++)
		if (view->durations[i].nr > 0)
			groups[(*nr)++] = (struct report_group){
				i, view->durations[i].mean * (double)view->durations[i].nr};
	if (*nr > 1)
		qsort(groups, *nr, sizeof(*groups), compare_groups);
	return groups;
}

static void print_group(
	const struct measure_task_view *view, const struct report_group *group, FILE *out)
{
	const struct measure_duration_statistics *durations = &view->durations[group->index];
	const size_t type = group->index / view->tasks->nr_classes;
	const char *class = view->tasks->classes[group->index % view->tasks->nr_classes].name;
	char all[MEASURE_FIGURE_TEXT], mean[MEASURE_FIGURE_TEXT], median[MEASURE_FIGURE_TEXT];
	const int printed = fprintf(out, "%8s %9s %8s %8s", report_time(view, group->time, all),
		measure_figure(durations->nr), report_time(view, durations->mean, mean),
		report_time(view, durations->median, median));

	if (measure_task_view_type_is_application(view, type))
		fprintf(out, " %8s  ", measure_figure(count_outliers(view, group->index)));
	else
		fprintf(out, " %8s  ", "-");
	measure_report_functions(out, measure_task_view_type_name(view, type),
		COLUMNS - printed - 13 - (int)strlen(MEASURE_PRINTABLE(class)));
	fprintf(out, ", %s\n", MEASURE_PRINTABLE(class));
}

static void print_groups(const struct measure_task_view *view, size_t nr_most, FILE *out)
{
	size_t nr;
	struct report_group *groups = report_groups_make(view, &nr);
	const size_t shown = nr_most > 0 && nr > nr_most ? nr_most : nr;

	fputs("\n    time     tasks     mean   median outliers  type, class of workers\n", out);
	for (size_t i = 0; i < shown; i++)
		print_group(view, &groups[i], out);
	if (shown < nr)
		fprintf(out, "(%s more: --top 0 shows all)\n", measure_figure(nr - shown));
	measure_free(groups);
}

/* -------------------------------------------------------------------------- bounds --- */

static void print_bound(const struct measure_task_view *view, const char *name, double ticks,
	double makespan, const char *meaning, FILE *out)
{
	char text[MEASURE_FIGURE_TEXT];

	if (isnan(ticks))
		fprintf(out, "%-28s  unknown          %s\n", name, "built without lp_solve");
	else
		fprintf(out, "%-28s %8s %5.1f %%  %s\n", name, report_time(view, ticks, text),
			makespan > 0 ? 100 * ticks / makespan : 0, meaning);
}

static void print_bounds(const struct measure_task_view *view, FILE *out)
{
	struct measure_task_bounds bounds;
	double makespan;

	measure_task_bounds_find(view, MEASURE_NONE, &bounds);
	makespan = (double)bounds.makespan;
	fputs("\nhow short the run could be\n", out);
	print_bound(view, "makespan", makespan, makespan, "as observed", out);
	print_bound(view, "area bound", bounds.area, makespan, "all workers always busy", out);
	print_bound(view, "critical path", (double)bounds.critical_path, makespan,
		"longest chain, as observed", out);
	print_bound(view, "  each on its fastest class", (double)bounds.fastest_path, makespan,
		"mean of the type there", out);
	if (view->tasks->nr_hops == 0)
		return;
	print_bound(view, "critical path, messages", (double)bounds.critical_path_messages,
		makespan, "with the time of messages", out);
	print_bound(view, "  each on its fastest class", (double)bounds.fastest_path_messages,
		makespan, "mean of the type there", out);
}

/* -------------------------------------------------------------------- expectations --- */

#define INDENT 8

/* Breaks lines at blanks. */
static void print_wrapped(const char *text, int column, FILE *out)
{
	while (*text != '\0') {
		const size_t word = strcspn(text, " ");

		if (column > INDENT && column + 1 + (int)word > COLUMNS) {
			fprintf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (column > INDENT) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, word, out);
		column += (int)word;
		text += word + strspn(text + word, " ");
	}
	fputc('\n', out);
}

static void print_expectations(const struct measure_task_view *view, FILE *out)
{
	struct measure_expectation expectations[MEASURE_NR_EXPECTATIONS];
	char begin[64];

	measure_expectations_check(view, expectations);
	fputs("\nwhat is expected of a run\n", out);
	for (int i = 0; i < MEASURE_NR_EXPECTATIONS; i++) {
		const struct measure_expectation *expectation = &expectations[i];

		snprintf(begin, sizeof(begin), "%-7s %s:",
			!expectation->is_known ? "unknown"
			: expectation->is_met  ? "yes"
					       : "NO",
			expectation->name);
		fputs(begin, out);
		print_wrapped(expectation->text, (int)strlen(begin), out);
	}
}

/* ------------------------------------------------------------------------- troubles --- */

static void print_trouble(uint64_t nr, const char *text, bool *has_title, FILE *out)
{
	if (nr == 0)
		return;
	if (!*has_title)
		fputs("\nnot known\n", out);
	*has_title = true;
	fprintf(out, "  %s x %s\n", measure_figure(nr), text);
}

static void print_troubles(const struct measure_tasks *tasks, FILE *out)
{
	const struct measure_task_troubles *troubles = &tasks->troubles;
	bool has_title = false;

	print_trouble(troubles->nr_uncreated, "task without a creation", &has_title, out);
	print_trouble(troubles->nr_unfinished, "task that does not end", &has_title, out);
	print_trouble(troubles->nr_twice, "task created or ended twice", &has_title, out);
	print_trouble(
		troubles->nr_unknown, "dependence on a task that is not there", &has_title, out);
	print_trouble(troubles->nr_cyclic, "dependence of a task on itself, by way of others",
		&has_title, out);
	print_trouble(troubles->nr_unmatched, "send or receive without a partner", &has_title, out);
	print_trouble(
		troubles->nr_broken, "location that cannot be read to its end", &has_title, out);
	print_trouble(measure_tasks_count_reversed(tasks), "message that arrives before it is sent",
		&has_title, out);
}

/* ----------------------------------------------------------------------------- text --- */

static uint64_t count_executed(const struct measure_task_view *view)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < view->tasks->nr_tasks; i++)
		nr += measure_task_view_is_useful(view, i);
	return nr;
}

static void print_head(const struct measure_task_view *view, FILE *out)
{
	const struct measure_tasks *tasks = view->tasks;

	fprintf(out, "%s\n%s tasks, %s of the application executed, %s process%s; workers:",
		MEASURE_PRINTABLE(view->trace->anchor),
		measure_figure(tasks->nr_tasks - tasks->nr_joins),
		measure_figure(count_executed(view)), measure_figure(view->nr_processes),
		view->nr_processes == 1 ? "" : "es");
	for (size_t i = 0; i < tasks->nr_classes; i++)
		fprintf(out, "%s %s %s", i > 0 ? "," : "",
			measure_figure(tasks->classes[i].nr_workers),
			MEASURE_PRINTABLE(tasks->classes[i].name));
	fputc('\n', out);
	if (view->nr_corrected > 0)
		fprintf(out,
			"clocks: %s %s arrived before %s sent; times are corrected, as by "
			"measure-sync\n",
			measure_figure(view->nr_corrected),
			view->nr_corrected == 1 ? "message" : "messages",
			view->nr_corrected == 1 ? "it was" : "they were");
}

void measure_task_report_print_text(const struct measure_task_view *view, size_t nr_most, FILE *out)
{
	print_head(view, out);
	if (count_executed(view) > 0) {
		print_groups(view, nr_most, out);
		print_bounds(view, out);
		print_expectations(view, out);
	}
	print_troubles(view->tasks, out);
}

/* ----------------------------------------------------------------------------- JSON --- */

static void json_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\": ", name);
	measure_json_text(out, text);
}

static void json_ns(const struct measure_task_view *view, FILE *out, const char *name, double ticks)
{
	if (isnan(ticks))
		fprintf(out, ", \"%s\": null", name);
	else
		fprintf(out, ", \"%s\": %.17g", name, 1e9 * report_seconds(view, ticks));
}

static void json_number(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ", \"%s\": %" PRIu64, name, value);
}

static void json_groups(const struct measure_task_view *view, FILE *out)
{
	size_t nr;
	struct report_group *groups = report_groups_make(view, &nr);

	fputs(",\n\"types\": [", out);
	for (size_t i = 0; i < nr; i++) {
		const size_t type = groups[i].index / view->tasks->nr_classes;
		const size_t class = groups[i].index % view->tasks->nr_classes;
		const struct measure_duration_statistics *durations =
			&view->durations[groups[i].index];

		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "type", measure_task_view_type_name(view, type));
		fputs(", ", out);
		json_text(out, "class", view->tasks->classes[class].name);
		fprintf(out, ", \"application\": %s",
			measure_task_view_type_is_application(view, type) ? "true" : "false");
		json_number(out, "tasks", durations->nr);
		json_number(out, "outliers", count_outliers(view, groups[i].index));
		json_ns(view, out, "time_ns", groups[i].time);
		json_ns(view, out, "mean_ns", durations->mean);
		json_ns(view, out, "deviation_ns", durations->deviation);
		json_ns(view, out, "min_ns", durations->least);
		json_ns(view, out, "lower_quartile_ns", durations->quartile);
		json_ns(view, out, "median_ns", durations->median);
		json_ns(view, out, "upper_quartile_ns", durations->upper_quartile);
		json_ns(view, out, "max_ns", durations->most);
		json_ns(view, out, "outlier_above_ns", durations->fence);
		fputc('}', out);
	}
	fputc(']', out);
	measure_free(groups);
}

static void json_bound(
	const struct measure_task_view *view, uint32_t process, bool is_first, FILE *out)
{
	const struct measure_definitions *definitions = &view->trace->definitions;
	struct measure_task_bounds bounds;

	measure_task_bounds_find(view, process, &bounds);
	fprintf(out, "%s\n {\"process\": ", is_first ? "" : ",");
	if (process == MEASURE_NONE)
		fputs("null", out);
	else
		measure_json_text(
			out, measure_text(definitions, definitions->location_groups[process].name));
	json_ns(view, out, "makespan_ns", (double)bounds.makespan);
	json_ns(view, out, "area_bound_ns", bounds.area);
	json_ns(view, out, "critical_path_ns", (double)bounds.critical_path);
	json_ns(view, out, "fastest_critical_path_ns", (double)bounds.fastest_path);
	json_ns(view, out, "critical_path_with_messages_ns", (double)bounds.critical_path_messages);
	json_ns(view, out, "fastest_critical_path_with_messages_ns",
		(double)bounds.fastest_path_messages);
	fputc('}', out);
}

static void json_expectations(const struct measure_task_view *view, FILE *out)
{
	struct measure_expectation expectations[MEASURE_NR_EXPECTATIONS];

	measure_expectations_check(view, expectations);
	fputs(",\n\"expectations\": [", out);
	for (int i = 0; i < MEASURE_NR_EXPECTATIONS; i++) {
		fprintf(out, "%s\n {", i > 0 ? "," : "");
		json_text(out, "name", expectations[i].name);
		fprintf(out, ", \"passed\": %s",
			!expectations[i].is_known ? "null"
			: expectations[i].is_met  ? "true"
						  : "false");
		if (expectations[i].is_known)
			fprintf(out, ", \"value\": %.17g, ", expectations[i].value);
		else
			fputs(", \"value\": null, ", out);
		json_text(out, "text", expectations[i].text);
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_troubles(const struct measure_task_view *view, FILE *out)
{
	const struct measure_tasks *tasks = view->tasks;
	const struct measure_task_troubles *troubles = &tasks->troubles;

	fprintf(out, ",\n\"unknown\": {\"unreadable_locations\": %" PRIu32, troubles->nr_broken);
	json_number(out, "without_creation", troubles->nr_uncreated);
	json_number(out, "without_end", troubles->nr_unfinished);
	json_number(out, "twice", troubles->nr_twice);
	json_number(out, "unknown_dependences", troubles->nr_unknown);
	json_number(out, "cyclic_dependences", troubles->nr_cyclic);
	json_number(out, "unmatched_messages", troubles->nr_unmatched);
	json_number(out, "reversed_messages_as_recorded",
		view->nr_corrected > 0 ? view->nr_corrected : measure_tasks_count_reversed(tasks));
	json_number(out, "reversed_messages", measure_tasks_count_reversed(tasks));
	fputc('}', out);
}

static void json_classes(const struct measure_tasks *tasks, FILE *out)
{
	fputs(",\n\"classes\": [", out);
	for (size_t i = 0; i < tasks->nr_classes; i++) {
		fprintf(out, "%s{", i > 0 ? ", " : "");
		json_text(out, "class", tasks->classes[i].name);
		json_number(out, "workers", tasks->classes[i].nr_workers);
		fputc('}', out);
	}
	fputc(']', out);
}

void measure_task_report_print_json(const struct measure_task_view *view, FILE *out)
{
	const struct measure_tasks *tasks = view->tasks;
	const bool has_executed = count_executed(view) > 0;

	fprintf(out, "{\"schema\": %d, ", MEASURE_WAITS_SCHEMA);
	json_text(out, "archive", view->trace->anchor);
	fprintf(out, ",\n\"tasks\": {\"number\": %" PRIu64,
		(uint64_t)(tasks->nr_tasks - tasks->nr_joins));
	json_number(out, "executed", count_executed(view));
	json_ns(view, out, "from_ns", has_executed ? (double)view->zero : NAN);
	json_ns(view, out, "until_ns", has_executed ? (double)view->end : NAN);
	json_classes(tasks, out);
	json_groups(view, out);
	fputs(",\n\"bounds\": [", out);
	if (has_executed) {
		json_bound(view, MEASURE_NONE, true, out);
		for (uint32_t i = 0; i < view->nr_processes; i++)
			json_bound(view, view->processes[i], false, out);
	}
	fputc(']', out);
	if (has_executed)
		json_expectations(view, out);
	else
		fputs(",\n\"expectations\": []", out);
	json_troubles(view, out);
	fputs("}}\n", out);
}
