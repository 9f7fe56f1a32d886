/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adding up what was done with files; see file_statistics.h. */
#include "config.h"

#include "file_statistics.h"

#include <stdlib.h>

#include "adapter.h"

/* `all`: of each file, one for each interface. */
static void add_part(const struct measure_unified *unified, size_t process, double tick,
	struct measure_file_statistics *all)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const measure_id_map_t *map = &unified->locals.items[process].io_handles;
	const struct measure_archive_definitions *definitions = &unified->definitions;
	const size_t nr_files = definitions->io_files.nr;

	for (size_t i = 0; part && i < part->io_tallies.nr; i++) {
		const struct measure_def_io_tally *tally = &part->io_tallies.items[i];
		uint32_t id = tally->handle < map->nr ? map->items[tally->handle] : UINT32_MAX;
		if (id >= definitions->io_handles.nr)
			continue;
		const struct measure_otf2_io_handle *handle = &definitions->io_handles.items[id];
		size_t file = handle->file < nr_files ? handle->file : nr_files;
		if (handle->paradigm >= MEASURE_NR_IO_PARADIGMS)
			continue;
		struct measure_file_statistics *account =
			&all[file * MEASURE_NR_IO_PARADIGMS + handle->paradigm];
		account->operations += tally->operations;
		account->empty += tally->empty;
		account->read += tally->read;
		account->written += tally->written;
		account->seconds += (double)tally->ticks * tick;
		account->unknown += tally->unknown;
	}
}

static int file_statistics_compare(const void *left, const void *right)
{
	const struct measure_file_statistics *a = left, *b = right;
	const uint64_t of_a = a->read + a->written, of_b = b->read + b->written;

	if (of_a != of_b)
		return of_a < of_b ? 1 : -1;
	if (a->seconds < b->seconds || a->seconds > b->seconds)
		return a->seconds < b->seconds ? 1 : -1;
	if (a->file != b->file)
		return a->file > b->file ? 1 : -1;
	return (a->paradigm > b->paradigm) - (a->paradigm < b->paradigm);
}

measure_status_t measure_files_make(
	const struct measure_unified *unified, double tick, measure_files_t *files)
{
	const size_t nr = (unified->definitions.io_files.nr + 1) * MEASURE_NR_IO_PARADIGMS;
	struct measure_file_statistics *all = calloc(nr, sizeof(*all));
	measure_status_t status = MEASURE_OK;

	if (!all)
		return MEASURE_ERROR_MEMORY;
	for (size_t i = 0; i < unified->job->processes.nr; i++)
		add_part(unified, i, tick, all);
	for (size_t i = 0; i < nr && status == MEASURE_OK; i++) {
		all[i].file = (uint32_t)(i / MEASURE_NR_IO_PARADIGMS);
		all[i].paradigm = i % MEASURE_NR_IO_PARADIGMS;
		if (all[i].operations)
			status = measure_array_push(files, all[i]);
	}
	if (files->nr)
		qsort(files->items, files->nr, sizeof(*files->items), file_statistics_compare);
	free(all);
	return status;
}
