/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's threads are recorded, those of a run-time library are not; nor is anything in a
 * forked child. */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t_thread.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *data)
{
	T_MUST(pthread_mutex_lock(&lock) == 0);
	T_MUST(pthread_mutex_unlock(&lock) == 0);
	return data;
}

/* A library whose name begins as that of an MPI library. */
static int quiet_work(void)
{
	void *library = dlopen(".libs/libmpi-quiet.so", RTLD_NOW | RTLD_LOCAL);
	int (*quiet)(void) = library ? (int (*)(void))dlsym(library, "quiet_work") : NULL;

	return quiet ? quiet() : 0;
}

static void run(void)
{
	pthread_t thread;

	T_MUST(pthread_create(&thread, NULL, work, NULL) == 0);
	T_MUST(pthread_join(thread, NULL) == 0);
}

int main(void)
{
	int status;
	pid_t child;

	T_MUST(pthread_mutex_lock(&lock) == 0);
	child = fork();
	if (child == 0) {
		pthread_mutex_unlock(&lock);
		run();
		_exit(7);
	}
	T_MUST(pthread_mutex_unlock(&lock) == 0);
	T_MUST(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
	run();
	T_MUST(quiet_work() == 2);

	t_events("thread_create", 1);
	t_events("thread_begin", 1);
	t_events("thread_end", 1);
	t_events("thread_wait", 1);
	t_events("thread_acquire_lock", 2);
	t_events("thread_release_lock", 2);
	return 0;
}
