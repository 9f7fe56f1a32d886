/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The object of tasks in the header, and the blocks of panels: numbers and boxes. */
#include "config.h"

#include "page_tasks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/task_panels/task_summary.h"
#include "cli/json_text.h"

/* Room that one panel may have, per cent; and characters of its numbers, about. */
#define PANEL_SHARE      6
#define VALUE_CHARACTERS 3
#define BOX_CHARACTERS   8
#define NAME_TEXT        512
#define THOUSANDTHS      1000

static const struct measure_task_panel *panel_of(
	const struct measure_page_run *run, enum measure_task_panel_id id)
{
	return &run->tasks->panels[id];
}

bool measure_page_has_panel(const struct measure_page_run *run, enum measure_task_panel_id id)
{
	const struct measure_task_panel *panel = panel_of(run, id);
	const size_t nr_values = panel->values ? panel->nr_groups * panel->nr_columns : 0;

	if (!measure_report_panel_has_content(panel))
		return false;
	if (measure_page_panel_is_of_tasks(id))
		return true;
	return nr_values <= measure_page_most(run, PANEL_SHARE, VALUE_CHARACTERS) &&
	       panel->nr_boxes <= measure_page_most(run, PANEL_SHARE, BOX_CHARACTERS);
}

/* ------------------------------------------------------------------------- blocks --- */

void measure_page_write_series(struct measure_page_run *run)
{
	struct measure_page_block *block;

	if (!run->tasks)
		return;
	block = measure_page_open(run->page, run->number, "series");
	for (int id = 0; id < MEASURE_NR_TASK_PANELS; id++) {
		const struct measure_task_panel *panel =
			panel_of(run, (enum measure_task_panel_id)id);
		const size_t nr = panel->values ? panel->nr_columns : 0;

		if (!measure_page_has_panel(run, (enum measure_task_panel_id)id) ||
			measure_page_panel_is_of_tasks((enum measure_task_panel_id)id))
			continue;
		for (size_t i = 0; i < panel->nr_groups; i++) {
			measure_page_block_number(block, nr);
			for (size_t j = 0; j < nr; j++)
				measure_page_block_real(block, panel->values[i * nr + j]);
		}
	}
	measure_page_close(run->page);
	run->shares[MEASURE_PAGE_SERIES].is_there = true;
}

static void write_panel_boxes(struct measure_page_run *run, struct measure_page_block *block,
	const struct measure_task_panel *panel)
{
	uint64_t before = 0;
	uint32_t group = 0;

	measure_page_block_number(block, panel->nr_boxes);
	for (size_t i = 0; i < panel->nr_boxes; i++) {
		const struct measure_task_box *box = &panel->boxes[i];
		const uint64_t start = measure_page_task_time(run, box->start),
			       end = measure_page_task_time(run, box->end);

		measure_page_block_number(block, box->group - group);
		measure_page_block_signed(block, (int64_t)(start - before));
		measure_page_block_number(block, end - start);
		measure_page_block_number(block, box->what == MEASURE_NONE ? 0 : box->what);
		measure_page_block_number(
			block, (uint64_t)lround(THOUSANDTHS * (double)box->share));
		before = start;
		group = box->group;
	}
}

static bool panel_has_boxes(enum measure_task_panel_id id)
{
	return measure_task_panel_infos[id].kind == MEASURE_PANEL_GANTT &&
	       !measure_page_panel_is_of_tasks(id);
}

void measure_page_write_boxes(struct measure_page_run *run)
{
	struct measure_page_block *block;

	if (!run->tasks)
		return;
	block = measure_page_open(run->page, run->number, "boxes");
	for (int id = 0; id < MEASURE_NR_TASK_PANELS; id++)
		if (panel_has_boxes((enum measure_task_panel_id)id) &&
			measure_page_has_panel(run, (enum measure_task_panel_id)id))
			write_panel_boxes(run, block, &run->tasks->panels[id]);
	measure_page_close(run->page);
	run->shares[MEASURE_PAGE_BOXES].is_there = true;
}

/* -------------------------------------------------------------------------- panels --- */

static void print_words(FILE *out, const char *name, const char *words)
{
	fprintf(out, ", \"%s\": [", name);
	for (const char *at = words; *at;) {
		const size_t length = strcspn(at, " ");

		fprintf(out, "%s\"%.*s\"", at > words ? ", " : "", (int)length, at);
		at += length + (at[length] == ' ');
	}
	fputc(']', out);
}

static void print_groups(
	const struct measure_page_run *run, const struct measure_task_panel *panel, FILE *out)
{
	fputs(", \"groups\": [", out);
	for (size_t i = 0; i < panel->nr_groups && !measure_page_panel_is_of_tasks(panel->id);
		i++) {
		fputs(i > 0 ? ", " : "", out);
		measure_json_text(out, measure_report_layer_name(run->tasks, panel, i));
	}
	fputc(']', out);
}

static uint32_t count_rows(const struct measure_task_panel *panel)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < panel->nr_groups; i++)
		if (panel->groups[i].row >= nr)
			nr = panel->groups[i].row + 1;
	return nr;
}

