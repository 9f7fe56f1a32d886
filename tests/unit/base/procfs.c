/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processes live, as the keeper and repair see it: also one whose first thread has gone. */
#include "config.h"

#include <CUnit/Basic.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/procfs.h"

#include "../t_suite.h"

static void *wait_for_end(void *first)
{
	pthread_join(*(pthread_t *)first, NULL);
	for (;;)
		pause();
	return NULL;
}

/* A child with two threads, whose first one goes at once where asked to. */
static pid_t child_start(bool goes)
{
	static pthread_t first;
	pthread_t thread;
	pid_t child = fork();

	if (child != 0)
		return child;
	first = pthread_self();
	if (pthread_create(&thread, NULL, wait_for_end, &first) != 0)
		_exit(1);
	if (goes)
		pthread_exit(NULL);
	for (;;)
		pause();
}

static bool is_zombie_leader(pid_t child)
{
	char path[64], text[1024];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)child);
	return measure_text_read(path, text, sizeof(text)) > 0 && strstr(text, "State:\tZ");
}

static void test_life(bool goes)
{
	pid_t child = child_start(goes);
	uint64_t start = measure_process_start(child);

	CU_ASSERT_FATAL(child > 0);
	while (goes && !is_zombie_leader(child))
		usleep(1000);
	CU_ASSERT(start != 0);
	CU_ASSERT(measure_process_start(child) == start);
	CU_ASSERT(!measure_process_is_dead(child));

	siginfo_t info;
	kill(child, SIGKILL);
	CU_ASSERT(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) == 0);
	CU_ASSERT(measure_process_start(child) == 0);
	CU_ASSERT(measure_process_is_dead(child));
	waitpid(child, NULL, 0);
	CU_ASSERT(measure_process_start(child) == 0);
	CU_ASSERT(measure_process_is_dead(child));
}

static void test_process(void)
{
	test_life(false);
}

static void test_first_thread_gone(void)
{
	test_life(true);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"a process lives, is dead, is gone", test_process},
		{"its first thread goes before the others", test_first_thread_gone},
		CU_TEST_INFO_NULL,
	};

	return t_suite("procfs", NULL, NULL, tests);
}
