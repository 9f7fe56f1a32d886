/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event files of an archive: hard links to those of the parts, but for those of --keep that
 * have events without partners (assemble/align/cut_align.h). And the local definitions beside them.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble/align/cut_copy.h"
#include "assemble/close/tail.h"
#include "assemble/part/location_file.h"
#include "assemble/shared/part_workers.h"
#include "assemble/part/sample_file.h"
#include "assemble_internal.h"
#include "local_definitions.h"
#include "base/file.h"
#include "format/run_layout.h"

/* A part whose files are being taken, and its directory. */
struct placed_part {
	const struct measure_part *part;
	int fd;
};

/* File systems without hard links get a copy: the part must stay whole until the end. */
static measure_status_t take_event_file(struct measure_assembly *assembly,
	const struct placed_part *placed, const char *from, uint64_t location, const char *suffix)
{
	char to[48];

	snprintf(to, sizeof(to), "%llu%s", (unsigned long long)location, suffix);
	if (linkat(placed->fd, from, assembly->work_fd, to, 0) == 0)
		return MEASURE_OK;
	if (measure_file_copy(placed->fd, from, assembly->work_fd, to) == MEASURE_OK)
		return MEASURE_OK;
	return measure_assembly_fail(assembly, MEASURE_ERROR_IO, "%s/.parts/%s/%s: cannot move: %s",
		assembly->directory, placed->part->name, from, strerror(errno));
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
	int part_fd = measure_part_open(assembly->parts_fd, part);
	int fd = part_fd < 0 ? -1 : measure_file_open(part_fd, name, O_RDONLY);
	if (part_fd >= 0)
		close(part_fd);
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

	measure_align(
		&assembly->alignment, &assembly->unified, assembly->directory, assembly->parts_fd);
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
	const struct placed_part *placed, const char *name, uint64_t id,
	const struct measure_align_location *aligned)
{
	char to_name[48];
	measure_status_t status = MEASURE_ERROR_IO;

	snprintf(to_name, sizeof(to_name), "%llu" MEASURE_EVENTS_SUFFIX, (unsigned long long)id);
	int from = measure_file_open(placed->fd, name, O_RDONLY);
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
				 assembly->directory, placed->part->name, name, strerror(errno));
}

/* ----------------------------------------------------------------- local definitions --- */

struct events_placing {
	struct measure_assembly *assembly;
	struct measure_definition_files files;
	_Atomic measure_status_t status; /* of those that were placed so far */
};

static measure_status_t store_definitions(
	struct events_placing *placing, uint64_t location, const measure_local_bytes_t *bytes)
{
	struct measure_assembly *assembly = placing->assembly;

	return measure_definition_files_store(&placing->files, location, bytes) == MEASURE_OK
		       ? MEASURE_OK
		       : measure_assembly_fail(assembly, MEASURE_ERROR_IO,
				 "%s/.parts/" MEASURE_WORK_NAME ": cannot write: %s",
				 assembly->directory, strerror(errno));
}

/* All locations of a process have the same. */
static measure_status_t write_definitions(struct events_placing *placing, size_t index)
{
	const struct measure_process *process = &placing->assembly->job.processes.items[index];
	measure_local_bytes_t bytes = {0};
	measure_status_t status = measure_local_definitions_encode(
		&placing->assembly->unified.locals.items[index], &bytes);

	for (size_t i = 0; i < measure_process_nr_locations(process) && status == MEASURE_OK; i++)
		status = store_definitions(placing, measure_location_id(process, i), &bytes);
	free(bytes.items);
	return status;
}

static measure_status_t write_sampled_definitions(
	struct events_placing *placing, const struct measure_sampled_location *location)
{
	const struct measure_local_definitions local = {.metric_classes = location->metric_classes,
		.clock = placing->assembly->unified.locals.items[location->process].clock};
	measure_local_bytes_t bytes = {0};
	measure_status_t status = measure_local_definitions_encode(&local, &bytes);

	if (status == MEASURE_OK)
		status = store_definitions(placing, location->id, &bytes);
	free(bytes.items);
	return status;
}

/* ------------------------------------------------------------------------ all files --- */

