/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands for a run-time library: makes a thread of its own and has a lock. Built as a library
 * with the name of one whose calls are not the program's. */
#include <pthread.h>

int quiet_work(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int nr_done;

static void *work(void *data)
{
	pthread_mutex_lock(&lock);
	nr_done++;
	pthread_mutex_unlock(&lock);
	return data;
}

int quiet_work(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return 0;
	work(NULL);
	return nr_done;
}
