/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting measure-profile; see run_profile.h. */
#include "config.h"

#include "run_profile.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/posix.h"
#include "cli.h"
#include "run_tool.h"

#define PROGRAM        "measure-profile"
#define LIMIT_MS                                                                                   \
	50000 /* keepers wait 60 s for an archive; it looks at a bounded part of the events */

/* The lines that come until the other end is closed. False: it took too long. */
static bool read_lines(int fd, char text[MEASURE_PROFILE_TEXT])
{
	const int64_t deadline = measure_now_ms() + LIMIT_MS;
	size_t used = 0;

	for (int64_t left; (left = deadline - measure_now_ms()) > 0;) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		char rest[256];
		if (poll(&ready, 1, (int)left) <= 0)
			continue;
		ssize_t got = used + 1 < MEASURE_PROFILE_TEXT
				      ? read(fd, text + used, MEASURE_PROFILE_TEXT - 1 - used)
				      : read(fd, rest, sizeof(rest));
		if (got == 0 || (got < 0 && errno != EINTR)) {
			used -= used > 0 && text[used - 1] == '\n';
			text[used] = '\0';
			return true;
		}
		if (got > 0 && used + 1 < MEASURE_PROFILE_TEXT)
			used += (size_t)got;
	}
	return false;
}

/* What has failed, in one line. */
static void describe(int status, char text[MEASURE_PROFILE_TEXT])
{
	text[strcspn(text, "\n")] = '\0';
	if (WIFSIGNALED(status))
		snprintf(text, MEASURE_PROFILE_TEXT, PROGRAM " was killed by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (!text[0])
		snprintf(text, MEASURE_PROFILE_TEXT, PROGRAM " ended with status %d",
			WEXITSTATUS(status));
}

static bool await(pid_t pid, int fd, char text[MEASURE_PROFILE_TEXT])
{
	const bool is_in_time = read_lines(fd, text);
	int status = 0;
	pid_t got;

	if (!is_in_time)
		kill(pid, SIGKILL);
	do
		got = waitpid(pid, &status, 0);
	while (got < 0 && errno == EINTR);
	if (!is_in_time)
		snprintf(text, MEASURE_PROFILE_TEXT, PROGRAM " did not end within %d s",
			LIMIT_MS / 1000);
	else if (!WIFEXITED(status) || WEXITSTATUS(status) > MEASURE_EXIT_FOUND)
		describe(status, text);
	else
		return true;
	return false;
}

bool measure_run_profile(const char *directory, char text[MEASURE_PROFILE_TEXT])
{
	const char *arguments[] = {PROGRAM, "--write", "--", directory, NULL};
	struct measure_tool_run tool;
	char path[PATH_MAX];
	int error = measure_tool_start(PROGRAM, arguments, path, &tool);

	if (error != 0) {
		snprintf(text, MEASURE_PROFILE_TEXT, "%.1024s cannot be started: %s", path,
			strerror(error));
		return false;
	}
	bool is_done = await(tool.pid, tool.output, text);
	close(tool.output);
	return is_done;
}

bool measure_run_profile_or_say(
	const char *directory, const char *name, char text[MEASURE_PROFILE_TEXT])
{
	bool is_done = measure_run_profile(directory, text);

	if (!is_done)
		measure_cli_say("%s: the archive is complete, but has no summary: %s; to make one, "
				"run: measure-profile --write %s",
			name, text, name);
	return is_done;
}
