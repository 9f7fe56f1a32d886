/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page: blocks and the object of each run as it comes, then all of it in one file, which takes
 * its name when it is complete. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/compare/comparison_report.h"
#include "base/figures.h"
#include "cli/cli.h"
#include "cli/json_text.h"
#include "cli/progress.h"
#include "report/page_run.h"
#include "report/page_template.h"
#include "report_outputs.h"
#include "trace/common/containers.h"

#define NEWS_TEXT 512

struct page_output {
	const struct report_options *options;
	char *path;   /* of the page */
	char *making; /* the same, until it is complete */
	char *template;
	struct measure_page page;
	FILE *out;
	/* by run: its object in the header, and its name */
	char *objects[REPORT_MOST_RUNS];
	char *names[REPORT_MOST_RUNS];
	struct measure_compared_frames frames;
	struct measure_compared_run compared[REPORT_MOST_RUNS];
	bool is_comparable;
	struct measure_page_text comparison;
	char cut[NEWS_TEXT]; /* what is not shown */
};

/* ----------------------------------------------------------------------------- files --- */

static bool find_template(struct page_output *output)
{
	char path[PATH_MAX];

	if (!measure_page_template_find(path)) {
		measure_cli_say("%s: not found: this build has no page; install Node.js and npm, "
				"and configure and build Measure again",
			path);
		return false;
	}
	output->template = measure_copy_text(path);
	return true;
}

/* Does not replace what may be something else. */
static bool choose_path(struct page_output *output)
{
	const char *given = output->options->output;
	char *name = report_name_of(output->options->inputs[0]);
	struct stat status;

	if (given)
		output->path = measure_copy_text(given);
	else if (asprintf(&output->path, "%s.html", name) < 0)
		measure_out_of_memory();
	measure_free(name);
	if (stat(output->path, &status) != 0 || measure_page_is_one(output->path))
		return true;
	measure_cli_say(
		"%s: exists already and is no report; choose a new name (-o)", output->path);
	return false;
}

/* Beside the page, so that it can be renamed. */
static bool open_making(struct page_output *output)
{
	int file;

	if (asprintf(&output->making, "%s.XXXXXX", output->path) < 0)
		measure_out_of_memory();
	file = mkstemp(output->making);
	output->out = file >= 0 ? fdopen(file, "w") : NULL;
	if (output->out)
		return true;
	measure_cli_say("%s: cannot create it: %s", output->path, strerror(errno));
	free(output->making);
	output->making = NULL;
	return false;
}

static bool open_data(struct page_output *output)
{
	char *directory = report_directory_of(output->path);
	const bool is_open = measure_page_start(&output->page, directory, output->options->size);

	if (!is_open)
		measure_cli_say("%s: cannot write there: %s", directory, strerror(errno));
	measure_free(directory);
	return is_open;
}

static bool page_start(const struct report_options *options, void **state)
{
	struct page_output *output = measure_zeroed(1, sizeof(*output));

	*state = output;
	output->options = options;
	output->is_comparable = options->nr_inputs > 1;
	return find_template(output) && choose_path(output) && open_making(output) &&
	       open_data(output);
}

/* ----------------------------------------------------------------------------- runs --- */

static void page_see(void *state, struct report_run *run)
{
	static const struct measure_renames no_renames = {NULL, 0};
	struct page_output *output = state;

	if (output->options->nr_inputs > 1 &&
		measure_compared_run_keep(&output->compared[run->number], &output->frames,
			&no_renames, &run->corrected.waits.profile,
			output->options->inputs[run->number]) != MEASURE_OK)
		output->is_comparable = false; /* which it has said; the runs are still shown */
}

/* "; shows 1,000 of 2,000 messages" */
static void note_shares(struct page_output *output, const struct measure_page_run *run)
{
	for (int i = 0; i < MEASURE_PAGE_NR_PARTS; i++) {
		const struct measure_page_share *share = &run->shares[i];
		const size_t length = strlen(output->cut);

		if (share->shown < share->total)
			snprintf(output->cut + length, sizeof(output->cut) - length,
				"%s%s of %s %s", *output->cut ? ", " : "; shows ",
				measure_figure(share->shown), measure_figure(share->total),
				measure_page_parts[i].what);
	}
	if (run->waits && !run->is_complete) {
		const size_t length = strlen(output->cut);
		char interval[MEASURE_FIGURE_TEXT];

		snprintf(output->cut + length, sizeof(output->cut) - length,
			"%s intervals of %s instead of single calls",
			*output->cut ? "," : "; shows",
			measure_figure_seconds(measure_page_finest_interval(run), interval));
	}
}

static void print_object(
	const struct measure_page_run *run, const char *name, char **text, size_t *size)
{
	FILE *memory = open_memstream(text, size);

	if (!memory)
		measure_out_of_memory();
	measure_page_run_print(run, name, memory);
	if (fclose(memory) != 0)
		measure_out_of_memory();
}

/* The template, and what the header says of this run, go off it. It is printed twice therefore. */
static uint64_t find_room(const struct page_output *output, const struct measure_page_run *run,
	const char *name, uint64_t before)
{
	const uint64_t all = output->options->size / output->options->nr_inputs;
	uint64_t used = output->page.size - before;
	struct stat status;
	size_t size = 0;
	char *text;

	print_object(run, name, &text, &size);
	free(text);
	used += size;
	if (stat(output->template, &status) == 0)
		used += (uint64_t)status.st_size / output->options->nr_inputs;
	return all > used ? all - used : 0;
}

