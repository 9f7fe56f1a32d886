/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads and their timers. A timer is made by its thread, when it begins, and deleted in its first
 * round of destructors; what is still to come then finds no thread and does nothing. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/caller_filter.h"
#include "mutex.h"
#include "next_function.h"
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

static struct timespec timer_time(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

/* Threads that begin together are not interrupted together: the first period is shorter, by the
 * golden ratio times their numbers. */
static void run_timer(const struct measure_sampled *sampled, pid_t thread)
{
	uint64_t period = measure_sample_rate.period;
	uint32_t part = (uint32_t)thread * UINT32_C(2654435769);
	const struct itimerspec times = {
		timer_time(period), timer_time(1 + (uint64_t)((double)period * part / UINT32_MAX))};

	timer_settime(sampled->timer, 0, &times, NULL);
}

/* The processor time of a thread of this process, by its number. */
static clockid_t clock_of(pid_t thread)
{
	const clockid_t own = measure_sample_rate.clock;

	if (own != CLOCK_THREAD_CPUTIME_ID || thread == (pid_t)syscall(SYS_gettid))
		return own;
	return (clockid_t)(~(unsigned)thread << 3 | 6);
}

static void make_timer_of(struct measure_sampled *sampled, pid_t thread)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = measure_signal_number(),
		.sigev_value = measure_signal_mark()};

	event._sigev_un._tid = thread;
	if (timer_create(clock_of(thread), &event, &sampled->timer) != 0) {
		measure_sample_lost(MEASURE_SAMPLE_REFUSED, 1);
		return;
	}
	sampled->has_timer = true;
	run_timer(sampled, thread);
}

static void make_timer(struct measure_sampled *sampled)
{
	make_timer_of(sampled, (pid_t)syscall(SYS_gettid));
}

/* --------------------------------------------------- in a process that was running --- */

/* What its threads have stays from one recording to the next: each keeps its own. The list only
 * grows; what a thread has left is for another one. */
static _Atomic(struct measure_sampled *) all_sampled;
static struct measure_mutex lock; /* for who has them, and their timers */

static void lock_signals(sigset_t *saved)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, saved);
	measure_mutex_lock(&lock);
}

static void unlock_signals(const sigset_t *saved)
{
	measure_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, saved, NULL);
}

/* Async-signal-safe. NULL: of none. */
static struct measure_sampled *find_sampled(pid_t thread)
{
	struct measure_sampled *sampled = atomic_load_explicit(&all_sampled, memory_order_acquire);

	while (sampled && atomic_load(&sampled->thread) != thread)
		sampled = sampled->next;
	return sampled;
}

#define RESERVED ((pid_t)-1) /* for a thread that is about to begin */

/* One that nobody has; under the lock. NULL: there is no memory. */
static struct measure_sampled *reserve_sampled(void)
{
	struct measure_sampled *sampled = find_sampled(0);

	if (!sampled) {
		sampled = measure_pages_get(sizeof(*sampled));
		if (!sampled)
			return NULL;
		sampled->next = atomic_load(&all_sampled);
		atomic_store(&sampled->thread, RESERVED);
		atomic_store_explicit(&all_sampled, sampled, memory_order_release);
	}
	atomic_store(&sampled->thread, RESERVED);
	sampled->unwinder.stack_begin = sampled->unwinder.stack_end = 0;
	sampled->recording = 0;
	return sampled;
}

static struct measure_sampled *take_sampled(void)
{
	struct measure_sampled *sampled;
	sigset_t saved;

	if (!measure_is_attached())
		return measure_pages_get(sizeof(*sampled));
	lock_signals(&saved);
	sampled = reserve_sampled();
	unlock_signals(&saved);
	return sampled;
}

static void return_sampled(struct measure_sampled *sampled)
{
	if (measure_is_attached())
		atomic_store(&sampled->thread, 0);
	else
		measure_pages_return(sampled, sizeof(*sampled));
}

/* Under the lock, so that none comes after measure_threads_stop(). */
static void give_timer(struct measure_sampled *sampled, pid_t thread)
{
	if (!sampled->has_timer && measure_signal_number() != 0)
		make_timer_of(sampled, thread);
}

static void attached_begin(struct measure_sampled *sampled)
{
	const pid_t thread = (pid_t)syscall(SYS_gettid);
	sigset_t saved;

	lock_signals(&saved);
	sampled->recording = measure_recording_number();
	atomic_store(&sampled->thread, thread);
	give_timer(sampled, thread);
	unlock_signals(&saved);
}

