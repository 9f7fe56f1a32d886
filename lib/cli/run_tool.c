/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starting a tool; see run_tool.h. */
#include "config.h"

#include "run_tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_VARIABLES 16

extern char **environ;

/* Beside this program, also where both were moved to. */
void measure_tool_find(const char *name, char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - strlen(name) - 2);

	path[length > 0 ? length : 0] = '\0';
	if (length > 0)
		strcpy(strrchr(path, '/') + 1, name);
	if (length <= 0 || access(path, X_OK) != 0)
		snprintf(path, PATH_MAX, "%s/%s", MEASURE_BINDIR, name);
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
static int spawn(const char *path, const char *const *arguments, int output, pid_t *pid)
{
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
	int error =
		posix_spawn(pid, path, &actions, &attributes, (char *const *)arguments, variables);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

int measure_tool_start(const char *name, const char *const *arguments, char path[PATH_MAX],
	struct measure_tool_run *tool)
{
	int ends[2];

	measure_tool_find(name, path);
	int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
	if (error != 0)
		return error;
	error = spawn(path, arguments, ends[1], &tool->pid);
	close(ends[1]);
	if (error != 0)
		close(ends[0]);
	else
		tool->output = ends[0];
	return error;
}
