/* SPDX-License-Identifier: BSD-3-Clause
 * Two threads that live at the same time, then one that comes when they are gone; in an order
 * that is the same each time. */
#include <pthread.h>
#include <semaphore.h>

struct worker {
	pthread_t thread;
	sem_t has_begun;
	sem_t may_end;
};

static int step(int n)
{
	return n + 1;
}

static void *work(void *argument)
{
	struct worker *worker = argument;

	step(1);
	sem_post(&worker->has_begun);
	sem_wait(&worker->may_end);
	step(2);
	return NULL;
}

static void begin(struct worker *worker)
{
	sem_init(&worker->has_begun, 0, 0);
	sem_init(&worker->may_end, 0, 0);
	pthread_create(&worker->thread, NULL, work, worker);
	sem_wait(&worker->has_begun);
}

static void end(struct worker *worker)
{
	sem_post(&worker->may_end);
	pthread_join(worker->thread, NULL);
}

int main(void)
{
	struct worker first, second, late;

	begin(&first);
	begin(&second);
	end(&first);
	end(&second);
	begin(&late);
	end(&late);
	return 0;
}
