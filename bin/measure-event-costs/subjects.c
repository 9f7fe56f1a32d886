/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations with events and without them; see subjects.h. All are called by way of a pointer, so
 * that the call costs the same. Functions have the hook calls that compilers make of
 * -finstrument-functions. Calls are those of condition variables that nobody waits for, and of
 * mutexes that nobody has: where there is no MPI (mpi_subjects.c), a record of a lock, which is
 * made by way of a table, stands for that of a message. */
#include "config.h"

#include "subjects.h"

#include <dlfcn.h>
#include <pthread.h>

#include "measure.h"
#include "passage.h"

MEASURE_REGION_DEFINE(region, "event costs: region");
MEASURE_LOOP_DEFINE(loop, "event costs: loop");

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The C library's own, which no adapter sees. */
static int (*real_signal)(pthread_cond_t *);
static int (*real_lock)(pthread_mutex_t *), (*real_unlock)(pthread_mutex_t *);

static inline void keep(void)
{
	__asm__ volatile("" ::: "memory");
}

static void nothing(void)
{
	keep();
}

static void function(void)
{
	__cyg_profile_func_enter((void *)function, SITE);
	keep();
	__cyg_profile_func_exit((void *)function, SITE);
}

static void call(void)
{
	pthread_cond_signal(&condition);
}

static void plain_call(void)
{
	real_signal(&condition);
}

/* Two calls with a record of a lock each, and two without. */
static void locks(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	real_signal(&condition);
	real_signal(&condition);
}

static void calls_without_locks(void)
{
	real_lock(&mutex);
	real_unlock(&mutex);
	pthread_cond_signal(&condition);
	pthread_cond_signal(&condition);
}

static void metric(void)
{
	MEASURE_METRIC_UINT64("event costs: metric", "1", 1);
}

static void parameter(void)
{
	MEASURE_PARAMETER_UINT64("event costs: parameter", 1);
}

/* An iteration is a region with a parameter at the same time. */
static void iteration(void)
{
	MEASURE_ITERATION_BEGIN(loop, 1);
	keep();
	MEASURE_ITERATION_END(loop);
}

static void region_only(void)
{
	MEASURE_REGION_BEGIN(region);
	keep();
	MEASURE_REGION_END(region);
}

const struct subject measure_subjects[] = {
	{PAIR(FUNCTION), function, nothing, 2, 1, true},
	{PAIR(CALL), call, plain_call, 2, 1, true},
	{SAME(MESSAGE), locks, calls_without_locks, 4, 2, false},
	{SAME(METRIC), metric, nothing, 1, 1, true},
	{SAME(OTHER), parameter, nothing, 1, 1, true},
	{SAME(RECORD), iteration, region_only, 2, 1, false},
};
const unsigned measure_nr_subjects = sizeof(measure_subjects) / sizeof(*measure_subjects);

/* --------------------------------------------------------------------------- begin --- */

static void *real(void *library, const char *name)
{
	return library ? dlsym(library, name) : NULL;
}

bool measure_subjects_start(void)
{
	void *libraries[] = {dlopen("libpthread.so.0", RTLD_LAZY | RTLD_NOLOAD),
		dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD)};

	for (unsigned i = 0; i < 2 && !(real_signal && real_lock && real_unlock); i++) {
		*(void **)&real_signal = real(libraries[i], "pthread_cond_signal");
		*(void **)&real_lock = real(libraries[i], "pthread_mutex_lock");
		*(void **)&real_unlock = real(libraries[i], "pthread_mutex_unlock");
	}
	return measure_recording() && real_signal && real_lock && real_unlock &&
	       real_signal != pthread_cond_signal;
}

void measure_subjects_end(void)
{
}
