/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at a run that goes on; see live_run.h. */
#include "config.h"

#include "live_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "format/run_layout.h"
#include "base/procfs.h"
#include "clock/clock.h"
#include "config/settings.h"

/* ------------------------------------------------------------------------- looking --- */

/* The clock of the process, read by us: on its node it shows the same. */
static uint64_t now_of(const struct measure_live *live, bool *is_in_memory)
{
	static struct measure_settings settings;
	static char config[MEASURE_SEGMENT_CONFIG_SIZE];
	struct measure_clock_choice choice;
	const char *why;

	measure_settings_defaults(&settings);
	measure_segment_config(&live->segment, config);
	measure_settings_parse(&settings, config, &why);
	choice = (struct measure_clock_choice){settings.clock,
		settings.rank == MEASURE_RANK_NONE ? 0 : (uint32_t)settings.rank,
		settings.clock_origin};
	*is_in_memory |= measure_settings_kept(&settings) == MEASURE_KEPT_NONE;
	measure_clock_start(&choice);
	return measure_clock_now();
}

static void say_unreadable(
	const struct live_run *run, const struct measure_part_entry *entry, measure_status_t status)
{
	if (status == MEASURE_ERROR_IO)
		measure_cli_say(
			"%s: part %s: no permission to inspect process %lld: run this as its user",
			run->directory, entry->name, (long long)entry->owner_pid);
	else if (status == MEASURE_ERROR_FORMAT)
		measure_cli_say("%s: part %s was created by another version of Measure",
			run->directory, entry->name);
	else
		measure_cli_say("%s: part %s: its keeper has ended", run->directory, entry->name);
}

/* All of them first, so that they are looked at at one time. */
static void open_process(struct live_run *run, struct live_process *process)
{
	const struct measure_part_entry *entry = process->entry;

	process->part = SIZE_MAX;
	if (entry->is_finished) {
		process->state = LIVE_ENDED;
	} else if (entry->is_elsewhere) {
		process->state = LIVE_ELSEWHERE;
	} else {
		measure_status_t status =
			entry->is_alive ? measure_live_open(run->parts_fd, entry, &process->live)
					: MEASURE_ERROR_NOT_FOUND;
		process->state = status == MEASURE_OK ? LIVE_RUNNING : LIVE_UNREADABLE;
		if (status == MEASURE_OK && run->is_copied)
			measure_live_hold(&process->live);
		if (status == MEASURE_OK)
			process->now = now_of(&process->live, &run->is_in_memory);
		else
			say_unreadable(run, entry, status);
	}
	run->nr_states[process->state]++;
}

static measure_status_t read_stacks(struct live_process *process)
{
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < measure_live_nr_locations(&process->live) && status == MEASURE_OK;
		i++) {
		struct measure_live_stack stack;
		status = measure_live_stack(&process->live, i, &stack);
		if (status == MEASURE_OK)
			status = measure_array_push(&process->stacks, stack);
		else
			free(stack.frames.items);
	}
	return status;
}

static measure_status_t read_process(struct live_run *run, struct live_process *process)
{
	struct measure_part part = {.fd = -1};
	measure_status_t status = MEASURE_OK;
	uint8_t *journal;
	size_t size;

	if (process->state == LIVE_RUNNING) {
		status = read_stacks(process);
		if (status == MEASURE_OK)
			status = measure_live_journal(&process->live, &journal, &size);
		if (status == MEASURE_OK)
			status = measure_part_read_live(
				run->parts_fd, process->entry->name, journal, size, &part);
	} else if (process->state == LIVE_ENDED) {
		status = measure_part_read(run->parts_fd, process->entry->name, &part);
	}
	if (status == MEASURE_OK && part.has_process) {
		process->is_stopped = process->state == LIVE_RUNNING &&
				      measure_process_is_stopped(
					      (pid_t)part.process.pid, part.process.start_time);
		run->nr_stopped += process->is_stopped;
		process->part = run->parts.nr;
		return measure_array_push(&run->parts, part);
	}
	measure_part_free(&part);
	return status == MEASURE_ERROR_MEMORY ? status : MEASURE_OK;
}

/* Parts know no processes, but processes their parts. */
static void find_places(struct live_run *run)
{
	for (size_t i = 0; i < run->processes.nr; i++) {
		struct live_process *process = &run->processes.items[i];
		for (size_t k = 0; k < run->job.processes.nr && process->part != SIZE_MAX; k++)
			if (run->job.processes.items[k].part == &run->parts.items[process->part])
				process->place = &run->job.processes.items[k];
	}
}

measure_status_t live_run_look(struct live_run *run)
{
	measure_status_t status = measure_parts_list(run->parts_fd, &run->list);

	for (size_t i = 0; i < run->list.nr && status == MEASURE_OK; i++) {
		struct live_process process = {.entry = &run->list.items[i]};
		open_process(run, &process);
		status = measure_array_push(&run->processes, process);
	}
	for (size_t i = 0; i < run->processes.nr && status == MEASURE_OK; i++)
		status = read_process(run, &run->processes.items[i]);
	if (status == MEASURE_OK)
		status = measure_job_make(run->parts.items, run->parts.nr, &run->job);
	if (status == MEASURE_OK) {
		find_places(run);
		status = measure_clock_correction_make(&run->job, &run->timeline);
	}
	if (status == MEASURE_OK)
		status = measure_unify(&run->job, &run->timeline, &run->unified);
	return status;
}

void live_run_release(struct live_run *run)
{
	measure_unified_free(&run->unified);
	measure_clock_correction_free(&run->timeline);
	measure_job_free(&run->job);
	for (size_t i = 0; i < run->parts.nr; i++)
		measure_part_free(&run->parts.items[i]);
	free(run->parts.items);
	for (size_t i = 0; i < run->processes.nr; i++) {
		struct live_process *process = &run->processes.items[i];
		for (size_t k = 0; k < process->stacks.nr; k++)
			free(process->stacks.items[k].frames.items);
		free(process->stacks.items);
		if (process->state == LIVE_RUNNING)
			measure_live_close(&process->live);
	}
	free(run->processes.items);
	measure_parts_list_free(&run->list);
	close(run->parts_fd);
}

/* -------------------------------------------------------------------- for printing --- */

const struct measure_otf2_region *live_region(const struct live_run *run,
	const struct live_process *process, const struct measure_live_frame *frame)
{
	if (!process->place)
		return NULL;
	size_t index = (size_t)(process->place - run->job.processes.items);
	const measure_id_map_t *map = &run->unified.locals.items[index].regions;
	if (frame->region >= map->nr ||
		map->items[frame->region] >= run->unified.definitions.regions.nr)
		return NULL;
	return &run->unified.definitions.regions.items[map->items[frame->region]];
}

const char *live_string(const struct live_run *run, uint32_t id)
{
	return measure_intern_key(&run->unified.definitions.strings, id);
}

double live_seconds(const struct live_run *run, const struct live_process *process, uint64_t time)
{
	if (process->now <= time)
		return 0;
	return (double)(process->now - time) / (double)run->timeline.resolution;
}

bool live_run_open(struct live_run *run, const char *directory)
{
	char path[PATH_MAX];

	*run = (struct live_run){.directory = directory};
	snprintf(path, sizeof(path), "%s/" MEASURE_PARTS_NAME, directory);
	run->parts_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return run->parts_fd >= 0;
}
