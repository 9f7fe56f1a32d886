/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Event files of sampled metrics; see sample_file.h. */
#include "config.h"

#include "sample_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "location_file.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "metric.h"
#include "format/event_chunk.h"
#include "format/event_encode.h"

/* Timestamp; type, length, class and number; each value with its type and its length; and what
 * stores touch beyond. */
#define RECORD_SIZE (9 + 2 + 5 + 1 + 10 * MEASURE_MOST_SAMPLED + 8)
_Static_assert(2 + 5 + 1 + 10 * MEASURE_MOST_SAMPLED <= UINT8_MAX, "its length fits");

static const char *const names[MEASURE_SERIES] = {
	[MEASURE_METRIC_PROCESS] = MEASURE_SAMPLES_OF_PROCESS,
	[MEASURE_METRIC_NODE] = MEASURE_SAMPLES_OF_NODE,
	[MEASURE_SAMPLED_SCOPES] = MEASURE_SAMPLES_OF_PLUGIN("0"),
	[MEASURE_SAMPLED_SCOPES + 1] = MEASURE_SAMPLES_OF_PLUGIN("1"),
	[MEASURE_SAMPLED_SCOPES + 2] = MEASURE_SAMPLES_OF_PLUGIN("2"),
	[MEASURE_SAMPLED_SCOPES + 3] = MEASURE_SAMPLES_OF_PLUGIN("3"),
};
_Static_assert(MEASURE_SAMPLED_PLUGINS == 4, "each has a file");

const char *measure_sample_file_name(uint32_t series)
{
	return series < MEASURE_SERIES ? names[series] : NULL;
}

/* Where it ends. */
static measure_status_t stand(struct measure_sample_file *file)
{
	struct measure_location_state state = {0};
	measure_status_t status = measure_location_file_walk(
		file->fd, file->chunk_size, UINT64_MAX, file->chunk, &state);

	free(state.open.items);
	file->sequence = state.sequence;
	file->end = file->written = state.end;
	file->nr_events = state.nr_events;
	file->last_time = state.last_time;
	return status;
}

static measure_status_t open_at(int part_fd, uint32_t series, int flags, uint32_t chunk_size,
	struct measure_sample_file *file)
{
	*file = (struct measure_sample_file){
		.fd = measure_file_open(part_fd, names[series], flags), .chunk_size = chunk_size};
	if (file->fd < 0)
		return errno == ENOENT ? MEASURE_ERROR_NOT_FOUND : MEASURE_ERROR_IO;
	file->chunk = calloc(1, chunk_size);
	measure_status_t status = file->chunk ? stand(file) : MEASURE_ERROR_MEMORY;
	if (status != MEASURE_OK)
		measure_sample_file_close(file);
	return status;
}

measure_status_t measure_sample_file_open(
	int part_fd, uint32_t series, uint32_t chunk_size, struct measure_sample_file *file)
{
	return open_at(part_fd, series, O_RDWR | O_CREAT, chunk_size, file);
}

void measure_sample_file_close(struct measure_sample_file *file)
{
	free(file->chunk);
	close(file->fd);
}

/* What is not in the file yet, up to `end`. */
static measure_status_t write_up_to(struct measure_sample_file *file, size_t end)
{
	return measure_file_write_at(file->fd, file->chunk + file->written, end - file->written,
		file->sequence * file->chunk_size + file->written);
}

/* All but the last chunk have their full size. */
static measure_status_t begin_chunk(struct measure_sample_file *file)
{
	if (file->end > 0) {
		measure_chunk_seal(
			file->chunk, file->chunk_size, file->end, file->nr_events, false);
		file->written = 0;
		measure_status_t status = write_up_to(file, file->chunk_size);
		if (status != MEASURE_OK)
			return status;
		file->sequence++;
	}
	file->end = measure_chunk_begin(file->chunk, file->nr_events + 1);
	file->written = 0;
	return MEASURE_OK;
}

measure_status_t measure_sample_file_put(struct measure_sample_file *file, uint64_t time,
	uint32_t metric_class, const uint8_t *types, const union measure_metric_value *values,
	uint32_t nr)
{
	measure_status_t status = nr <= MEASURE_MOST_SAMPLED ? MEASURE_OK : MEASURE_ERROR_USAGE;

	if (status == MEASURE_OK && (file->end == 0 || file->end + RECORD_SIZE > file->chunk_size))
		status = begin_chunk(file);
	if (status != MEASURE_OK)
		return status;
	if (time < file->last_time)
		time = file->last_time;
	uint8_t *place = file->chunk + file->end;
	place = measure_put_full(measure_put_u8(place, MEASURE_OTF2_TIMESTAMP), time);
	place = measure_put_metric(place, metric_class, (uint8_t)nr, types, (const void *)values);
	size_t end = (size_t)(place - file->chunk);
	status = write_up_to(file, end);
	if (status != MEASURE_OK)
		return status;
	file->end = file->written = end;
	file->nr_events++;
	file->last_time = time;
	return MEASURE_OK;
}

/* The last chunk ends with its events. */
static measure_status_t end_file(struct measure_sample_file *file)
{
	size_t used =
		measure_chunk_seal(file->chunk, file->chunk_size, file->end, file->nr_events, true);
	uint64_t offset = file->sequence * file->chunk_size;
	measure_status_t status = measure_file_write_at(file->fd, file->chunk, used, offset);

	if (status == MEASURE_OK && ftruncate(file->fd, (off_t)(offset + used)) != 0)
		status = MEASURE_ERROR_IO;
	return status;
}

static measure_status_t finish_file(
	int part_fd, uint32_t series, uint32_t chunk_size, uint64_t *end_time)
{
	struct measure_sample_file file;
	measure_status_t status = open_at(part_fd, series, O_RDWR, chunk_size, &file);

	if (status != MEASURE_OK)
		return status == MEASURE_ERROR_NOT_FOUND ? MEASURE_OK : status;
	if (file.nr_events > 0)
		status = end_file(&file);
	else
		unlinkat(part_fd, names[series], 0);
	if (file.last_time >= *end_time)
		*end_time = file.last_time + 1;
	measure_sample_file_close(&file);
	return status;
}

measure_status_t measure_sample_files_finish(int part_fd, uint32_t chunk_size, uint64_t *end_time)
{
	measure_status_t status = MEASURE_OK;

	for (uint32_t series = 0; series < MEASURE_SERIES && status == MEASURE_OK; series++)
		if (names[series])
			status = finish_file(part_fd, series, chunk_size, end_time);
	return status;
}
