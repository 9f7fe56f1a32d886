/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading /proc and /sys; see procfs.h. */
#include "config.h"

#include "base/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Fields of /proc/PID/stat, counted from 1. */
#define STATE_FIELD   3 /* the one behind the command */
#define PARENT_FIELD  4
#define THREADS_FIELD 20
#define START_FIELD   22
#define STATUS_FIELD  52

ssize_t measure_text_read(const char *path, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got = -1;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	while (fd >= 0 && used < size - 1 && (got = read(fd, text + used, size - 1 - used)) > 0)
		used += (size_t)got;
	if (fd >= 0)
		close(fd);
	text[used] = '\0';
	return got < 0 ? -1 : (ssize_t)used;
}

void measure_node_read(char text[MEASURE_NODE_TEXT])
{
	struct utsname name = {.nodename = "unknown"};
	char boot[64];

	uname(&name);
	measure_text_read("/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	boot[strcspn(boot, "\n")] = '\0';
	snprintf(text, MEASURE_NODE_TEXT, "%s %s", boot, name.nodename);
}

/* /proc/PID/stat from its third field on, the state. The command before it is in brackets, and
 * may have brackets and blanks in it. NULL: it cannot be read. */
static const char *read_state(pid_t pid, char *text, size_t size)
{
	snprintf(text, size, "/proc/%d/stat", (int)pid);
	if (measure_text_read(text, text, size) < 0)
		return NULL;
	const char *place = strrchr(text, ')');
	return place && place[1] == ' ' && place[2] ? place + 2 : NULL;
}

static uint64_t number_at(const char *place, int number)
{
	for (int field = STATE_FIELD; field < number && place; field++) {
		place = strchr(place, ' ');
		place = place ? place + 1 : NULL;
	}
	return place ? strtoull(place, NULL, 10) : 0;
}

/* A first thread that has gone before the others looks as a dead process does, but for these. */
static bool is_dead_state(const char *state)
{
	return *state == 'X' || (*state == 'Z' && number_at(state, THREADS_FIELD) <= 1);
}

uint64_t measure_process_start(pid_t pid)
{
	char text[1024];
	const char *place = read_state(pid, text, sizeof(text));

	return !place || is_dead_state(place) ? 0 : number_at(place, START_FIELD);
}

bool measure_process_is_stopped(pid_t pid, uint64_t start)
{
	char text[1024];
	const char *place = read_state(pid, text, sizeof(text));

	return place && (*place == 'T' || *place == 't') && number_at(place, START_FIELD) == start;
}

pid_t measure_process_parent(pid_t pid)
{
	char text[1024];

	return (pid_t)number_at(read_state(pid, text, sizeof(text)), PARENT_FIELD);
}

bool measure_process_status(pid_t pid, int *status)
{
	char text[1024];
	const char *place = read_state(pid, text, sizeof(text));

	if (!place || !is_dead_state(place))
		return false;
	*status = (int)number_at(place, STATUS_FIELD);
	return true;
}

bool measure_process_is_dead(pid_t pid)
{
	char text[1024];

	if (kill(pid, 0) != 0)
		return errno == ESRCH;
	const char *state = read_state(pid, text, sizeof(text));
	return state && is_dead_state(state);
}

uint64_t measure_process_time(pid_t pid)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
		return 0;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}
