/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Children do what they like with their descriptors: nothing of it is recorded, and the parent's
 * stay what they are. With vfork() the child does so in the parent's memory. */
#include "config.h"

#include <spawn.h>
#include <sys/wait.h>

#include "t_io.h"

extern char **environ;

static int fd;
static char path[512];

static void wait_for(pid_t child)
{
	int status;

	T_MUST(waitpid(child, &status, 0) == child && status == 0);
}

static void forked(void)
{
	const pid_t child = fork();

	if (child == 0) {
		T_MUST(write(fd, "child", 5) == 5);
		T_MUST(dup2(fd, 1) == 1 && close(fd) == 0);
		T_MUST(printf("more\n") == 5 && fclose(stdout) == 0);
		_exit(0);
	}
	wait_for(child);
}

/* As a shell does; the lowest number is free in the child only. */
static void shared_memory(void)
{
	char *const arguments[] = {(char *)"true", NULL};
	const pid_t child = vfork();

	if (child == 0) {
		close(0);
		dup2(fd, 1);
		dup2(open("/dev/null", O_RDONLY), 2);
		close(fd);
		execvp(arguments[0], arguments);
		_exit(1);
	}
	wait_for(child);
}

static void spawned(void)
{
	char *const arguments[] = {(char *)"true", NULL};
	pid_t child;

	T_MUST(posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ) == 0);
	wait_for(child);
}

int main(void)
{
	char *text = t_path(path, "file");

	unsetenv("LD_PRELOAD"); /* what the children become is no matter */
	fd = open(text, O_RDWR | O_CREAT, 0600);
	T_MUST(fd >= 0);
	forked();
	shared_memory();
	spawned();
	T_MUST(write(fd, "parent", 6) == 6);
	close(fd);
	unlink(text);
	t_events("io_create_handle", 1);
	t_events("io_duplicate_handle", 0);
	t_events("io_operation_begin", 1);
	t_events("io_operation_complete", 1);
	t_events("io_destroy_handle", 1);
	return 0;
}
