/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads of a keeper: with a stack that does not depend on the limit of the program's, which may
 * be low. */
#ifndef MEASURE_KEEPER_PROCESS_KEEPER_THREAD_H
#define MEASURE_KEEPER_PROCESS_KEEPER_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* 0 or an errno. */
static inline int measure_thread_start(
	pthread_t *thread, size_t stack, void *(*function)(void *), void *argument)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, stack);
	int error = pthread_create(thread, &attributes, function, argument);
	pthread_attr_destroy(&attributes);
	return error;
}

#endif
