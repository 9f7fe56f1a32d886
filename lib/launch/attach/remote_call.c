/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Choosing a thread, and calling a function on it; see remote_call.h. What a processor's registers
 * are is in remote_frame.c. */
#define _GNU_SOURCE
#include "config.h"

#include "remote_call.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/posix.h"
#include "remote_frame.h"
#include "safe_place.h"

#define PLACE_MS  5000  /* to look for a safe place */
#define ROUND_MS  1     /* between two looks at all threads */
#define STOP_MS   500   /* for one thread to stop */
#define CALL_MS   60000 /* for a function to return */
#define WAIT_MS   100   /* at most, between two looks at a thread that does not stop */
#define MOST_LATE 64

struct remote {
	const struct measure_target *target;
	const struct measure_remote_call *call;
	struct measure_remote_time *time;
	struct measure_places *places;
	struct measure_remote_frame frame;
	pid_t thread;
	double since; /* when it was stopped */
};

static double now_ms(void)
{
	return measure_now_seconds() * 1000;
}

/* Waits for a state of the thread to be told. 0: not in time; -1: it has ended. SIGCHLD is blocked,
 * and ends the sleep. */
static int await_thread(pid_t thread, int *status, int milliseconds)
{
	const double end = now_ms() + milliseconds;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		const struct timespec nap = {0, WAIT_MS * 1000000};
		const pid_t got = waitpid(thread, status, __WALL | WNOHANG);

		if (got == thread)
			return WIFSTOPPED(*status) ? 1 : -1;
		if (got < 0)
			return -1;
		if (now_ms() >= end)
			return 0;
		sigtimedwait(&child, NULL, milliseconds < WAIT_MS ? &(struct timespec){0, 1000000}
								  : &nap);
	}
}

static bool is_event_stop(int status)
{
	return status >> 16 == PTRACE_EVENT_STOP;
}

/* Signals that come first are the program's. */
static bool stop_thread(pid_t thread)
{
	int status;

	if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0)
		return false;
	for (;;) {
		if (await_thread(thread, &status, STOP_MS) <= 0)
			return false;
		if (is_event_stop(status))
			return true;
		ptrace(PTRACE_CONT, thread, 0, WSTOPSIG(status));
	}
}

/* Threads that did not stop in time, as they wait for a disk: they are let go when they do. */
static pid_t late[MOST_LATE];
static size_t nr_late;

bool measure_remote_release_late(void)
{
	size_t nr = 0;
	int status;

	for (size_t i = 0; i < nr_late; i++) {
		const pid_t got = waitpid(late[i], &status, __WALL | WNOHANG);

		if (got == 0)
			late[nr++] = late[i];
		else if (got == late[i] && WIFSTOPPED(status))
			ptrace(PTRACE_DETACH, late[i], 0,
				is_event_stop(status) ? 0 : WSTOPSIG(status));
	}
	nr_late = nr;
	return nr == 0;
}

static void release_thread(struct remote *remote)
{
	ptrace(PTRACE_DETACH, remote->thread, 0, 0);
	remote->time->stopped += now_ms() - remote->since;
}

/* ------------------------------------------------------------------------ choosing --- */

static bool may_call_here(struct remote *remote)
{
	const size_t size = remote->call->size;

	return measure_remote_frame_read(&remote->frame, remote->thread) &&
	       measure_remote_frame_has_room(&remote->frame, remote->target->pid, size) &&
	       measure_place_is_safe(remote->places, remote->thread,
		       measure_remote_frame_system_call(&remote->frame));
}

/* Leaves it stopped if it may make the call. Negative: the kernel's errno. */
static int try_thread(struct remote *remote, pid_t thread)
{
	remote->thread = thread;
	if (nr_late == MOST_LATE)
		return 0;
	if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0)
		return errno == ESRCH || nr_late > 0 ? 0 : -errno;
	remote->since = now_ms();
	if (!stop_thread(thread)) {
		late[nr_late++] = thread;
		return 0;
	}
	if (may_call_here(remote))
		return 1;
	release_thread(remote);
	return 0;
}

