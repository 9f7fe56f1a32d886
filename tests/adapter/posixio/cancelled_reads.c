/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread that is cancelled while it waits for input, one that a signal interrupts there, with
 * input and output in the handler, and one that waits still when the program ends. */
#include "config.h"

#include <pthread.h>
#include <signal.h>

#include "t_io.h"

static int ends[2], other[2];
static _Atomic int is_cleaned;

static void clean(void *data)
{
	(void)data;
	T_MUST(write(other[1], "c", 1) == 1);
	is_cleaned = 1;
}

static void *wait_for_input(void *data)
{
	char c;

	pthread_cleanup_push(clean, data);
	T_MUST(read(ends[0], &c, 1) < 0);
	pthread_cleanup_pop(0);
	return data;
}

static void handle(int signal)
{
	(void)signal;
	T_MUST(write(ends[1], "h", 1) == 1);
}

static void *be_interrupted(void *data)
{
	char c;

	T_MUST(read(ends[0], &c, 1) == 1 && c == 'h');
	return data;
}

static void *wait_for_ever(void *data)
{
	char c;

	T_MUST(write(other[1], "o", 1) == 1);
	T_MUST(read(ends[0], &c, 1) < 0);
	return data;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	pthread_t thread;
	void *result;
	char c;

	T_MUST(pipe(ends) == 0 && pipe(other) == 0);
	sigaction(SIGUSR1, &action, NULL);
	T_MUST(pthread_create(&thread, NULL, wait_for_input, NULL) == 0);
	T_MUST(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
	/* cancelled before it had its handler, it has none: then in its place */
	T_MUST(result == PTHREAD_CANCELED);
	if (!is_cleaned)
		clean(NULL);
	T_MUST(pthread_create(&thread, NULL, be_interrupted, NULL) == 0);
	T_MUST(pthread_kill(thread, SIGUSR1) == 0 && pthread_join(thread, NULL) == 0);
	T_MUST(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0);
	do
		T_MUST(read(other[0], &c, 1) == 1);
	while (c != 'o');
	t_regions("pipe", 2);
	t_events("io_create_handle", 4);
	return 0;
}