static bool page_take(void *state, struct report_run *run)
{
	struct page_output *output = state;
	struct measure_page_run page_run = {.number = run->number,
		.nr_threads = output->options->nr_threads,
		.page = &output->page,
		.trace = run->trace,
		.waits = run->has_events ? &run->corrected.waits : NULL,
		.profile = &run->corrected.waits.profile,
		.efficiency = run->has_events ? &run->efficiency : NULL,
		.contacts = &run->contacts,
		.tasks = run->tasks};
	const uint64_t before = output->page.size;
	size_t size;

	page_run.room = output->options->size / output->options->nr_inputs;
	measure_progress_start("writing the page");
	measure_page_run_start(&page_run);
	page_run.room = find_room(output, &page_run, run->name, before);
	output->page.most = output->page.size + page_run.room;
	measure_page_run_write(&page_run);
	print_object(&page_run, run->name, &output->objects[run->number], &size);
	output->names[run->number] = measure_copy_text(run->name);
	note_shares(output, &page_run);
	measure_page_run_free(&page_run);
	measure_progress_end();
	if (!output->page.block.has_failed && !ferror(output->page.data))
		return true;
	measure_cli_say("%s: cannot write it: %s", output->path, strerror(errno));
	return false;
}

/* ----------------------------------------------------------------------------- header --- */

static void print_comparison(const void *data, FILE *out)
{
	const struct page_output *output = data;
	const struct measure_comparison_options how = {
		.threshold = MEASURE_USUAL_THRESHOLD, .fail_above = MEASURE_USUAL_THRESHOLD};
	const struct measure_compared_run *runs[REPORT_MOST_RUNS] = {
		&output->compared[0], &output->compared[1]};
	struct measure_alignment alignment;
	struct measure_comparison comparison;

	measure_alignment_make(&alignment, &output->frames, runs, 1, 1, false);
	measure_comparison_make(&comparison, &alignment, &how);
	measure_comparison_print_json(&comparison, out);
	measure_comparison_free(&comparison);
	measure_alignment_free(&alignment);
}

static void print_title(const struct page_output *output, FILE *header)
{
	char *title = NULL;

	if (output->options->title)
		measure_json_text(header, output->options->title);
	else if (output->options->nr_inputs == 1)
		measure_json_text(header, output->names[0]);
	else if (asprintf(&title, "%s and %s", output->names[0], output->names[1]) < 0)
		measure_out_of_memory();
	if (title)
		measure_json_text(header, title);
	free(title);
}

static void print_header(const struct page_output *output, FILE *header)
{
	fprintf(header, "{\"schema\": %d, \"measure\": \"%s\", \"title\": ", MEASURE_PAGE_SCHEMA,
		PACKAGE_VERSION);
	print_title(output, header);
	fputs(",\n\"runs\": [", header);
	for (size_t i = 0; i < output->options->nr_inputs; i++) {
		fputs(i > 0 ? ",\n" : "\n", header);
		fputs(output->objects[i], header);
	}
	fputs("],\n\"comparison\": ", header);
	measure_page_text_print(&output->comparison, header);
	fputs("}\n", header);
}

/* --------------------------------------------------------------------------- writing --- */

static bool write_page(struct page_output *output)
{
	enum measure_page_result result = MEASURE_PAGE_FAILED;
	FILE *template = fopen(output->template, "r");
	char *text = NULL;
	size_t size = 0;
	FILE *header = open_memstream(&text, &size);

	if (header) {
		print_header(output, header);
		fclose(header);
	}
	if (template && header)
		result = measure_page_write(&output->page, text, size, template, output->out);
	if (result == MEASURE_PAGE_NO_PLACE)
		measure_cli_say("%s: has no line for data: build Measure again", output->template);
	else if (result == MEASURE_PAGE_FAILED)
		measure_cli_say("%s: cannot write it: %s", output->path, strerror(errno));
	if (template)
		fclose(template);
	free(text);
	return result == MEASURE_PAGE_WRITTEN;
}

/* mkstemp() lets nobody else read it. */
static bool take_name(struct page_output *output)
{
	const mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fileno(output->out), 0666 & ~mask) == 0 &&
		rename(output->making, output->path) == 0)
		return true;
	measure_cli_say("%s: cannot write it: %s", output->path, strerror(errno));
	return false;
}

static bool page_finish(void *state)
{
	struct page_output *output = state;
	const struct measure_page_printer printer = {print_comparison, output};
	char text[MEASURE_FIGURE_TEXT];
	struct stat status;

	if (output->is_comparable)
		measure_page_text_make(
			&output->comparison, &output->page, 0, "comparison", &printer);
	if (!write_page(output) || !take_name(output))
		return false;
	free(output->making);
	output->making = NULL;
	if (fstat(fileno(output->out), &status) != 0)
		status.st_size = 0;
	printf("%s: %s%s\n", output->path, measure_figure_size((uint64_t)status.st_size, text),
		output->cut);
	return true;
}

static void page_end(void *state)
{
	struct page_output *output = state;

	if (output->making)
		unlink(output->making);
	free(output->making);
	if (output->out)
		fclose(output->out);
	measure_page_free(&output->page);
	for (int i = 0; i < REPORT_MOST_RUNS; i++) {
		free(output->objects[i]);
		measure_free(output->names[i]);
		measure_compared_run_free(&output->compared[i]);
	}
	measure_compared_frames_free(&output->frames);
	measure_page_text_free(&output->comparison);
	measure_free(output->template);
	free(output->path);
	measure_free(output);
}

const struct report_output report_page_output = {.is_wanted = report_options_want_page,
	.start = page_start,
	.see = page_see,
	.take = page_take,
	.finish = page_finish,
	.end = page_end};
