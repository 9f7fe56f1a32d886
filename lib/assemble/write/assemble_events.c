/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event files of an archive: hard links to those of the parts, but for those of --keep that
 * have events without partners (assemble/align/cut_align.h). */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "assemble/align/cut_copy.h"
#include "assemble/close/tail.h"
#include "assemble/part/location_file.h"
#include "assemble/part/sample_file.h"
#include "assemble_internal.h"
#include "base/file.h"
#include "format/run_layout.h"

/* File systems without hard links get a copy: the part must stay whole until the end. */
static measure_status_t take_event_file(struct measure_assembly *assembly,
	const struct measure_part *part, const char *from, uint64_t location, const char *suffix)
{
	char to[48];

	snprintf(to, sizeof(to), "%llu%s", (unsigned long long)location, suffix);
	if (linkat(part->fd, from, assembly->work_fd, to, 0) == 0)
		return MEASURE_OK;
	if (measure_file_copy(part->fd, from, assembly->work_fd, to) == MEASURE_OK)
		return MEASURE_OK;
	return measure_assembly_fail(assembly, MEASURE_ERROR_IO,
		"%s/.parts/%s/%s: cannot move: %s", assembly->directory, part->name, from,
		strerror(errno));
}

/* ---------------------------------------------------------------- what is left out --- */

static struct measure_removed_events removed_of(const struct measure_align_location *location)
{
	return (struct measure_removed_events){location->removed, location->nr_removed};
}

/* The definitions were made of what the part has. */
static void correct_definition(struct measure_assembly *assembly, uint64_t id, uint64_t nr_removed)
{
	struct measure_archive_definitions *definitions = &assembly->unified.definitions;

	for (size_t i = 0; i < definitions->locations.nr; i++)
		if (definitions->locations.items[i].id == id)
			definitions->locations.items[i].nr_events -= nr_removed;
}

static measure_status_t correct_location(struct measure_assembly *assembly,
	const struct measure_process *process, uint32_t index,
	const struct measure_align_location *aligned)
{
	struct measure_part *part = &assembly->parts.items[process->part - assembly->parts.items];
	struct measure_location_summary *events = &part->locations.items[index].events;
	measure_status_t status;
	char name[32];

	measure_location_file_name(index, name);
	int fd = measure_file_open(part->fd, name, O_RDONLY);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	status = measure_cut_copy_size(
		fd, assembly->chunk_size, removed_of(aligned), &events->nr_bytes);
	close(fd);
	events->nr_events -= aligned->nr_removed;
	correct_definition(assembly, measure_location_id(process, index), aligned->nr_removed);
	return status;
}

measure_status_t measure_assembly_align(struct measure_assembly *assembly)
{
	const struct measure_job *job = &assembly->job;
	measure_status_t status = MEASURE_OK;

	measure_align(&assembly->alignment, &assembly->unified, assembly->directory);
	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_process *process = &job->processes.items[i];
		const size_t nr = process->part ? process->part->locations.nr : 0;

		for (uint32_t k = 0; k < nr && status == MEASURE_OK; k++) {
			const struct measure_align_location *aligned =
				measure_align_location(&assembly->alignment, i, k);

			if (aligned)
				status = correct_location(assembly, process, k, aligned);
		}
	}
	return status;
}

/* An event file without them. */
static measure_status_t edit_event_file(struct measure_assembly *assembly,
	const struct measure_part *part, const char *name, uint64_t id,
	const struct measure_align_location *aligned)
{
	char to_name[48];
	measure_status_t status = MEASURE_ERROR_IO;

	snprintf(to_name, sizeof(to_name), "%llu" MEASURE_EVENTS_SUFFIX, (unsigned long long)id);
	int from = measure_file_open(part->fd, name, O_RDONLY);
	int to = measure_file_open(assembly->work_fd, to_name, O_WRONLY | O_CREAT | O_TRUNC);
	if (from >= 0 && to >= 0)
		status = measure_cut_copy(from, to, assembly->chunk_size, removed_of(aligned));
	if (from >= 0)
		close(from);
	if (to >= 0 && close(to) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	return status == MEASURE_OK
		       ? status
		       : measure_assembly_fail(assembly, status, "%s/.parts/%s/%s: cannot copy: %s",
				 assembly->directory, part->name, name, strerror(errno));
}

/* ------------------------------------------------------------------------ all files --- */

static measure_status_t take_sampled(struct measure_assembly *assembly)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < assembly->unified.sampled.nr && status == MEASURE_OK; i++) {
		const struct measure_sampled_location *location =
			&assembly->unified.sampled.items[i];
		status = take_event_file(assembly,
			assembly->job.processes.items[location->process].part,
			measure_sample_file_name(location->series), location->id,
			MEASURE_EVENTS_SUFFIX);
	}
	return status;
}

static measure_status_t take_events(
	struct measure_assembly *assembly, size_t index, size_t location)
{
	const struct measure_process *process = &assembly->job.processes.items[index];
	const struct measure_align_location *aligned =
		measure_align_location(&assembly->alignment, index, location);
	const uint64_t id = measure_location_id(process, location);
	char name[32];

	measure_location_file_name((uint32_t)location, name);
	return aligned ? edit_event_file(assembly, process->part, name, id, aligned)
		       : take_event_file(assembly, process->part, name, id, MEASURE_EVENTS_SUFFIX);
}

static measure_status_t take_locations(struct measure_assembly *assembly, size_t index)
{
	const struct measure_process *process = &assembly->job.processes.items[index];
	size_t nr = process->part ? process->part->locations.nr : 0;
	measure_status_t status = MEASURE_OK;
	char name[32];

	for (size_t i = 0; i < nr && status == MEASURE_OK; i++) {
		status = take_events(assembly, index, i);
		if (status != MEASURE_OK || process->part->keeper.kept == MEASURE_KEPT_ALL)
			continue;
		snprintf(name, sizeof(name), MEASURE_PROFILE_FORMAT, (uint32_t)i);
		status = take_event_file(assembly, process->part, name,
			measure_location_id(process, i), MEASURE_PROFILE_SUFFIX);
	}
	return status;
}

/* Readers want an event file for each location. */
static measure_status_t make_empty_event_file(struct measure_assembly *assembly, uint64_t location)
{
	struct measure_tail nothing = {.nr_regions = 0};
	struct measure_tail_writer *writer;
	struct measure_tail_chunks chunks;
	char name[32];
	measure_status_t status = measure_tail_open(assembly->chunk_size, &writer);

	if (status != MEASURE_OK)
		return status;
	snprintf(name, sizeof(name), "%llu.evt", (unsigned long long)location);
	status = measure_tail_write(writer, &nothing, &chunks);
	if (status == MEASURE_OK)
		status = measure_file_store(
			assembly->work_fd, name, chunks.chunks[0], MEASURE_TAIL_EMPTY);
	measure_tail_close(writer);
	return status;
}

measure_status_t measure_assembly_place_events(struct measure_assembly *assembly)
{
	measure_status_t status = MEASURE_OK;

	assembly->work_fd = openat(assembly->parts_fd, MEASURE_WORK_NAME "/traces",
		O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (assembly->work_fd < 0)
		return MEASURE_ERROR_IO;
	for (size_t i = 0; i < assembly->job.processes.nr; i++) {
		const struct measure_process *process = &assembly->job.processes.items[i];
		if (status == MEASURE_OK)
			status = take_locations(assembly, i);
		if (status == MEASURE_OK && (!process->part || process->part->locations.nr == 0))
			status = make_empty_event_file(assembly, measure_location_id(process, 0));
	}
	return status == MEASURE_OK ? take_sampled(assembly) : status;
}
