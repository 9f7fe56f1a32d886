/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of an archive: those of dead keepers are finished, then all are read. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "assemble/close/part_close.h"
#include "assemble/part/chunk_size.h"
#include "assemble_internal.h"
#include "base/file.h"

/* OTF2's smallest; used where no process wrote events. */
#define DEFAULT_CHUNK (256 * 1024)

/* Parts whose keeper was killed are finished from their files. Of one that is too damaged for that
 * nothing can be had, and that is counted. */
static measure_status_t finish_dead_parts(struct measure_assembly *assembly)
{
	for (size_t i = 0; i < assembly->list.nr; i++) {
		struct measure_part_entry *entry = &assembly->list.items[i];
		if (entry->is_finished || entry->is_alive)
			continue;
		int fd = measure_file_open_directory(assembly->parts_fd, entry->name);
		measure_status_t status =
			fd < 0 ? MEASURE_ERROR_IO : measure_part_close(NULL, fd, NULL);
		int error = errno;
		if (fd >= 0)
			close(fd);
		if (status == MEASURE_ERROR_IO)
			return measure_assembly_fail(assembly, status,
				"%s/.parts/%s: cannot write: %s", assembly->directory,
				entry->name, strerror(error));
		if (status == MEASURE_ERROR_MEMORY)
			return measure_assembly_fail(assembly, status,
				"%s/.parts/%s: cannot finish: %s", assembly->directory,
				entry->name, measure_status_text(status));
		entry->is_finished = status == MEASURE_OK;
		assembly->report->nr_damaged += status != MEASURE_OK;
	}
	return MEASURE_OK;
}

static measure_status_t read_part(struct measure_assembly *assembly, const char *name)
{
	struct measure_part part = {.fd = -1};
	measure_status_t status = measure_part_read(assembly->parts_fd, name, &part);

	if (status == MEASURE_OK && part.is_damaged)
		assembly->report->nr_damaged++;
	if (status == MEASURE_OK && (part.has_process || part.locations.nr)) {
		status = measure_array_push(&assembly->parts, part);
		if (status == MEASURE_OK)
			return status;
	}
	measure_part_free(&part);
	if (status == MEASURE_OK || status == MEASURE_ERROR_NOT_FOUND)
		return MEASURE_OK; /* nothing was recorded there */
	return measure_assembly_fail(assembly, status, "%s/.parts/%s: cannot read: %s",
		assembly->directory, name, measure_status_text(status));
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
		status = finish_dead_parts(assembly);
	for (size_t i = 0; i < assembly->list.nr && status == MEASURE_OK; i++) {
		if (assembly->list.items[i].is_finished)
			status = read_part(assembly, assembly->list.items[i].name);
		else
			assembly->report->nr_unfinished += assembly->list.items[i].is_alive;
	}
	if (status == MEASURE_OK && assembly->parts.nr == 0)
		return measure_assembly_fail(assembly, MEASURE_ERROR_NOT_FOUND,
			"%s: nothing was recorded%s", assembly->directory,
			assembly->report->nr_unfinished ? " so far" : "");
	return status == MEASURE_OK ? check_chunk_sizes(assembly) : status;
}
