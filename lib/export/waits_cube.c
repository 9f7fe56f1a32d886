/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file: a tar archive of anchor.xml and, for each metric, N.index (numbers of the call paths
 * that have values) and N.data (a row with a value of each location, for each of these). All
 * metrics are exclusive: Cube numbers call paths then as they stand in the anchor. */
#include "config.h"

#include "waits_cube.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report/profile_view.h"
#include "cube_xml.h"

#define TAR_BLOCK 512
#define MOST_TAR  UINT64_C(077777777777) /* bytes of a file */

#define INDEX_MARKER "CUBEX.INDEX"
#define DATA_MARKER  "CUBEX.DATA"

/* Not all paths have values. */
#define INDEX_SPARSE 1

struct cube_file {
	FILE *out;
	const struct cube_metrics *metrics;
	struct cube_numbers numbers;
	bool is_too_large;
};

/* ----------------------------------------------------------------------------- tar --- */

/* The ustar format. No times and users: two runs write the same. */
static void put_header(struct cube_file *file, const char *name, uint64_t size)
{
	char header[TAR_BLOCK] = {0};
	unsigned sum = 0;

	file->is_too_large |= size > MOST_TAR;
	snprintf(header, 100, "%s", name);
	memcpy(header + 100, "0000644", 7);
	memcpy(header + 108, "0000000", 7);
	memcpy(header + 116, "0000000", 7);
	snprintf(header + 124, 12, "%011" PRIo64, size & MOST_TAR);
	memcpy(header + 136, "00000000000", 11);
	memset(header + 148, ' ', 8);
	header[156] = '0';
	memcpy(header + 257, "ustar", 6);
	memcpy(header + 263, "00", 2);
	for (size_t i = 0; i < TAR_BLOCK; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
	fwrite(header, 1, TAR_BLOCK, file->out);
}

/* Cube looks for the next header a block too far where a file fills its last block: none here does.
 */
static void put_padding(struct cube_file *file, uint64_t size)
{
	static const char zeros[TAR_BLOCK];

	fwrite(zeros, 1, TAR_BLOCK - size % TAR_BLOCK, file->out);
}

static void put_end(struct cube_file *file)
{
	static const char zeros[2 * TAR_BLOCK];

	fwrite(zeros, 1, sizeof(zeros), file->out);
}

/* ---------------------------------------------------------------------------- data --- */

struct cube_cell {
	uint32_t path, location; /* numbers in the file */
	uint64_t value;
};

static int compare_cells(const void *left, const void *right)
{
	const struct cube_cell *a = left, *b = right;

	return (a->path > b->path) - (a->path < b->path);
}

/* By path; to be freed. *nr_rows: paths. */
static struct cube_cell *make_cells(
	const struct cube_file *file, const struct cube_metric *metric, uint32_t *nr_rows)
{
	struct cube_cell *cells = measure_zeroed(metric->nr_values, sizeof(*cells));

	for (size_t i = 0; i < metric->nr_values; i++)
		cells[i] = (struct cube_cell){file->numbers.paths[metric->values[i].path],
			file->numbers.locations[metric->values[i].location],
			metric->values[i].value};
	if (metric->nr_values > 1)
		qsort(cells, metric->nr_values, sizeof(*cells), compare_cells);
	*nr_rows = 0;
	for (size_t i = 0; i < metric->nr_values; i++)
		*nr_rows += i == 0 || cells[i].path != cells[i - 1].path;
	return cells;
}

static void put_index(struct cube_file *file, uint32_t number, const struct cube_cell *cells,
	size_t nr, uint32_t nr_rows)
{
	const uint32_t endian = 1;
	const uint16_t version = 0;
	const uint8_t format = INDEX_SPARSE;
	const uint64_t size = strlen(INDEX_MARKER) + sizeof(endian) + sizeof(version) +
			      sizeof(format) + sizeof(nr_rows) +
			      (uint64_t)nr_rows * sizeof(cells->path);
	char name[32];

	snprintf(name, sizeof(name), "%" PRIu32 ".index", number);
	put_header(file, name, size);
	fputs(INDEX_MARKER, file->out);
	fwrite(&endian, sizeof(endian), 1, file->out);
	fwrite(&version, sizeof(version), 1, file->out);
	fwrite(&format, sizeof(format), 1, file->out);
	fwrite(&nr_rows, sizeof(nr_rows), 1, file->out);
	for (size_t i = 0; i < nr; i++)
		if (i == 0 || cells[i].path != cells[i - 1].path)
			fwrite(&cells[i].path, sizeof(cells[i].path), 1, file->out);
	put_padding(file, size);
}

static void put_row(struct cube_file *file, bool is_count, const uint64_t *sums)
{
	const struct measure_profile *profile = &file->metrics->waits->profile;

	for (uint32_t i = 0; i < file->numbers.nr_locations; i++) {
		const double seconds = measure_profile_seconds(profile, sums[i]);

		fwrite(is_count ? (const void *)&sums[i] : (const void *)&seconds, 8, 1, file->out);
	}
}

static void put_data(struct cube_file *file, uint32_t number, const struct cube_cell *cells,
	size_t nr, uint32_t nr_rows)
{
	const uint32_t nr_locations = file->numbers.nr_locations;
	const uint64_t size = strlen(DATA_MARKER) + (uint64_t)nr_rows * nr_locations * 8;
	uint64_t *sums = measure_zeroed(nr_locations, sizeof(*sums));
	char name[32];

	snprintf(name, sizeof(name), "%" PRIu32 ".data", number);
	put_header(file, name, size);
	fputs(DATA_MARKER, file->out);
	for (size_t i = 0; i < nr; i++) {
		sums[cells[i].location] += cells[i].value;
		if (i + 1 < nr && cells[i + 1].path == cells[i].path)
			continue;
		put_row(file, file->metrics->items[number].is_count, sums);
		memset(sums, 0, nr_locations * sizeof(*sums));
	}
	put_padding(file, size);
	measure_free(sums);
}

/* Of one without values there are no files. */
static void put_metric(struct cube_file *file, uint32_t number)
{
	const struct cube_metric *metric = &file->metrics->items[number];
	uint32_t nr_rows;
	struct cube_cell *cells = make_cells(file, metric, &nr_rows);

	if (nr_rows > 0) {
		put_data(file, number, cells, metric->nr_values, nr_rows);
		put_index(file, number, cells, metric->nr_values, nr_rows);
	}
	measure_free(cells);
}

/* ---------------------------------------------------------------------------- file --- */

/* In the order of Cube's own writer. */
static void put_all(struct cube_file *file)
{
	char *anchor = NULL;
	size_t size = 0;
	FILE *xml = open_memstream(&anchor, &size);

	if (!xml)
		return;
	cube_write_anchor(file->metrics, &file->numbers, xml);
	fflush(xml);
	if (size % TAR_BLOCK == 0)
		fputc('\n', xml);
	fclose(xml);
	for (uint32_t i = 0; i < file->metrics->nr_items; i++)
		put_metric(file, i);
	put_header(file, "anchor.xml", size);
	fwrite(anchor, 1, size, file->out);
	put_padding(file, size);
	put_end(file);
	free(anchor);
	cube_numbers_free(&file->numbers);
}

measure_status_t measure_waits_write_cube(const struct measure_waits *waits, const char *path)
{
	struct cube_metrics metrics;
	struct cube_file file = {.out = fopen(path, "wxe"), .metrics = &metrics};
	bool is_good;
	int error;

	if (!file.out)
		return MEASURE_ERROR_IO;
	cube_metrics_find(&metrics, waits);
	put_all(&file);
	cube_metrics_free(&metrics);
	if (file.is_too_large)
		errno = EFBIG;
	is_good = !ferror(file.out) && !file.is_too_large;
	error = errno;
	if (fclose(file.out) != 0 && is_good)
		error = errno;
	else if (is_good)
		return MEASURE_OK;
	unlink(path);
	errno = error;
	return MEASURE_ERROR_IO;
}
