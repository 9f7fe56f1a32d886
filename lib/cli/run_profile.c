/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting measure-profile; see run_profile.h. */
#include "config.h"

#include "run_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/posix.h"
#include "cli.h"

#define PROGRAM        "measure-profile"
#define LIMIT_MS                                                                                   \
	50000 /* keepers wait 60 s for an archive; it looks at a bounded part of the events */
#define MOST_VARIABLES 16

extern char **environ;

/* Beside this program, also where both were moved to. */
static void find_program(char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof("/" PROGRAM));

	path[length > 0 ? length : 0] = '\0';
	if (length > 0)
		strcpy(strrchr(path, '/'), "/" PROGRAM);
	if (length <= 0 || access(path, X_OK) != 0)
		snprintf(path, PATH_MAX, "%s/%s", MEASURE_BINDIR, PROGRAM);
}

/* What is meant for the loader; no preloaded object, ours of another run least of all. */
static void choose_environment(char *variables[MOST_VARIABLES])
{
	size_t nr = 0;

	for (char **variable = environ; *variable && nr < MOST_VARIABLES - 1; variable++)
		if (strncmp(*variable, "LD_LIBRARY_PATH=", 16) == 0 ||
			strstr(*variable, "SAN_OPTIONS="))
			variables[nr++] = *variable;
	variables[nr] = NULL;
}

/* Returns an errno. Both its outputs go to `output`. */
static int spawn(const char *path, const char *directory, int output, pid_t *pid)
{
	char *arguments[] = {
		(char *)PROGRAM, (char *)"--write", (char *)"--", (char *)directory, NULL};
	char *variables[MOST_VARIABLES];
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, usual;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGCHLD);
	sigaddset(&usual, SIGPIPE);
	choose_environment(variables);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	int error = posix_spawn(pid, path, &actions, &attributes, arguments, variables);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

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
	char path[PATH_MAX];
	int ends[2];
	pid_t pid;

	find_program(path);
	int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
	if (error == 0) {
		error = spawn(path, directory, ends[1], &pid);
		close(ends[1]);
		if (error != 0)
			close(ends[0]);
	}
	if (error != 0) {
		snprintf(text, MEASURE_PROFILE_TEXT, "%.1024s cannot be started: %s", path,
			strerror(error));
		return false;
	}
	bool is_done = await(pid, ends[0], text);
	close(ends[0]);
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
