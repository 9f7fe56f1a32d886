/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that can be detached: they are complete when both their function is over and their event
 * is fulfilled, whichever comes last. There are few of them: a list under a lock will do. */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "gomp_construct.h"
#include "gomp_task.h"

/* One of both has happened. */
struct gomp_event {
	uintptr_t handle;
	bool is_fulfilled; /* else the function is over */
	measure_comm_t comm;
	uint32_t creator;
	uint32_t generation;
	struct gomp_event *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct gomp_event *events;

/* Under the lock: takes the event of that handle out of the list. */
static struct gomp_event *event_take(uintptr_t handle)
{
	struct gomp_event **link = &events, *event;

	while (*link && (*link)->handle != handle)
		link = &(*link)->next;
	event = *link;
	if (event)
		*link = event->next;
	return event;
}

/* Under the lock. */
static void event_keep(const struct gomp_event *event)
{
	struct gomp_event *kept = malloc(sizeof(*kept));

	if (!kept)
		return;
	*kept = *event;
	kept->next = events;
	events = kept;
}

bool measure_gomp_event_task_over(const struct measure_gomp_task *task)
{
	const struct gomp_event event = {.handle = (uintptr_t)task->words[0],
		.comm = task->comm,
		.creator = task->creator,
		.generation = task->generation};
	int saved_errno = errno;
	struct gomp_event *fulfilled;

	pthread_mutex_lock(&mutex);
	fulfilled = event_take(event.handle);
	if (!fulfilled)
		event_keep(&event);
	pthread_mutex_unlock(&mutex);
	free(fulfilled);
	errno = saved_errno;
	return fulfilled != NULL;
}

/* Before libgomp hears of it: the task is over then, and may be forgotten. */
static void event_fulfil(uintptr_t handle)
{
	const struct gomp_event event = {.handle = handle, .is_fulfilled = true};
	int saved_errno = errno;
	struct measure_location *location;
	struct gomp_event *over;

	pthread_mutex_lock(&mutex);
	over = event_take(handle);
	if (!over)
		event_keep(&event);
	pthread_mutex_unlock(&mutex);
	location = over ? measure_record_begin() : NULL;
	if (location) {
		measure_write_thread_task_complete(
			location, over->comm, over->creator, over->generation);
		measure_record_end(location);
	}
	free(over);
	errno = saved_errno;
}

void omp_fulfill_event(uintptr_t event)
{
	measure_gomp_resolve();
	if (measure_gomp_thread_recording())
		event_fulfil(event);
	measure_gomp_real.omp_fulfill_event(event);
}

void omp_fulfill_event_(intptr_t event)
{
	measure_gomp_resolve();
	if (measure_gomp_thread_recording())
		event_fulfil((uintptr_t)event);
	measure_gomp_real.omp_fulfill_event_(event);
}
