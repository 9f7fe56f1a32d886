/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What ends the tool: seen from outside. */
#ifndef MEASURE_TEST_TRACE_ENDS_H
#define MEASURE_TEST_TRACE_ENDS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Does the function end its process with status 2 and one line that has these words? */
static inline bool t_ends(void (*function)(void), const char *words)
{
	char said[4096] = "", *end;
	int pipe_fds[2], status;
	ssize_t got;
	pid_t pid;

	if (pipe(pipe_fds) != 0)
		return false;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(pipe_fds[1], STDERR_FILENO);
		function();
		_exit(0);
	}
	close(pipe_fds[1]);
	got = read(pipe_fds[0], said, sizeof(said) - 1);
	close(pipe_fds[0]);
	waitpid(pid, &status, 0);
	end = strchr(said, '\n');
	return got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 2 && strstr(said, words) &&
	       end == said + got - 1;
}

#endif
