/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-repair --live: what is printed of a run that goes on, and a snapshot of it; see
 * live_run.h. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/write/assemble.h"
#include "base/file.h"
#include "cli/run_profile.h"
#include "format/run_layout.h"
#include "live_rollcall.h"

#define GENTLE 10 /* nice */

/* ------------------------------------------------------------------------- snapshot --- */

static measure_status_t copy_part(const struct live_run *run, const char *name, int to_parts_fd)
{
	measure_status_t status = MEASURE_OK;
	int from = measure_file_open_directory(run->parts_fd, name);

	if (from < 0 || mkdirat(to_parts_fd, name, 0777) != 0) {
		if (from >= 0)
			close(from);
		return MEASURE_ERROR_IO;
	}
	int to = measure_file_open_directory(to_parts_fd, name);
	status = to < 0 ? MEASURE_ERROR_IO : measure_part_copy(from, to);
	close(from);
	if (to >= 0)
		close(to);
	return status;
}

static measure_status_t copy_parts(struct live_run *run, int to_parts_fd)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < run->processes.nr && status == MEASURE_OK; i++) {
		struct live_process *process = &run->processes.items[i];
		if (process->state == LIVE_RUNNING)
			status = measure_live_snapshot(
				&process->live, process->now, to_parts_fd, process->entry->name);
		else if (process->state == LIVE_ENDED)
			status = copy_part(run, process->entry->name, to_parts_fd);
	}
	return status;
}

static enum measure_exit_code assemble(const char *output, const struct live_options *options)
{
	struct measure_assemble_report report;
	char text[MEASURE_PROFILE_TEXT];

	if (measure_assemble(output, &report) != MEASURE_OK) {
		measure_cli_say("%s", report.trouble);
		return MEASURE_EXIT_CANNOT;
	}
	measure_run_profile_or_say(output, output, text);
	if (!options->is_quiet && !options->is_json)
		printf("\n%s/%s: events: %llu; locations: %u\n", output, MEASURE_ANCHOR_NAME,
			(unsigned long long)report.nr_events, report.nr_locations);
	return MEASURE_EXIT_DONE;
}

/* The moment that it shows was chosen by now: what threads of the program need goes first. */
static void step_back(void)
{
	setpriority(PRIO_PROCESS, 0, GENTLE);
}

static enum measure_exit_code make_snapshot(
	struct live_run *run, const struct live_options *options)
{
	const char *output = options->output;
	char path[PATH_MAX];
	int fd = -1;

	if (!run->is_in_memory)
		step_back();
	snprintf(path, sizeof(path), "%s/" MEASURE_PARTS_NAME, output);
	if (mkdir(output, 0777) == 0 && mkdir(path, 0777) == 0)
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		measure_cli_say(
			"%s: cannot create: %s: choose another --output", output, strerror(errno));
		return MEASURE_EXIT_CANNOT;
	}
	measure_status_t status = copy_parts(run, fd);
	close(fd);
	step_back();
	if (status == MEASURE_OK)
		return assemble(output, options);
	measure_cli_say("%s: cannot make the snapshot: %s", output, measure_status_text(status));
	measure_file_remove_tree(AT_FDCWD, output);
	return MEASURE_EXIT_CANNOT;
}

/* ------------------------------------------------------------------------ the whole --- */

static measure_status_t print_run(struct live_run *run, const struct live_options *options)
{
	struct live_rollcall rollcall = {.run = NULL};
	const struct measure_rollcall *call = NULL;
	measure_status_t status = MEASURE_OK;

	if (run->nr_states[LIVE_RUNNING] > 0) {
		status = live_rollcall_take(&rollcall, run);
		call = status == MEASURE_OK ? &rollcall.call : NULL;
	}
	if (options->is_json)
		live_print_json(run, call);
	else if (!options->is_roll_call)
		live_print_text(run, call);
	else if (call)
		measure_rollcall_print(call, stdout);
	live_rollcall_release(&rollcall);
	return status;
}

static enum measure_exit_code live_run_report(
	struct live_run *run, const struct live_options *options)
{
	enum measure_exit_code result = MEASURE_EXIT_DONE;
	measure_status_t status = live_run_look(run);

	if (status != MEASURE_OK) {
		measure_cli_say(
			"%s: cannot inspect: %s", run->directory, measure_status_text(status));
		return MEASURE_EXIT_CANNOT;
	}
	if (options->is_json || !options->is_quiet)
		status = print_run(run, options);
	if (status != MEASURE_OK)
		measure_cli_say(
			"%s: no roll-call: %s", run->directory, measure_status_text(status));
	if (run->nr_states[LIVE_RUNNING] == 0) {
		measure_cli_say("%s: no process of this run is on this node", run->directory);
		return MEASURE_EXIT_CANNOT;
	}
	if (options->output)
		result = make_snapshot(run, options);
	return result == MEASURE_EXIT_DONE && run->nr_states[LIVE_UNREADABLE] ? MEASURE_EXIT_FOUND
									      : result;
}

enum measure_exit_code measure_live_run(const char *directory, const struct live_options *options)
{
	struct live_run run;

	if (!live_run_open(&run, directory)) {
		measure_cli_say("%s: no running measurement found: %s", directory, strerror(errno));
		return MEASURE_EXIT_CANNOT;
	}
	run.is_copied = options->output != NULL;
	enum measure_exit_code result = live_run_report(&run, options);
	live_run_release(&run);
	return result;
}
