/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that behaves in one of many ways: what `measure` must not change. Compiled with
 * -finstrument-functions. */
#include "config.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "constructed.h"

extern char **environ;

static int work(int n)
{
	return n < 2 ? n : work(n - 1) + work(n - 2);
}

static int read_stdin(void)
{
	char line[256];
	unsigned long sum = 0;

	while (fgets(line, sizeof(line), stdin))
		for (char *c = line; *c; c++)
			sum = sum * 31 + (unsigned char)*c;
	printf("%lu\n", sum);
	return 0;
}

/* No word of a sanitizer before the real thing. */
__attribute__((no_sanitize("undefined"))) static int die(int number)
{
	printf("before signal %d %d\n", number, work(5));
	fflush(stdout);
	if (number == SIGABRT)
		abort();
	if (number == SIGSEGV)
		*(volatile int *)0 = 0;
	raise(number);
	return 99;
}

static int leave_early(void)
{
	printf("lost in the buffer");
	work(5);
	_exit(3);
}

/* By the system call itself, while the helper for its event memory is there. */
static int leave_alone(void)
{
	work(22);
	syscall(SYS_exit, 4);
	return 99;
}

static int fork_and_write(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		printf("child %d\n", work(10));
		exit(4);
	}
	waitpid(child, &status, 0);
	printf("parent %d %d\n", work(10), WEXITSTATUS(status));
	return 0;
}

/* The child lives on after its parent. */
static int fork_and_leave(void)
{
	int ends[2];
	char c;

	if (pipe(ends) != 0)
		return 99;
	if (fork() == 0) {
		close(ends[1]);
		if (read(ends[0], &c, 1) < 0) /* until the parent is gone */
			exit(99);
		printf("child %d\n", work(10));
		exit(0);
	}
	printf("parent %d\n", work(10));
	return 5;
}

static int exec_other(void)
{
	char *arguments[] = {(char *)"echo", (char *)"executed", NULL};

	work(5);
	execvp("echo", arguments);
	return 99;
}

static int vfork_and_exec(void)
{
	int status;
	pid_t child = vfork();

	if (child == 0) {
		execlp("sh", "sh", "-c", "echo from the child; exit 6", (char *)NULL);
		_exit(99);
	}
	waitpid(child, &status, 0);
	printf("status %d %d\n", WEXITSTATUS(status), work(10));
	return 0;
}

static int vfork_and_exit(void)
{
	int status;
	pid_t child = vfork();

	if (child == 0)
		_exit(7);
	waitpid(child, &status, 0);
	printf("status %d %d\n", WEXITSTATUS(status), work(10));
	return 0;
}

static int spawn(void)
{
	char *arguments[] = {(char *)"sh", (char *)"-c", (char *)"env | grep -v ^_=; exit 8", NULL};
	pid_t child;
	int status;

	if (posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) != 0)
		return 99;
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static int many_forks(void)
{
	int sum = 0, status;

	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(work(8) + i);
		waitpid(child, &status, 0);
		sum += WEXITSTATUS(status);
	}
	printf("sum %d\n", sum);
	return 0;
}

static void handle(int number)
{
	static const char text[] = "handled\n";

	if (work(5) == 5 && write(STDOUT_FILENO, text, sizeof(text) - 1) > 0)
		_exit(number);
}

/* Tells that it is ready, then works until a signal comes. */
static int wait_for_signal(int number)
{
	signal(number, handle);
	printf("ready\n");
	fflush(stdout);
	for (;;)
		if (work(16) == 0)
			return 0;
}

static int work_long(void)
{
	volatile int sum = 0;

	for (int i = 0; i < 30000; i++) {
		if (i == 100) { /* several chunks are full */
			printf("ready\n");
			fflush(stdout);
		}
		sum += work(12);
		usleep(1000);
	}
	return sum;
}

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "";
	static const struct {
		const char *name;
		int (*function)(void);
	} ways[] = {{"stdin", read_stdin}, {"_exit", leave_early}, {"sys-exit", leave_alone},
		{"fork", fork_and_write}, {"orphan", fork_and_leave}, {"exec", exec_other},
		{"vfork-exec", vfork_and_exec}, {"vfork-exit", vfork_and_exit}, {"spawn", spawn},
		{"forks", many_forks}, {"long", work_long}, {"constructor", constructed}};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(how, ways[i].name) == 0)
			return ways[i].function();
	if (strcmp(how, "signal") == 0 && count > 2)
		return die(atoi(arguments[2]));
	if (strcmp(how, "wait") == 0 && count > 2)
		return wait_for_signal(atoi(arguments[2]));
	if (strcmp(how, "exit") == 0 && count > 2)
		return work(5) == 5 ? atoi(arguments[2]) : 99;
	return 98;
}
