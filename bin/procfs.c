/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading /proc; see procfs.h. */
#include "config.h"

#include "procfs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define START_FIELD 22 /* of /proc/PID/stat, counted from 1; the command is 2, the state 3 */

bool measure_file_read(const char *path, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	while (used < size - 1 && (got = read(fd, text + used, size - 1 - used)) > 0)
		used += (size_t)got;
	close(fd);
	text[used] = '\0';
	return got >= 0;
}

uint64_t measure_process_start(pid_t pid)
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!measure_file_read(path, text, sizeof(text)))
		return 0;
	/* The command is in brackets and may have brackets and blanks in it. */
	char *place = strrchr(text, ')');
	if (!place || place[1] != ' ' || strchr("ZX", place[2]))
		return 0;
	place += 2;
	for (int field = 3; field < START_FIELD && place; field++) {
		place = strchr(place, ' ');
		place = place ? place + 1 : NULL;
	}
	return place ? strtoull(place, NULL, 10) : 0;
}
