/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads and their timers. A timer is made by its thread, when it begins, and deleted in its first
 * round of destructors; what is still to come then finds no thread and does nothing. */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/caller_filter.h"
#include "pages.h"
#include "sample_real.h"
#include "sample.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

static __thread struct measure_sampled *self __attribute__((tls_model("initial-exec")));

/* Threads of OpenMP are the program's, also where nobody else records them. */
const char *const measure_callers_silent[] = {
#define SILENT(beginning) beginning,
#define SILENT_OPENMP(beginning)
#include "../pthread/silent.def"
#undef SILENT
#undef SILENT_OPENMP
	NULL};

static pthread_key_t thread_end;
static _Atomic pid_t sampled_process; /* 0: not sampling */

struct measure_sampled *measure_sampled_self(void)
{
	return self;
}

static struct timespec timer_time(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

/* Threads that begin together are not interrupted together: the first period is shorter, by the
 * golden ratio times their numbers. */
static void run_timer(const struct measure_sampled *sampled)
{
	uint64_t period = measure_sample_rate.period;
	uint32_t part = (uint32_t)syscall(SYS_gettid) * UINT32_C(2654435769);
	const struct itimerspec times = {
		timer_time(period), timer_time(1 + (uint64_t)((double)period * part / UINT32_MAX))};

	timer_settime(sampled->timer, 0, &times, NULL);
}

static void make_timer(struct measure_sampled *sampled)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = measure_signal_number(),
		.sigev_value = measure_signal_mark()};

	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(measure_sample_rate.clock, &event, &sampled->timer) != 0) {
		measure_sample_lost(MEASURE_SAMPLE_REFUSED, 1);
		return;
	}
	sampled->has_timer = true;
	run_timer(sampled);
}

/* First of all on the thread. */
static void timer_begin(struct measure_sampled *sampled)
{
	int saved = errno;

	if (pthread_setspecific(thread_end, sampled) == 0) {
		self = sampled;
		if (sampled->is_homed)
			measure_location_index();
		measure_unwinder_start(&sampled->unwinder);
		make_timer(sampled);
	} else {
		measure_pages_return(sampled, sizeof(*sampled));
	}
	errno = saved;
}

static void end(void *data)
{
	struct measure_sampled *sampled = data;

	self = NULL;
	if (sampled->has_timer)
		timer_delete(sampled->timer);
	measure_pages_return(sampled, sizeof(*sampled));
}

bool measure_threads_start(void)
{
	struct measure_sampled *sampled = measure_pages_get(sizeof(*sampled));

	if (!sampled)
		return false;
	if (pthread_key_create(&thread_end, end) != 0) {
		measure_pages_return(sampled, sizeof(*sampled));
		return false;
	}
	atomic_store(&sampled_process, getpid());
	timer_begin(sampled);
	return true;
}

/* Its first sample has no one before it in this process. */
void measure_threads_restart(void)
{
	atomic_store(&sampled_process, getpid());
	if (!self)
		return;
	self->stacks[self->last].nr = 0;
	self->has_timer = false;
	make_timer(self);
}

/* ----------------------------------------------------------------- new threads --- */

static void *run(void *data)
{
	struct measure_sampled *sampled = data;
	void *(*start)(void *) = sampled->start;
	void *argument = sampled->data;

	timer_begin(sampled);
	return start(argument);
}

static int run_c11(void *data)
{
	struct measure_sampled *sampled = data;
	thrd_start_t start = sampled->c11_start;
	void *argument = sampled->data;

	timer_begin(sampled);
	return start(argument);
}

/* NULL: the thread is not sampled. Those that only libraries of other paradigms need have locations
 * only where their adapters make them, which they do not in a forked child. */
static struct measure_sampled *prepare(void *data, const void *caller)
{
	struct measure_sampled *sampled;

	if (measure_signal_number() == 0 || !measure_is_recording_followed())
		return NULL;
	sampled = measure_pages_get(sizeof(*sampled));
	if (!sampled)
		return NULL;
	sampled->data = data;
	sampled->is_homed = !measure_is_recording() || !measure_caller_is_silent(caller);
	return sampled;
}

EXPORT int pthread_create(
	pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *data)
{
	struct measure_sampled *sampled = prepare(data, CALLER);
	int result;

	if (!sampled)
		return REAL(pthread_create)(handle, attributes, start, data);
	sampled->start = start;
	result = REAL(pthread_create)(handle, attributes, run, sampled);
	if (result != 0)
		measure_pages_return(sampled, sizeof(*sampled));
	return result;
}

EXPORT int thrd_create(thrd_t *handle, thrd_start_t start, void *data)
{
	struct measure_sampled *sampled = prepare(data, CALLER);
	int result;

	if (!sampled)
		return REAL(thrd_create)(handle, start, data);
	sampled->c11_start = start;
	result = REAL(thrd_create)(handle, run_c11, sampled);
	if (result != thrd_success)
		measure_pages_return(sampled, sizeof(*sampled));
	return result;
}

/* ------------------------------------------------------------------------ exec --- */

/* The kernel deletes timers at exec, but a signal that is pending then would come to a program that
 * has no handler for it, and end it. Those of other threads go with them. */
static void drain(void)
{
	const struct timespec now = {0, 0};
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, measure_signal_number());
	while (REAL(sigtimedwait)(&ours, NULL, &now) > 0)
		;
}

bool measure_thread_rest(void)
{
	const struct itimerspec off = {{0, 0}, {0, 0}};
	sigset_t ours, saved;

	if (!self || !self->has_timer || getpid() != atomic_load(&sampled_process))
		return false;
	sigemptyset(&ours);
	sigaddset(&ours, measure_signal_number());
	pthread_sigmask(SIG_BLOCK, &ours, &saved);
	timer_settime(self->timer, 0, &off, NULL);
	drain();
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
	return true;
}

void measure_thread_resume(void)
{
	run_timer(self);
}
