/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Journals as files; see journal_file.h. */
#include "config.h"

#include "journal_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

measure_status_t measure_journal_visit(const uint8_t *data, size_t size,
	measure_journal_record_fn visit, void *context, size_t *end)
{
	struct measure_journal_reader reader = {data, size, 0};
	measure_status_t status = MEASURE_OK;
	struct measure_decoder payload;
	uint32_t kind;

	while (status == MEASURE_OK && measure_journal_next(&reader, &kind, &payload) == MEASURE_OK)
		status = visit ? visit(context, kind, &payload) : MEASURE_OK;
	*end = reader.position;
	return status;
}

measure_status_t measure_journal_append(int directory_fd, const char *name, const uint8_t *frames,
	size_t size)
{
	uint8_t *data = NULL;
	size_t end = 0, old_size = 0;
	measure_status_t status =
		measure_file_load(directory_fd, name, MEASURE_JOURNAL_MOST, &data, &old_size);

	if (status != MEASURE_OK && status != MEASURE_ERROR_NOT_FOUND)
		return status;
	if (data)
		measure_journal_visit(data, old_size, NULL, NULL, &end);
	free(data);

	int fd = measure_file_open(directory_fd, name, O_WRONLY | O_CREAT);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	status = ftruncate(fd, (off_t)end) == 0 ? MEASURE_OK : MEASURE_ERROR_IO;
	if (status == MEASURE_OK)
		status = measure_file_write_at(fd, frames, size, end);
	if (close(fd) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	return status;
}

uint8_t *measure_frames_place(struct measure_frames *frames, size_t size)
{
	size_t end = frames->bytes.nr;

	if (frames->status == MEASURE_OK)
		frames->status = measure_array_reserve(&frames->bytes, end + size);
	if (frames->status != MEASURE_OK)
		return NULL;
	frames->bytes.nr += size;
	return frames->bytes.items + end;
}

measure_status_t measure_frames_append(
	struct measure_frames *frames, int directory_fd, const char *name)
{
	measure_status_t status = frames->status;

	if (status == MEASURE_OK && frames->bytes.nr)
		status = measure_journal_append(
			directory_fd, name, frames->bytes.items, frames->bytes.nr);
	free(frames->bytes.items);
	return status;
}
