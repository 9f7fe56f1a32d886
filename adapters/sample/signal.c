/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The signal that interrupts threads: one of the real-time signals, for which the program has no
 * handler. Where it wants one later, or waits for all signals, it does not meet ours. */
#include "config.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "mutex.h"
#include "sample_real.h"
#include "sample.h"

#define EXPORT __attribute__((visibility("default")))

/* The highest ones are what debuggers and the like take. */
#define FIRST_CHOICE (SIGRTMAX - 4)

static _Atomic int number; /* 0: none */

/* What the program has set for it, as it sees it. */
static struct sigaction theirs;
static struct measure_mutex lock;

int measure_signal_number(void)
{
	return atomic_load_explicit(&number, memory_order_relaxed);
}

union sigval measure_signal_mark(void)
{
	return (union sigval){.sival_ptr = &theirs};
}

/* Sent by somebody else, for what the program has set: as if we were not there. */
static void signal_pass_on(int signal_, siginfo_t *info, void *context)
{
	if (theirs.sa_flags & SA_SIGINFO) {
		theirs.sa_sigaction(signal_, info, context);
	} else if (theirs.sa_handler == SIG_DFL) {
		REAL(signal)(signal_, SIG_DFL);
		raise(signal_); /* ends the process as soon as it is not blocked */
	} else if (theirs.sa_handler != SIG_IGN) {
		theirs.sa_handler(signal_);
	}
}

static void on_signal(int signal_, siginfo_t *info, void *context)
{
	struct measure_sampled *sampled = measure_sampled_self();
	int saved = errno;

	if (info->si_code != SI_TIMER ||
		info->si_value.sival_ptr != measure_signal_mark().sival_ptr) {
		signal_pass_on(signal_, info, context);
	} else if (sampled) {
		if (info->si_overrun > 0)
			measure_sample_lost(MEASURE_SAMPLE_LATE, (uint64_t)info->si_overrun);
		measure_callstack_sample(sampled, context);
	}
	errno = saved;
}

bool measure_signal_start(void)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	ours.sa_sigaction = on_signal;
	memset(&ours.sa_mask, 0xff, sizeof(ours.sa_mask)); /* sigfillset() lets threads be cancelled */
	for (int i = FIRST_CHOICE; i >= SIGRTMIN; i--) {
		if (REAL(sigaction)(i, NULL, &theirs) != 0 || theirs.sa_flags & SA_SIGINFO ||
			theirs.sa_handler != SIG_DFL)
			continue;
		if (REAL(sigaction)(i, &ours, NULL) == 0) {
			atomic_store(&number, i);
			return true;
		}
	}
	return false;
}

/* What was sent before has come by now, or is passed on as what it was not: a signal of the
 * program's. */
void measure_signal_stop(void)
{
	const int ours = measure_signal_number();

	if (ours == 0)
		return;
	REAL(sigaction)(ours, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
	atomic_store(&number, 0);
	REAL(sigaction)(ours, &theirs, NULL);
}

void measure_signal_restart(void)
{
	lock = (struct measure_mutex){0};
}

/* ------------------------------------------------- what the program does with signals --- */

static bool signal_is_ours(int signal_)
{
	return signal_ != 0 && signal_ == measure_signal_number();
}

/* Our handler comes at any time, and must see the one or the other whole. */
EXPORT int sigaction(
	int signal_, const struct sigaction *restrict action, struct sigaction *restrict old)
{
	struct sigaction wanted;
	sigset_t all, saved;

	if (!signal_is_ours(signal_))
		return REAL(sigaction)(signal_, action, old);
	if (action)
		wanted = *action;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &saved);
	measure_mutex_lock(&lock);
	if (old)
		*old = theirs;
	if (action)
		theirs = wanted;
	measure_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &saved, NULL);
	return 0;
}

EXPORT sighandler_t signal(int signal_, sighandler_t handler)
{
	struct sigaction action = {.sa_flags = SA_RESTART}, old;

	if (!signal_is_ours(signal_))
		return REAL(signal)(signal_, handler);
	action.sa_handler = handler;
	sigemptyset(&action.sa_mask);
	sigaction(signal_, &action, &old);
	return old.sa_handler;
}

/* A thread that has all signals blocked and waits for them must not be told of ours. */
static const sigset_t *without_ours(const sigset_t *set, sigset_t *copy)
{
	int ours = measure_signal_number();

	if (ours == 0 || !set || !sigismember(set, ours))
		return set;
	*copy = *set;
	sigdelset(copy, ours);
	return copy;
}

EXPORT int sigwait(const sigset_t *restrict set, int *restrict signal_)
{
	sigset_t copy;

	return REAL(sigwait)(without_ours(set, &copy), signal_);
}

EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	sigset_t copy;

	return REAL(sigwaitinfo)(without_ours(set, &copy), info);
}

EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict timeout)
{
	sigset_t copy;

	return REAL(sigtimedwait)(without_ours(set, &copy), info, timeout);
}

EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
	sigset_t copy;

	return REAL(signalfd)(fd, without_ours(set, &copy), flags);
}
