/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of parts by host; see part_hosts.h. */
#include "config.h"

#include "part_hosts.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "part_directory.h"
#include "parts.h"

#define LIST_MOST (64 << 20) /* bytes of a list */

static const char finished[] = ".\n";

static int hosts_open(int parts_fd)
{
	return measure_file_open_directory(parts_fd, MEASURE_HOSTS_NAME);
}

/* One write for each line: keepers of one host append to one file. */
static void append(int parts_fd, const char *line, size_t length)
{
	char host[256];
	const int hosts_fd = hosts_open(parts_fd);
	ssize_t nr_written;
	int fd;

	if (hosts_fd < 0)
		return;
	measure_host_name(host);
	fd = measure_file_open(hosts_fd, host, O_WRONLY | O_CREAT | O_APPEND);
	close(hosts_fd);
	if (fd < 0)
		return;
	nr_written = write(fd, line, length);
	(void)nr_written; /* a list that lacks a line only costs time */
	close(fd);
}

void measure_hosts_add(int parts_fd, const char *part)
{
	char line[MEASURE_PART_NAME + 1];
	const int length = snprintf(line, sizeof(line), "%s\n", part);

	mkdirat(parts_fd, MEASURE_HOSTS_NAME, 0777);
	if (length < (int)sizeof(line))
		append(parts_fd, line, (size_t)length);
}

void measure_hosts_finish(int parts_fd)
{
	append(parts_fd, finished, sizeof(finished) - 1);
}

/* ------------------------------------------------------------------------- this host --- */

/* Its lines, each ended by NUL; returns how many. */
static size_t split_lines(char *text, size_t size)
{
	size_t nr = 0;

	for (size_t i = 0; i < size; i++)
		if (text[i] == '\n') {
			text[i] = '\0';
			nr++;
		}
	return nr;
}

static const char *find_line(const char *text, size_t i)
{
	while (i-- > 0)
		text += strlen(text) + 1;
	return text;
}

/* Each begins at another place of the list, so that most find one that is alive at once. */
static bool has_kept(int parts_fd, char *text, size_t size)
{
	const size_t nr = split_lines(text, size);
	const size_t first = nr ? (size_t)getpid() % nr : 0;
	const char *line = find_line(text, first);

	for (size_t i = 0; i < nr; i++) {
		if (i == nr - first)
			line = text;
		if (*line != '.' && measure_part_is_kept(parts_fd, line))
			return true;
		line += strlen(line) + 1;
	}
	return false;
}

bool measure_hosts_has_kept(int parts_fd)
{
	const int hosts_fd = hosts_open(parts_fd);
	bool is_found = false;
	char host[256];
	uint8_t *text;
	size_t size;

	if (hosts_fd < 0)
		return false;
	measure_host_name(host);
	if (measure_file_load(hosts_fd, host, LIST_MOST, &text, &size) == MEASURE_OK) {
		is_found = has_kept(parts_fd, (char *)text, size);
		free(text);
	}
	close(hosts_fd);
	return is_found;
}

/* ------------------------------------------------------------------------ other hosts --- */

static bool is_open(int hosts_fd, const char *host)
{
	char end[sizeof(finished) - 1];
	const int fd = measure_file_open(hosts_fd, host, O_RDONLY);
	struct stat stat;
	size_t got = 0;
	bool is_read;

	if (fd < 0)
		return false;
	is_read = fstat(fd, &stat) == 0 && stat.st_size >= (off_t)sizeof(end) &&
		  measure_file_read_at(fd, end, sizeof(end),
			  (uint64_t)stat.st_size - sizeof(end), &got) == MEASURE_OK &&
		  got == sizeof(end);
	close(fd);
	return is_read && memcmp(end, finished, sizeof(end)) != 0;
}

bool measure_hosts_is_open(int parts_fd, const char *host)
{
	const int hosts_fd = hosts_open(parts_fd);
	bool is_found = false;

	if (hosts_fd < 0)
		return false;
	is_found = is_open(hosts_fd, host);
	close(hosts_fd);
	return is_found;
}

struct hosts_search {
	char own[256];
	char *found;
};

static measure_status_t look_at_host(void *data, int hosts_fd, const char *host)
{
	struct hosts_search *search = data;

	if (strlen(host) >= sizeof(search->own) || strcmp(host, search->own) == 0 ||
		!is_open(hosts_fd, host))
		return MEASURE_OK;
	strcpy(search->found, host);
	return MEASURE_ERROR_OFF; /* one is enough */
}

bool measure_hosts_find_open(int parts_fd, char host[256])
{
	const int hosts_fd = hosts_open(parts_fd);
	struct hosts_search search = {.found = host};
	bool is_found;

	if (hosts_fd < 0)
		return false;
	measure_host_name(search.own);
	is_found = measure_file_visit(hosts_fd, look_at_host, &search) == MEASURE_ERROR_OFF;
	close(hosts_fd);
	return is_found;
}
