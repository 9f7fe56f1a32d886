/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of an archive: those of dead keepers are finished, then all are read. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assemble/close/part_close.h"
#include "assemble/part/chunk_size.h"
#include "assemble/shared/part_workers.h"
#include "assemble_internal.h"
#include "base/file.h"

/* OTF2's smallest; used where no process wrote events. */
#define DEFAULT_CHUNK (256 * 1024)

/* One of the list, and what became of it. */
struct assembled_part {
	struct measure_part part;
	measure_status_t status;
	int error; /* errno */
};

struct parts_reading {
	struct measure_assembly *assembly;
	struct assembled_part *parts; /* by the list */
};

/* ------------------------------------------------------------------- dead keepers --- */

static void close_dead_part(void *data, size_t index)
{
	struct parts_reading *reading = data;
	const struct measure_part_entry *entry = &reading->assembly->list.items[index];
	struct assembled_part *assembled = &reading->parts[index];

	if (entry->is_finished || entry->is_alive)
		return;
	int fd = measure_file_open_directory(reading->assembly->parts_fd, entry->name);
	assembled->status = fd < 0 ? MEASURE_ERROR_IO : measure_part_close(NULL, fd, NULL);
	assembled->error = errno;
	if (fd >= 0)
		close(fd);
}

/* Parts whose keeper was killed are finished from their files. Of one that is too damaged for that
 * nothing can be had, and that is counted. */
static measure_status_t finish_dead_parts(struct parts_reading *reading)
{
	struct measure_assembly *assembly = reading->assembly;

	measure_part_workers_share(assembly->list.nr, close_dead_part, reading);
	for (size_t i = 0; i < assembly->list.nr; i++) {
		struct measure_part_entry *entry = &assembly->list.items[i];
		const measure_status_t status = reading->parts[i].status;
		if (entry->is_finished || entry->is_alive)
			continue;
		if (status == MEASURE_ERROR_IO)
			return measure_assembly_fail(assembly, status,
				"%s/.parts/%s: cannot write: %s", assembly->directory, entry->name,
				strerror(reading->parts[i].error));
		if (status == MEASURE_ERROR_MEMORY)
			return measure_assembly_fail(assembly, status,
				"%s/.parts/%s: cannot finish: %s", assembly->directory, entry->name,
				measure_status_text(status));
		entry->is_finished = status == MEASURE_OK;
		assembly->report->nr_damaged += status != MEASURE_OK;
	}
	return MEASURE_OK;
}

/* ------------------------------------------------------------------------ reading --- */

static void read_finished_part(void *data, size_t index)
{
	struct parts_reading *reading = data;
	const struct measure_part_entry *entry = &reading->assembly->list.items[index];
	struct assembled_part *assembled = &reading->parts[index];

	if (!entry->is_finished)
		return;
	assembled->part.pool = reading->assembly->pool;
	assembled->status =
		measure_part_read(reading->assembly->parts_fd, entry->name, &assembled->part);
}

/* Those of which something was recorded, in the order of the list. */
static measure_status_t keep_part(struct measure_assembly *assembly,
	const struct measure_part_entry *entry, struct assembled_part *assembled)
{
	struct measure_part *part = &assembled->part;
	measure_status_t status = assembled->status;

	if (!entry->is_finished) {
		assembly->report->nr_unfinished += entry->is_alive;
		return MEASURE_OK;
	}
	if (status == MEASURE_OK && part->is_damaged)
		assembly->report->nr_damaged++;
	if (status == MEASURE_OK && (part->has_process || part->locations.nr)) {
		status = measure_array_push(&assembly->parts, *part);
		if (status == MEASURE_OK)
			memset(part, 0, sizeof(*part));
		return status;
	}
	if (status == MEASURE_OK || status == MEASURE_ERROR_NOT_FOUND)
		return MEASURE_OK; /* nothing was recorded there */
	return measure_assembly_fail(assembly, status, "%s/.parts/%s: cannot read: %s",
		assembly->directory, entry->name, measure_status_text(status));
}

static measure_status_t read_listed_parts(struct parts_reading *reading)
{
	struct measure_assembly *assembly = reading->assembly;
	measure_status_t status = finish_dead_parts(reading);

	if (status != MEASURE_OK)
		return status;
	measure_part_workers_share(assembly->list.nr, read_finished_part, reading);
	status = measure_array_reserve(&assembly->parts, assembly->list.nr);
	for (size_t i = 0; i < assembly->list.nr && status == MEASURE_OK; i++)
		status = keep_part(assembly, &assembly->list.items[i], &reading->parts[i]);
	return status;
}

static measure_status_t read_all_parts(struct measure_assembly *assembly)
{
	struct parts_reading reading = {assembly, NULL};
	measure_status_t status;

	assembly->pool = measure_record_pool_open();
	reading.parts = calloc(assembly->list.nr + 1, sizeof(*reading.parts));
	status = reading.parts && assembly->pool ? read_listed_parts(&reading)
						 : MEASURE_ERROR_MEMORY;
	for (size_t i = 0; reading.parts && i < assembly->list.nr; i++)
		measure_part_free(&reading.parts[i].part);
	free(reading.parts);
	return status;
}

static measure_status_t check_chunk_sizes(struct measure_assembly *assembly)
{
	for (size_t i = 0; i < assembly->parts.nr; i++) {
		const struct measure_part *part = &assembly->parts.items[i];
		uint32_t size = (uint32_t)part->keeper.chunk_size;
		if (part->locations.nr == 0 || measure_part_has_lost_keeper(part))
			continue;
		if (assembly->chunk_size && size != assembly->chunk_size)
			return measure_assembly_fail(assembly, MEASURE_ERROR_FORMAT,
				"%s/.parts/%s: chunk size differs from the other parts: use the "
				"same --chunk for all processes",
				assembly->directory, part->name);
		assembly->chunk_size = size;
	}
	measure_chunk_size_adapt(assembly->parts.items, assembly->parts.nr, &assembly->chunk_size);
	if (!assembly->chunk_size)
		assembly->chunk_size = DEFAULT_CHUNK;
	return MEASURE_OK;
}

measure_status_t measure_assembly_read_parts(struct measure_assembly *assembly)
{
	measure_status_t status = measure_parts_list(assembly->parts_fd, &assembly->list);

	if (status == MEASURE_OK)
		status = read_all_parts(assembly);
	if (status == MEASURE_OK && assembly->parts.nr == 0)
		return measure_assembly_fail(assembly, MEASURE_ERROR_NOT_FOUND,
			"%s: nothing was recorded%s", assembly->directory,
			assembly->report->nr_unfinished ? " so far" : "");
	return status == MEASURE_OK ? check_chunk_sizes(assembly) : status;
}
