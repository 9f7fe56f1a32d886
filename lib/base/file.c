/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whole reads and writes; see file.h. */
#include "config.h"

#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_BLOCK (1024 * 1024)

measure_status_t measure_file_read_at(int fd, void *data, size_t size, uint64_t offset,
	size_t *got)
{
	uint8_t *bytes = data;

	*got = 0;
	while (*got < size) {
		ssize_t n = pread(fd, bytes + *got, size - *got, (off_t)(offset + *got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return MEASURE_ERROR_IO;
		if (n == 0)
			break;
		*got += (size_t)n;
	}
	return MEASURE_OK;
}

measure_status_t measure_file_write_at(int fd, const void *data, size_t size, uint64_t offset)
{
	const uint8_t *bytes = data;

	while (size > 0) {
		ssize_t n = pwrite(fd, bytes, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n == 0 ? ENOSPC : errno;
			return MEASURE_ERROR_IO;
		}
		bytes += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return MEASURE_OK;
}

int measure_file_open(int directory_fd, const char *name, int flags)
{
	struct stat stat;
	int fd = openat(
		directory_fd, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);

	if (fd < 0 || (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

int measure_file_open_directory(int directory_fd, const char *name)
{
	return openat(directory_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

measure_status_t measure_file_load(
	int directory_fd, const char *name, size_t most, uint8_t **data, size_t *size)
{
	measure_status_t status = MEASURE_ERROR_IO;
	struct stat stat;
	int fd = measure_file_open(directory_fd, name, O_RDONLY);

	if (fd < 0)
		return errno == ENOENT ? MEASURE_ERROR_NOT_FOUND : MEASURE_ERROR_IO;
	if (fstat(fd, &stat) != 0)
		goto undo_open;
	size_t wanted = (uint64_t)stat.st_size < most ? (size_t)stat.st_size : most;
	uint8_t *bytes = malloc(wanted + 1);
	status = MEASURE_ERROR_MEMORY;
	if (!bytes)
		goto undo_open;
	status = measure_file_read_at(fd, bytes, wanted, 0, size);
	if (status != MEASURE_OK) {
		free(bytes);
		goto undo_open;
	}
	bytes[*size] = 0;
	*data = bytes;
undo_open:
	close(fd);
	return status;
}

measure_status_t measure_file_store(int directory_fd, const char *name, const void *data,
	size_t size)
{
	int fd = measure_file_open(directory_fd, name, O_WRONLY | O_CREAT | O_TRUNC);

	if (fd < 0)
		return MEASURE_ERROR_IO;
	measure_status_t status = measure_file_write_at(fd, data, size, 0);
	if (close(fd) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	return status;
}

static measure_status_t copy_bytes(int from, int to)
{
	uint8_t *block = malloc(COPY_BLOCK);
	measure_status_t status = block ? MEASURE_OK : MEASURE_ERROR_MEMORY;
	uint64_t offset = 0;
	size_t got = COPY_BLOCK;

	while (status == MEASURE_OK && got == COPY_BLOCK) {
		status = measure_file_read_at(from, block, COPY_BLOCK, offset, &got);
		if (status == MEASURE_OK)
			status = measure_file_write_at(to, block, got, offset);
		offset += got;
	}
	free(block);
	return status;
}

measure_status_t measure_file_copy(int from_directory, const char *from, int to_directory,
	const char *to)
{
	measure_status_t status = MEASURE_OK;
	int in = measure_file_open(from_directory, from, O_RDONLY);

	if (in < 0)
		return MEASURE_ERROR_IO;
	int out = measure_file_open(to_directory, to, O_WRONLY | O_CREAT | O_EXCL);
	if (out < 0) {
		close(in);
		return MEASURE_ERROR_IO;
	}
	if (ioctl(out, FICLONE, in) != 0)
		status = copy_bytes(in, out);
	close(in);
	if (close(out) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	return status;
}

/* Opened anew: a descriptor's reading position is shared with its copies. */
static DIR *open_list(int directory_fd)
{
	int fd = openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !list)
		close(fd);
	return list;
}

measure_status_t measure_file_visit(int directory_fd, measure_file_visit_fn visit, void *data)
{
	measure_status_t status = MEASURE_OK;
	DIR *list = open_list(directory_fd);

	if (!list)
		return MEASURE_ERROR_IO;
	for (struct dirent *entry; status == MEASURE_OK && (entry = readdir(list));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			status = visit(data, directory_fd, entry->d_name);
	closedir(list);
	return status;
}

/* All that can be removed; `data`: the first failure. */
static measure_status_t remove_entry(void *data, int directory_fd, const char *name)
{
	measure_status_t status = measure_file_remove_tree(directory_fd, name), *first = data;

	if (*first == MEASURE_OK)
		*first = status;
	return MEASURE_OK;
}

measure_status_t measure_file_remove_tree(int directory_fd, const char *name)
{
	measure_status_t status = MEASURE_OK;

	if (unlinkat(directory_fd, name, 0) == 0 || errno == ENOENT)
		return MEASURE_OK;
	if (errno != EISDIR && errno != EPERM)
		return MEASURE_ERROR_IO;

	int fd = measure_file_open_directory(directory_fd, name);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	if (measure_file_visit(fd, remove_entry, &status) != MEASURE_OK)
		status = MEASURE_ERROR_IO;
	close(fd);
	if (status == MEASURE_OK && unlinkat(directory_fd, name, AT_REMOVEDIR) != 0)
		status = MEASURE_ERROR_IO;
	return status;
}
