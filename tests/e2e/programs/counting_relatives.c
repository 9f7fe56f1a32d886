/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program whose work is done by four processes, as far as a trace is concerned, that count what
 * they do in files:
 *
 *	relatives ROUNDS COUNTS
 *
 * It works as COUNTS.0 while a forked child works (COUNTS.1) and becomes another program
 * (COUNTS.2), and again while one that is spawned does (COUNTS.3). Counted is what is over; a round
 * is a millisecond at least. With 0 rounds N works until there is a file COUNTS.N.over. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))

static volatile uint64_t *counts;
static const char *rounds, *prefix;

__attribute__((noinline)) static int step_0(int n)
{
	return n + 1;
}

QUIET static int begin(const char *number)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.%s", prefix, number);
	int fd = open(path, O_RDWR | O_CREAT, 0666);
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		_exit(99);
	counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return counts == MAP_FAILED || close(fd) != 0;
}

QUIET static int work(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++) {
		sum += step_0(i);
		counts[0]++;
	}
	usleep(1000);
	return sum;
}

QUIET static void work_all_rounds(const char *number)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.%s.over", prefix, number);
	for (int i = 0; i < atoi(rounds); i++)
		work();
	while (atoi(rounds) == 0 && access(path, F_OK) != 0)
		work();
}

QUIET static char **arguments_of(const char *number)
{
	static char *arguments[5];

	arguments[0] = "relatives";
	arguments[1] = (char *)(uintptr_t)rounds;
	arguments[2] = (char *)(uintptr_t)prefix;
	arguments[3] = (char *)(uintptr_t)number;
	return arguments;
}

QUIET static void be_child(void)
{
	if (begin("1") != 0)
		_exit(99);
	work_all_rounds("1");
	execv("/proc/self/exe", arguments_of("2"));
	_exit(98);
}

/* Its exit status, or -N after signal N. */
QUIET static int work_until_gone(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, WNOHANG) == 0)
		work();
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **arguments)
{
	pid_t child;

	if (count < 3)
		return 99;
	rounds = arguments[1];
	prefix = arguments[2];
	if (begin(count > 3 ? arguments[3] : "0") != 0)
		return 99;
	if (count > 3) {
		work_all_rounds(arguments[3]);
		return 3;
	}
	work();
	child = fork();
	if (child == 0)
		be_child();
	printf("child %d\n", work_until_gone(child));
	fflush(stdout);
	if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments_of("3"), environ) != 0)
		return 97;
	printf("child %d\n", work_until_gone(child));
	return 5;
}