/* The first thread first: it stands for the process. */
static int try_all(struct remote *remote)
{
	char path[64];
	struct dirent *entry;
	DIR *directory;
	int found = try_thread(remote, remote->target->pid);

	snprintf(path, sizeof(path), "/proc/%d/task", (int)remote->target->pid);
	directory = found == 0 ? opendir(path) : NULL;
	while (directory && found == 0 && (entry = readdir(directory))) {
		const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);

		if (thread > 0 && thread != remote->target->pid)
			found = try_thread(remote, thread);
	}
	if (directory)
		closedir(directory);
	return found;
}

static enum measure_remote_result find_thread(struct remote *remote)
{
	const double end = now_ms() + PLACE_MS;
	const struct timespec nap = {0, ROUND_MS * 1000000};

	for (;;) {
		const int found = try_all(remote);

		if (found > 0)
			return MEASURE_REMOTE_DONE;
		if (found < 0) {
			errno = -found;
			return MEASURE_REMOTE_REFUSED;
		}
		measure_remote_release_late();
		if (kill(remote->target->pid, 0) != 0)
			return MEASURE_REMOTE_ENDED;
		if (now_ms() >= end)
			return MEASURE_REMOTE_NOWHERE;
		nanosleep(&nap, NULL);
	}
}

/* ------------------------------------------------------------------------- calling --- */

/* A signal that an instruction of the function has caused. */
static bool is_crash(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE ||
	       number == SIGABRT || number == SIGTRAP;
}

/* Sent by the thread to itself. */
static bool has_returned(pid_t thread, int number)
{
	siginfo_t info;

	return number == MEASURE_REMOTE_SIGNAL && ptrace(PTRACE_GETSIGINFO, thread, 0, &info) == 0 &&
	       info.si_code == SI_TKILL;
}

/* All other signals are blocked, but those that cannot be. */
static enum measure_remote_result await_return(struct remote *remote)
{
	const double end = now_ms() + CALL_MS;
	int status, number = 0;

	while (now_ms() < end) {
		ptrace(PTRACE_CONT, remote->thread, 0, number);
		const int got = await_thread(remote->thread, &status, CALL_MS);
		if (got < 0)
			return MEASURE_REMOTE_ENDED;
		if (got == 0)
			break;
		number = is_event_stop(status) ? 0 : WSTOPSIG(status);
		if (has_returned(remote->thread, number))
			return MEASURE_REMOTE_DONE;
		if (is_crash(number))
			return MEASURE_REMOTE_FAILED;
	}
	return MEASURE_REMOTE_FAILED;
}

/* The thread is stopped, at a safe place. The frame is complete before the thread is sent there, by
 * one call; signals wait from then on. */
static enum measure_remote_result call_here(struct remote *remote)
{
	const struct measure_remote_call *call = remote->call;
	enum measure_remote_result result;

	if (!measure_remote_frame_write(&remote->frame, remote->target->pid, call) ||
		!measure_remote_frame_enter(&remote->frame, remote->thread, call)) {
		release_thread(remote);
		return MEASURE_REMOTE_FAILED;
	}
	remote->time->stopped += now_ms() - remote->since;
	result = await_return(remote);
	remote->since = now_ms();
	if (result == MEASURE_REMOTE_ENDED)
		return result;
	if (result == MEASURE_REMOTE_DONE &&
		!measure_remote_frame_fetch(&remote->frame, remote->target->pid, call))
		result = MEASURE_REMOTE_FAILED;
	measure_remote_frame_leave(&remote->frame, remote->thread);
	release_thread(remote);
	return result;
}

enum measure_remote_result measure_remote_call(const struct measure_target *target,
	const struct measure_remote_call *call, struct measure_remote_time *time)
{
	static struct remote remote;
	enum measure_remote_result result;

	remote.target = target;
	remote.call = call;
	remote.time = time;
	*time = (struct measure_remote_time){0, 0};
	const bool has_way = measure_target_way_back(target, &remote.frame.way);
	remote.places = measure_places_open(target->pid);
	if (!remote.places || !has_way)
		return kill(target->pid, 0) != 0 ? MEASURE_REMOTE_ENDED : MEASURE_REMOTE_FAILED;
	result = find_thread(&remote);
	if (result == MEASURE_REMOTE_DONE) {
		const double begin = remote.since;

		result = call_here(&remote);
		time->whole = now_ms() - begin;
	}
	measure_places_close(remote.places);
	return result;
}
