/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event files of an archive: hard links to those of the parts. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

static measure_status_t take_locations(
	struct measure_assembly *assembly, const struct measure_process *process)
{
	size_t nr = process->part ? process->part->locations.nr : 0;
	measure_status_t status = MEASURE_OK;
	char name[32];

	for (size_t i = 0; i < nr && status == MEASURE_OK; i++) {
		measure_location_file_name((uint32_t)i, name);
		status = take_event_file(assembly, process->part, name,
			measure_location_id(process, i), MEASURE_EVENTS_SUFFIX);
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
			status = take_locations(assembly, process);
		if (status == MEASURE_OK && (!process->part || process->part->locations.nr == 0))
			status = make_empty_event_file(assembly, measure_location_id(process, 0));
	}
	return status == MEASURE_OK ? take_sampled(assembly) : status;
}
