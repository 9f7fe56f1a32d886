/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process ends while threads run, one of them in a call; the first thread has gone before,
 * and with it what the kernel tells of a process by its number; the first function that is recorded
 * comes after that. With an argument the process is killed. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define UNRECORDED __attribute__((no_instrument_function))

static pthread_t first;
static sem_t never, has_begun;

UNRECORDED static void *work(void *data)
{
	sem_post(&has_begun);
	sem_wait(&never);
	return data;
}

__attribute__((noinline)) static void leave(const void *data)
{
	if (data)
		raise(SIGKILL);
	exit(0);
}

UNRECORDED static void *end(void *data)
{
	pthread_join(first, NULL);
	sem_wait(&has_begun);
	usleep(20 * 1000); /* to be in sem_wait() by then */
	leave(data);
	return NULL;
}

UNRECORDED int main(int argc, char **argv)
{
	pthread_t thread;

	first = pthread_self();
	if (sem_init(&never, 0, 0) != 0 || sem_init(&has_begun, 0, 0) != 0 ||
		pthread_create(&thread, NULL, work, NULL) != 0 ||
		pthread_create(&thread, NULL, end, argv[argc - 1] == argv[0] ? NULL : &never) != 0)
		return 1;
	pthread_exit(NULL);
}