static void drop_timer(struct measure_sampled *sampled)
{
	if (sampled->has_timer)
		timer_delete(sampled->timer);
	sampled->has_timer = false;
}

static void attached_end(struct measure_sampled *sampled)
{
	sigset_t saved;

	lock_signals(&saved);
	drop_timer(sampled);
	atomic_store(&sampled->thread, 0);
	unlock_signals(&saved);
}

void measure_threads_stop(void)
{
	sigset_t saved;

	lock_signals(&saved);
	for (struct measure_sampled *sampled = atomic_load(&all_sampled); sampled;
		sampled = sampled->next)
		drop_timer(sampled);
	unlock_signals(&saved);
}

/* Those of libraries have locations only where somebody else gives them one: who has made them is
 * not known, so all are the program's. */
static bool attach_thread(pid_t thread)
{
	struct measure_sampled *sampled = find_sampled(thread);

	if (!sampled && !(sampled = reserve_sampled()))
		return false;
	sampled->is_homed = true;
	atomic_store(&sampled->thread, thread);
	give_timer(sampled, thread);
	return true;
}

static bool attached_start(void)
{
	DIR *directory = opendir("/proc/self/task");
	struct dirent *entry;
	bool has_all = directory;
	sigset_t saved;

	lock_signals(&saved);
	while (directory && (entry = readdir(directory))) {
		const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);

		if (thread > 0 && !attach_thread(thread))
			has_all = false;
	}
	unlock_signals(&saved);
	if (directory)
		closedir(directory);
	return has_all;
}

/* The C library keeps values of its first keys in the thread, and allocates memory for others. */
#define KEYS_IN_THREAD 32

/* The first signal of a thread: it has a location from now on, and nothing before this sample. */
static void attached_renew(struct measure_sampled *sampled)
{
	if (sampled->is_homed && measure_location_index() == MEASURE_UNDEFINED)
		return;
	sampled->recording = measure_recording_number();
	sampled->stacks[sampled->last].nr = 0;
	sampled->location = NULL;
}

struct measure_sampled *measure_sampled_self(void)
{
	if (!measure_is_attached())
		return self;
	if (!self) {
		self = find_sampled((pid_t)syscall(SYS_gettid));
		if (self && thread_end < KEYS_IN_THREAD)
			pthread_setspecific(thread_end, self);
	}
	if (self && self->recording != measure_recording_number())
		attached_renew(self);
	return self;
}

/* ------------------------------------------------------------------------- threads --- */

/* First of all on the thread. */
static void timer_begin(struct measure_sampled *sampled)
{
	int saved = errno;

	if (pthread_setspecific(thread_end, sampled) == 0) {
		self = sampled;
		if (sampled->is_homed)
			measure_location_index();
		measure_unwinder_start(&sampled->unwinder);
		if (measure_is_attached())
			attached_begin(sampled);
		else
			make_timer(sampled);
	} else {
		return_sampled(sampled);
	}
	errno = saved;
}

static void end(void *data)
{
	struct measure_sampled *sampled = data;

	self = NULL;
	if (measure_is_attached()) {
		attached_end(sampled);
		return;
	}
	if (sampled->has_timer)
		timer_delete(sampled->timer);
	measure_pages_return(sampled, sizeof(*sampled));
}

bool measure_threads_start(void)
{
	struct measure_sampled *sampled;
	static bool has_key;

	if (!has_key)
		has_key = pthread_key_create(&thread_end, end) == 0;
	if (!has_key)
		return false;
	atomic_store(&sampled_process, getpid());
	if (measure_is_attached())
		return attached_start();
	sampled = take_sampled();
	if (sampled)
		timer_begin(sampled);
	return sampled;
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
	sampled = take_sampled();
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
		return_sampled(sampled);
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
		return_sampled(sampled);
	return result;
}

/* ------------------------------------------------------------------------ exec --- */

/* The kernel deletes timers at exec, but a signal that is pending then would come to a program that
 * has no handler for it, and end it. Those of other threads go with them. By number: sigtimedwait()
 * is a cancellation point, exec is none. */
static void drain(void)
{
	const struct timespec now = {0, 0};
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, measure_signal_number());
	while (syscall(SYS_rt_sigtimedwait, &ours, NULL, &now, _NSIG / 8) > 0)
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
	run_timer(self, (pid_t)syscall(SYS_gettid));
}