static void print_rows(
	const struct measure_page_run *run, const struct measure_task_panel *panel, FILE *out)
{
	const uint32_t nr = count_rows(panel);
	char text[NAME_TEXT];

	fputs(", \"rowOf\": [", out);
	for (size_t i = 0; i < panel->nr_groups; i++)
		fprintf(out, "%s%" PRIu32, i > 0 ? ", " : "", panel->groups[i].row);
	fputs("], \"rows\": [", out);
	for (uint32_t row = 0; row < nr; row++) {
		fputs(row > 0 ? ", " : "", out);
		measure_json_text(
			out, measure_report_row_name(run->tasks, panel, row, text, sizeof(text)));
	}
	fputc(']', out);
}

static void print_box_words(
	const struct measure_page_run *run, const struct measure_task_panel *panel, FILE *out)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < panel->nr_boxes; i++)
		if (panel->boxes[i].what != MEASURE_NONE && panel->boxes[i].what >= nr)
			nr = panel->boxes[i].what + 1;
	fputs(", \"words\": [", out);
	for (uint32_t what = 0; what < nr; what++) {
		char text[NAME_TEXT];
		const char *word =
			measure_report_box_word(run->tasks, panel->id, what, text, sizeof(text));

		fputs(what > 0 ? ", " : "", out);
		measure_json_text(out, word ? word : "");
	}
	fputc(']', out);
}

static void print_columns(const struct measure_task_panel *panel, FILE *out)
{
	fputs(", \"columns\": [", out);
	for (size_t i = 0; i < panel->nr_columns; i++) {
		fputs(i > 0 ? ", " : "", out);
		measure_json_text(out, panel->columns[i]);
	}
	fputc(']', out);
}

static void print_panel(
	const struct measure_page_run *run, enum measure_task_panel_id id, FILE *out)
{
	static const char *const kinds[] = {[MEASURE_PANEL_LINE] = "line",
		[MEASURE_PANEL_AREA] = "area",
		[MEASURE_PANEL_HEAT] = "heat",
		[MEASURE_PANEL_GANTT] = "gantt",
		[MEASURE_PANEL_BARS] = "bars"};
	const struct measure_task_panel_info *info = &measure_task_panel_infos[id];
	const struct measure_task_panel *panel = panel_of(run, id);

	fprintf(out, "{\"id\": \"%s\", \"title\": \"%s\", \"unit\": \"%s\", \"kind\": \"%s\"",
		info->id, info->title, info->unit, kinds[info->kind]);
	print_words(out, "aliases", info->starvz);
	fprintf(out, ", \"step\": %.17g",
		ldexp((double)panel->slices.step, -(int)run->pyramid.shift));
	print_groups(run, panel, out);
	if (info->kind == MEASURE_PANEL_AREA)
		print_rows(run, panel, out);
	if (info->kind == MEASURE_PANEL_BARS)
		print_columns(panel, out);
	if (panel_has_boxes(id))
		print_box_words(run, panel, out);
	fputc('}', out);
}

static void print_panels(const struct measure_page_run *run, FILE *out)
{
	bool is_first = true;

	fputs(",\n\"panels\": [", out);
	for (int id = 0; id < MEASURE_NR_TASK_PANELS; id++) {
		if (!measure_page_has_panel(run, (enum measure_task_panel_id)id))
			continue;
		fputs(is_first ? "\n " : ",\n ", out);
		print_panel(run, (enum measure_task_panel_id)id, out);
		is_first = false;
	}
	fputs("]", out);
}

static void print_choice(const struct measure_panel_choice *choice, FILE *out)
{
	fputs(",\n\"chosen\": ", out);
	if (!choice || choice->nr == 0) {
		fputs("null", out);
		return;
	}
	for (size_t i = 0; i < choice->nr; i++)
		fprintf(out, "%s\"%s\"", i > 0 ? ", " : "[",
			measure_task_panel_infos[choice->ids[i]].id);
	fputc(']', out);
}

/* ------------------------------------------------------------- what the tasks are --- */

static void print_types(const struct measure_task_view *view, FILE *out)
{
	fputs("\"types\": [", out);
	for (size_t i = 0; i < view->nr_types; i++) {
		fputs(i > 0 ? ",\n {\"name\": " : "\n {\"name\": ", out);
		measure_json_text(out, measure_task_view_type_name(view, i));
		fprintf(out, ", \"application\": %s}",
			measure_task_view_type_is_application(view, i) ? "true" : "false");
	}
	fputs("]", out);
}

static void print_classes(const struct measure_report_tasks *tasks, FILE *out)
{
	fputs(",\n\"classes\": [", out);
	for (uint32_t i = 0; i < tasks->tasks.nr_classes; i++) {
		fputs(i > 0 ? ", {\"name\": " : "{\"name\": ", out);
		measure_json_text(out, tasks->tasks.classes[i].name);
		fprintf(out, ", \"accelerator\": %s}",
			measure_report_is_accelerator(tasks, i) ? "true" : "false");
	}
	fputs("]", out);
}

