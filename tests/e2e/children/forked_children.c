/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that forks in one of many ways. Compiled with -finstrument-functions: what children do
 * in work() is in the trace, if they are followed. */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int work(int n)
{
	return n < 2 ? n : work(n - 1) + work(n - 2);
}

static int wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		return -1;
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* The child returns to main() through functions that its parent has entered. */
static int in_region(int depth)
{
	pid_t child;

	if (depth > 0)
		return in_region(depth - 1) + (work(1) - 1);
	child = fork();
	if (child == 0)
		return 30 + work(5);
	printf("child %d\n", wait_for(child));
	return 0;
}

static int shallow(void)
{
	return in_region(3);
}

static int deep(void)
{
	return in_region(2000);
}

static int tree(void)
{
	pid_t child = fork();

	if (child == 0) {
		pid_t next = fork();
		if (next == 0)
			_exit(work(7));
		exit(work(6) + wait_for(next));
	}
	printf("child %d\n", wait_for(child));
	return 0;
}

/* ------------------------------------------------------------------------- threads --- */

static atomic_bool is_over;

static void *work_on(void *unused)
{
	(void)unused;
	while (!atomic_load(&is_over)) {
		work(5);
		usleep(100);
	}
	return NULL;
}

static void *work_once(void *result)
{
	*(int *)result = work(8);
	return NULL;
}

/* In a child that has one thread again. */
static int work_in_threads(int nr)
{
	pthread_t threads[4];
	int results[4], sum = 0;

	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, work_once, &results[i]);
	for (int i = 0; i < nr; i++) {
		pthread_join(threads[i], NULL);
		sum += results[i];
	}
	return sum;
}

static int with_threads(void)
{
	pthread_t threads[3];
	int sum = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work_on, NULL);
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(work_in_threads(2));
		sum += wait_for(child);
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("sum %d\n", sum);
	return 0;
}

static void *fork_some(void *sum)
{
	for (int i = 0; i < 5; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(work(7));
		*(int *)sum += wait_for(child);
	}
	return NULL;
}

/* Several at once. */
static int from_threads(void)
{
	pthread_t threads[4];
	int sums[4] = {0}, sum = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, fork_some, &sums[i]);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		sum += sums[i];
	}
	printf("sum %d\n", sum);
	return 0;
}

/* ------------------------------------------------------------------------- signals --- */

static volatile sig_atomic_t nr_handled, nr_right;

static void fork_in_handler(int number)
{
	int saved = errno;
	pid_t child = fork();

	(void)number;
	if (child == 0)
		_exit(work(5));
	nr_right += wait_for(child) == 5;
	nr_handled++;
	errno = saved;
}

/* Some of the signals come while a hook is at work. */
static int from_handler(void)
{
	struct itimerval soon = {{0, 0}, {0, 500}};

	signal(SIGALRM, fork_in_handler);
	for (int i = 0; i < 15; i++) {
		setitimer(ITIMER_REAL, &soon, NULL);
		while (nr_handled <= i) {
			work(8);
			usleep(20);
		}
	}
	printf("right %d\n", nr_right);
	return 0;
}

static volatile sig_atomic_t nr_ended;

static void count_ended(int number)
{
	(void)number;
	nr_ended++;
}

/* What the parent learns of its children. */
static int told(void)
{
	struct rusage usage;
	siginfo_t info = {0};
	pid_t child;
	int status;

	signal(SIGCHLD, count_ended);
	child = fork();
	if (child == 0)
		_exit(getppid() == getpgrp() ? 9 : work(4));
	while (nr_ended == 0)
		usleep(1000);
	waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
	printf("%d %d %d\n", info.si_pid == child, info.si_code == CLD_EXITED, info.si_status);
	wait4(child, &status, 0, &usage);
	printf("%d\n", WEXITSTATUS(status));
	child = fork();
	if (child == 0) {
		work(5);
		abort();
	}
	printf("%d\n", wait_for(child));
	child = fork();
	if (child == 0)
		raise(SIGSTOP);
	waitpid(child, &status, WUNTRACED);
	kill(child, SIGKILL);
	printf("%d %d\n", wait_for(child), waitpid(-1, &status, 0) == -1 && errno == ECHILD);
	printf("ended %d\n", nr_ended >= 3);
	return 0;
}

/* ------------------------------------------------------------------------ handlers --- */

static void first_before(void)
{
	printf("before 1\n");
}

static void second_before(void)
{
	printf("before 2 %d\n", work(3));
}

static void first_parent(void)
{
	printf("parent 1\n");
}

static void second_parent(void)
{
	printf("parent 2 %d\n", work(3));
}

static void first_child(void)
{
	printf("child 1 %d\n", work(3));
}

static void second_child(void)
{
	printf("child 2\n");
	fflush(stdout);
}

static int with_handlers(void)
{
	pid_t child;

	pthread_atfork(first_before, first_parent, first_child);
	pthread_atfork(second_before, second_parent, second_child);
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit(work(5));
	printf("child %d\n", wait_for(child));
	return 0;
}

/* It cannot be had: nothing else may change. */
static int refused(void)
{
	struct rlimit none = {0, 0}, old;
	pid_t child;

	if (getuid() == 0 && setuid(65534) != 0)
		return 99;
	getrlimit(RLIMIT_NPROC, &old);
	none.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_NPROC, &none);
	child = fork();
	printf("%d %d\n", child, errno == EAGAIN);
	setrlimit(RLIMIT_NPROC, &old);
	return work(4) - 3;
}

/* The one that goes on is nobody's child. Says on a descriptor of its own that it is done. */
static int become_daemon(void)
{
	if (daemon(1, 1) != 0)
		return 99;
	usleep(700 * 1000);
	printf("daemon %d\n", work(9));
	return 3;
}

/* ------------------------------------------- threads that have been cancelled already --- */

static char *const no_arguments[] = {(char *)"false", NULL};

static void *start_cancelled(void *data)
{
	pid_t *children = data;

	pthread_cancel(pthread_self());
	children[0] = fork();
	if (children[0] == 0)
		_exit(work(6));
	posix_spawn(&children[1], "/bin/false", NULL, NULL, no_arguments, environ);
	children[2] = vfork();
	if (children[2] == 0) {
		execv("/bin/false", no_arguments);
		_exit(99);
	}
	return NULL;
}

static int from_cancelled(void)
{
	pid_t children[3] = {-1, -1, -1};
	pthread_t thread;

	if (pthread_create(&thread, NULL, start_cancelled, children) != 0)
		return 99;
	pthread_join(thread, NULL);
	for (int i = 0; i < 3; i++)
		printf("child %d\n", wait_for(children[i]));
	return 0;
}

static void *replace_cancelled(void *unused)
{
	pthread_cancel(pthread_self());
	execv("/bin/false", no_arguments);
	return unused;
}

static int replaced(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, replace_cancelled, NULL) == 0)
		pthread_join(thread, NULL);
	return 99;
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		int (*function)(void);
	} ways[] = {{"region", shallow}, {"deep", deep}, {"tree", tree}, {"threads", with_threads},
		{"crowd", from_threads}, {"handler", from_handler}, {"told", told},
		{"atfork", with_handlers}, {"refused", refused}, {"daemon", become_daemon},
		{"cancelled", from_cancelled}, {"replaced", replaced}};

	for (size_t i = 0; count > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(arguments[1], ways[i].name) == 0)
			return ways[i].function();
	return 98;
}
