/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of packed numbers; see profile_file.h. */
#include "config.h"

#include "profile_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"

#define FORMAT_VERSION 1

struct profile_file_head {
	char magic[8];
	uint64_t version;
	struct measure_profile_note note;
	uint64_t size, checksum;
};

static const char magic[8] = {'M', 'E', 'A', 'S', 'P', 'R', 'O', 'F'};

measure_status_t measure_profile_file_store(int directory_fd, const char *name,
	struct measure_profile_note note, const void *data, size_t size)
{
	struct profile_file_head head = {.version = FORMAT_VERSION, .note = note, .size = size};
	measure_profile_pack_t bytes = {.nr = 0};
	measure_status_t status = measure_array_reserve(&bytes, sizeof(head) + size);
	char new_name[64];

	if (status != MEASURE_OK)
		return status;
	memcpy(head.magic, magic, sizeof(magic));
	head.checksum = measure_hash(MEASURE_HASH_START, data, size);
	memcpy(bytes.items, &head, sizeof(head));
	memcpy(bytes.items + sizeof(head), data, size);
	snprintf(new_name, sizeof(new_name), "%s.new", name);
	status = measure_file_store(directory_fd, new_name, bytes.items, sizeof(head) + size);
	if (status == MEASURE_OK && renameat(directory_fd, new_name, directory_fd, name) != 0)
		status = MEASURE_ERROR_IO;
	free(bytes.items);
	return status;
}

static bool is_whole(const uint8_t *bytes, size_t size)
{
	struct profile_file_head head;

	if (size < sizeof(head))
		return false;
	memcpy(&head, bytes, sizeof(head));
	return memcmp(head.magic, magic, sizeof(magic)) == 0 && head.version == FORMAT_VERSION &&
	       head.size == size - sizeof(head) &&
	       head.checksum == measure_hash(MEASURE_HASH_START, bytes + sizeof(head), head.size);
}

measure_status_t measure_profile_file_load(
	int directory_fd, const char *name, uint8_t **bytes, const void **data, size_t *size)
{
	size_t all;
	measure_status_t status =
		measure_file_load(directory_fd, name, MEASURE_PROFILE_FILE_MOST, bytes, &all);

	if (status != MEASURE_OK)
		return status;
	if (!is_whole(*bytes, all)) {
		free(*bytes);
		return MEASURE_ERROR_FORMAT;
	}
	*data = *bytes + sizeof(struct profile_file_head);
	*size = all - sizeof(struct profile_file_head);
	return MEASURE_OK;
}

struct measure_profile_note measure_profile_file_note(int directory_fd, const char *name)
{
	static const struct measure_profile_note nothing;
	struct profile_file_head head = {.version = 0};
	size_t got = 0;
	int fd = measure_file_open(directory_fd, name, O_RDONLY);

	if (fd < 0)
		return nothing;
	measure_file_read_at(fd, &head, sizeof(head), 0, &got);
	close(fd);
	return got == sizeof(head) && memcmp(head.magic, magic, sizeof(magic)) == 0 &&
			       head.version == FORMAT_VERSION
		       ? head.note
		       : nothing;
}
