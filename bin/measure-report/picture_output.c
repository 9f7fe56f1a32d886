/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pictures of a run: the same one in each format that was asked for. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "picture_window.h"
#include "report_outputs.h"
#include "trace/common/containers.h"

struct picture_output {
	const struct picture_options *options;
	const struct measure_panel_choice *panels;
};

static bool picture_is_wanted(const struct report_options *options)
{
	return picture_options_are_wanted(&options->picture);
}

/* That it cannot be written is better known before a long time of reading. */
static bool picture_can_be_written(const char *path)
{
	char *directory = report_directory_of(path);
	const bool is_there = access(path, F_OK) == 0;
	struct stat status;
	bool is_possible = access(is_there ? path : directory, W_OK) == 0;

	if (is_possible && is_there && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		is_possible = false;
	}
	if (!is_possible)
		measure_cli_say("%s: cannot create it: %s", path, strerror(errno));
	measure_free(directory);
	return is_possible;
}

static bool picture_start(const struct report_options *options, void **state)
{
	struct picture_output *output = measure_zeroed(1, sizeof(*output));

	output->options = &options->picture;
	output->panels =
		options->panels.are_given ? &options->panels.choice : &measure_panels_usual;
	*state = output;
	for (int i = 0; i < PICTURE_NR_FORMATS; i++) {
		const char *path = output->options->paths[i];

		if (path && strcmp(path, "-") != 0 && !picture_can_be_written(path))
			return false;
	}
	return true;
}

/* A picture that is complete. "-" is standard output. */
static bool write_file(const char *path, const char *bytes, size_t size)
{
	FILE *file = strcmp(path, "-") != 0 ? fopen(path, "w") : stdout;
	bool is_written;

	if (!file) {
		measure_cli_say("%s: cannot create it: %s", path, strerror(errno));
		return false;
	}
	is_written = fwrite(bytes, 1, size, file) == size && fflush(file) == 0;
	if (!is_written)
		measure_cli_say("%s: cannot write it: %s", path, strerror(errno));
	if (file != stdout && fclose(file) != 0 && is_written) {
		measure_cli_say("%s: cannot write it: %s", path, strerror(errno));
		is_written = false;
	}
	return is_written;
}

static bool draw(const struct report_run *run, const struct measure_picture_options *picture,
	FILE *memory, const char *path)
{
	const struct measure_picture_facts facts = {.name = run->name,
		.waits = &run->corrected.waits,
		.efficiency = run->has_events ? &run->efficiency : NULL,
		.contacts = run->has_events ? &run->contacts : NULL,
		.tasks = run->tasks};
	char note[MEASURE_PICTURE_NOTE];

	switch (measure_picture_draw(picture, &facts, memory, note)) {
	case MEASURE_PICTURE_EMPTY:
		measure_cli_say("%s: has nothing that --chart=%s can show", run->name,
			measure_picture_charts[picture->chart].word);
		return false;
	case MEASURE_PICTURE_FAILED:
		measure_cli_say("%s: cannot draw it: %s", path, strerror(errno));
		return false;
	default:
		if (*note)
			measure_cli_say("%s: %s", path, note);
		return true;
	}
}

static bool draw_file(const struct report_run *run, const struct measure_picture_options *picture,
	const char *path)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&bytes, &size);
	bool is_done;

	if (!memory)
		measure_out_of_memory();
	is_done = draw(run, picture, memory, path);
	if (fclose(memory) != 0)
		measure_out_of_memory();
	is_done = is_done && write_file(path, bytes, size);
	free(bytes);
	return is_done;
}

static bool picture_take(void *state, struct report_run *run)
{
	struct picture_output *output = state;
	const struct picture_options *options = output->options;
	struct measure_picture_options picture = {.chart = options->chart,
		.width = options->width,
		.height = options->height,
		.is_dark = options->is_dark,
		.panels = output->panels};

	if (!picture_window_find(options, &run->corrected.waits, &picture))
		return false;
	for (int i = 0; i < PICTURE_NR_FORMATS; i++) {
		picture.format = (enum measure_picture_format)i;
		if (options->paths[i] && !draw_file(run, &picture, options->paths[i]))
			return false;
	}
	return true;
}

static bool picture_finish(void *state)
{
	(void)state;
	return true;
}

static void picture_end(void *state)
{
	measure_free(state);
}

const struct report_output report_picture_output = {.is_wanted = picture_is_wanted,
	.start = picture_start,
	.take = picture_take,
	.finish = picture_finish,
	.end = picture_end};