/* A number, or null. */
static void print_row(FILE *out, const char *name, uint32_t row)
{
	fprintf(out, ", \"%s\": ", name);
	if (row == MEASURE_NONE)
		fputs("null", out);
	else
		fprintf(out, "%" PRIu32, row);
}

static void print_real(FILE *out, const char *name, double value)
{
	fprintf(out, ", \"%s\": ", name);
	if (isfinite(value))
		fprintf(out, "%.6g", value);
	else
		fputs("null", out);
}

static void print_workers(const struct measure_page_run *run, FILE *out)
{
	const struct measure_tasks *tasks = &run->tasks->tasks;
	const struct measure_definitions *definitions = &run->trace->definitions;

	fputs(",\n\"workers\": [", out);
	for (uint32_t i = 0; i < tasks->nr_workers; i++) {
		const struct measure_worker *worker = &tasks->workers[i];
		const bool has_process = worker->process < definitions->nr_location_groups;

		fprintf(out, "%s{\"location\": %" PRIu32 ", \"class\": %" PRIu32,
			i > 0 ? ",\n " : "\n ", run->rows[worker->location], worker->class);
		print_row(out, "process",
			has_process ? run->process_rows[worker->process] : MEASURE_NONE);
		print_row(out, "host",
			worker->host == MEASURE_NONE ? MEASURE_NONE : run->host_rows[worker->host]);
		print_row(out, "memory_node", worker->memory_node);
		print_real(out, "idleness", measure_report_idleness(run->tasks, i));
		fputc('}', out);
	}
	fputs("]", out);
}

/* Seconds as ticks of the page. */
static double page_ticks(const struct measure_page_run *run, double seconds)
{
	return ldexp(seconds * (double)run->trace->definitions.clock.resolution,
		-(int)run->pyramid.shift);
}

static double shifted(const struct measure_page_run *run, uint64_t ticks)
{
	return ldexp((double)ticks, -(int)run->pyramid.shift);
}

static void print_bound(const struct measure_page_run *run, uint32_t process, FILE *out)
{
	const struct measure_report_bound bound = measure_report_bound_of(run->tasks, process);

	print_real(out, "abe", page_ticks(run, bound.area));
	print_real(out, "makespan", page_ticks(run, bound.makespan));
}

static void print_bounds(const struct measure_page_run *run, FILE *out)
{
	const struct measure_task_view *view = &run->tasks->view;

	fputs(",\n\"bounds\": [{\"scope\": \"all\"", out);
	print_bound(run, MEASURE_NONE, out);
	print_real(out, "critical_path", shifted(run, run->tasks->path.length));
	print_real(out, "critical_path_fastest", shifted(run, run->tasks->fastest));
	fputc('}', out);
	for (uint32_t i = 0; i < view->nr_processes && view->nr_processes > 1; i++) {
		fprintf(out, ",\n {\"scope\": %" PRIu32, run->process_rows[view->processes[i]]);
		print_bound(run, view->processes[i], out);
		fputc('}', out);
	}
	fputs("]", out);
}

/* Those of which the trace says whether they are met. */
static void print_expectations(const struct measure_task_view *view, FILE *out)
{
	struct measure_expectation expectations[MEASURE_NR_EXPECTATIONS];
	bool is_first = true;

	measure_expectations_check(view, expectations);
	fputs(",\n\"expectations\": [", out);
	for (int i = 0; i < MEASURE_NR_EXPECTATIONS; i++) {
		const struct measure_expectation *expectation = &expectations[i];

		if (!expectation->is_known)
			continue;
		fprintf(out, "%s{\"name\": \"%s\", \"passed\": %s, \"text\": ",
			is_first ? "\n " : ",\n ", expectation->name,
			expectation->is_met ? "true" : "false");
		measure_json_text(out, expectation->text);
		fputc('}', out);
		is_first = false;
	}
	fputs("]", out);
}

void measure_page_print_tasks(const struct measure_page_run *run, FILE *out)
{
	const struct measure_task_view *view;
	const struct measure_page_share *share = &run->shares[MEASURE_PAGE_TASKS];

	if (!run->tasks) {
		fputs("null", out);
		return;
	}
	view = &run->tasks->view;
	fputs("{\n", out);
	print_types(view, out);
	print_classes(run->tasks, out);
	print_workers(run, out);
	fprintf(out,
		",\n\"total\": %" PRIu64 ", \"shown\": %" PRIu64 ", \"window\": [%" PRIu64
		", %" PRIu64 "], \"step\": %.17g",
		share->total, share->shown, measure_page_task_time(run, view->zero),
		measure_page_task_time(run, view->end),
		shifted(run, panel_of(run, MEASURE_TASK_PANEL_READY)->slices.step));
	print_bounds(run, out);
	print_expectations(view, out);
	print_choice(run->tasks->choice, out);
	print_panels(run, out);
	fputs("}", out);
}