static measure_status_t place_part(struct measure_assembly *assembly,
	const struct measure_part *part, struct placed_part *placed)
{
	*placed = (struct placed_part){part, measure_part_open(assembly->parts_fd, part)};
	return placed->fd >= 0 ? MEASURE_OK
			       : measure_assembly_fail(assembly, MEASURE_ERROR_IO,
					 "%s/.parts/%s: cannot open: %s", assembly->directory,
					 part->name, strerror(errno));
}

static measure_status_t take_sampled(struct events_placing *placing)
{
	struct measure_assembly *assembly = placing->assembly;
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < assembly->unified.sampled.nr && status == MEASURE_OK; i++) {
		const struct measure_sampled_location *location =
			&assembly->unified.sampled.items[i];
		struct placed_part placed;

		status = place_part(
			assembly, assembly->job.processes.items[location->process].part, &placed);
		if (status != MEASURE_OK)
			break;
		status = take_event_file(assembly, &placed,
			measure_sample_file_name(location->series), location->id,
			MEASURE_EVENTS_SUFFIX);
		close(placed.fd);
		if (status == MEASURE_OK)
			status = write_sampled_definitions(placing, location);
	}
	return status;
}

static measure_status_t take_events(struct measure_assembly *assembly, size_t index,
	const struct placed_part *placed, size_t location)
{
	const struct measure_process *process = &assembly->job.processes.items[index];
	const struct measure_align_location *aligned =
		measure_align_location(&assembly->alignment, index, location);
	const uint64_t id = measure_location_id(process, location);
	char name[32];

	measure_location_file_name((uint32_t)location, name);
	return aligned ? edit_event_file(assembly, placed, name, id, aligned)
		       : take_event_file(assembly, placed, name, id, MEASURE_EVENTS_SUFFIX);
}

static measure_status_t take_locations(
	struct measure_assembly *assembly, size_t index, const struct placed_part *placed)
{
	const struct measure_process *process = &assembly->job.processes.items[index];
	measure_status_t status = MEASURE_OK;
	char name[32];

	for (size_t i = 0; i < process->part->locations.nr && status == MEASURE_OK; i++) {
		status = take_events(assembly, index, placed, i);
		if (status != MEASURE_OK || process->part->keeper.kept == MEASURE_KEPT_ALL)
			continue;
		snprintf(name, sizeof(name), MEASURE_PROFILE_FORMAT, (uint32_t)i);
		status = take_event_file(assembly, placed, name, measure_location_id(process, i),
			MEASURE_PROFILE_SUFFIX);
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

static measure_status_t place_process(struct events_placing *placing, size_t index)
{
	struct measure_assembly *assembly = placing->assembly;
	const struct measure_process *process = &assembly->job.processes.items[index];
	struct placed_part placed;
	measure_status_t status = write_definitions(placing, index);

	if (status != MEASURE_OK)
		return status;
	if (!process->part || process->part->locations.nr == 0)
		return make_empty_event_file(assembly, measure_location_id(process, 0));
	status = place_part(assembly, process->part, &placed);
	if (status != MEASURE_OK)
		return status;
	status = take_locations(assembly, index, &placed);
	close(placed.fd);
	return status;
}

static void place_one(void *data, size_t index)
{
	struct events_placing *placing = data;

	if (placing->status != MEASURE_OK)
		return;
	const measure_status_t status = place_process(placing, index);
	if (status != MEASURE_OK)
		placing->status = status;
}

measure_status_t measure_assembly_place_events(struct measure_assembly *assembly)
{
	struct events_placing placing = {.assembly = assembly, .status = MEASURE_OK};

	assembly->work_fd = openat(assembly->parts_fd, MEASURE_WORK_NAME "/traces",
		O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (assembly->work_fd < 0)
		return MEASURE_ERROR_IO;
	measure_definition_files_open(&placing.files, assembly->work_fd);
	measure_part_workers_share(assembly->job.processes.nr, place_one, &placing);
	if (placing.status == MEASURE_OK)
		placing.status = take_sampled(&placing);
	measure_definition_files_close(&placing.files);
	return placing.status;
}
