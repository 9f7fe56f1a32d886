/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that makes another process, or becomes another program, when it is told to:
 *
 *	unanswered HOW FIFO	reads a byte, and does that; "over": it is what was to be made
 *
 * HOW is fork, exec, spawn, or late: a child that has to wait for FIFO before it becomes another
 * program. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const after[] = {(char *)"unanswered", (char *)"over", NULL};

static pid_t spawn(const char *fifo)
{
	posix_spawn_file_actions_t actions;
	pid_t child = -1;

	posix_spawn_file_actions_init(&actions);
	if (fifo)
		posix_spawn_file_actions_addopen(&actions, 5, fifo, O_RDONLY, 0);
	posix_spawn(&child, "/proc/self/exe", &actions, NULL, after, environ);
	posix_spawn_file_actions_destroy(&actions);
	return child;
}

static pid_t begin(const char *how, const char *fifo)
{
	pid_t child;

	if (strcmp(how, "exec") == 0)
		return execv("/proc/self/exe", after);
	if (strcmp(how, "spawn") == 0)
		return spawn(NULL);
	if (strcmp(how, "late") == 0)
		return spawn(fifo);
	child = fork();
	if (child == 0)
		_exit(0);
	return child;
}

int main(int count, char **arguments)
{
	char byte;

	if (count == 2)
		return 0;
	if (count != 3 || read(STDIN_FILENO, &byte, 1) != 1 ||
		begin(arguments[1], arguments[2]) < 0)
		return 1;
	return wait(NULL) < 0;
}
