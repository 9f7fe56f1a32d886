/* SPDX-License-Identifier: BSD-3-Clause
 *
 * _exit(), _Exit(), dlclose() and prctl(), which are interposed. Ends of processes note the exit
 * status and the processor time (see start.h): exit() runs our handler, which a forked child has
 * from its parent. After dlclose() the addresses of what it unloads must not keep their names,
 * because another library may be loaded in the same place. Recording ends where prctl() forbids
 * reading the time stamp counter, since the next hook would end the program. */
#include "config.h"

#include "start.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/procfs.h"
#include "next_function.h"
#include "runtime/definitions/code_region.h"
#include "runtime/gate/gate.h"

static struct measure_segment_header *header;

/* Not by a child of vfork() or clone(), which has borrowed our memory. */
static void note_status(int status)
{
	if (!header || atomic_load(&header->pid) != getpid())
		return;
	atomic_store(&header->exit_time, measure_process_time(0));
	atomic_store(&header->exit_said, ((uint32_t)status & 0xff) | MEASURE_EXIT_SAID);
}

static void at_exit(int status, void *unused)
{
	(void)unused;
	note_status(status);
}

void measure_exit_watch(const struct measure_segment *segment)
{
	static bool has_handler;

	header = segment ? segment->header : NULL;
	if (!has_handler && segment)
		has_handler = on_exit(at_exit, NULL) == 0;
}

__attribute__((visibility("default"), noreturn)) void _exit(int status)
{
	note_status(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"), noreturn)) void _Exit(int status)
{
	_exit(status);
}

typedef int (*dlclose_fn)(void *handle);

__attribute__((visibility("default"))) int dlclose(void *handle)
{
	static _Atomic dlclose_fn real;
	dlclose_fn call = atomic_load_explicit(&real, memory_order_relaxed);

	if (!call) {
		call = (dlclose_fn)measure_next_function("dlclose");
		atomic_store_explicit(&real, call, memory_order_relaxed);
	}

	int result = call(handle);
	int saved = errno;
	if (measure_gate_is_open())
		measure_code_unloaded();
	errno = saved;
	return result;
}

typedef int (*prctl_fn)(int option, ...);

static prctl_fn real_prctl;

/* Early: children that were forked beside threads call it, where a lookup may wait for a lock. */
__attribute__((constructor(65533))) static void find_prctl(void)
{
	real_prctl = (prctl_fn)measure_next_function("prctl");
}

/* Of this process, and not by a child of vfork(). Asked before strict seccomp forbids getpid(). */
static bool forbids_clock(int option, unsigned long value)
{
	if (!(option == PR_SET_TSC && value == PR_TSC_SIGSEGV) &&
		!(option == PR_SET_SECCOMP && value == SECCOMP_MODE_STRICT))
		return false;
	return header && measure_gate_is_open() && atomic_load(&header->pid) == getpid();
}

static void stop_recording(void)
{
	atomic_store(&header->stop_reason, MEASURE_ERROR_OFF);
	atomic_store(&header->state, MEASURE_SEGMENT_STOPPED);
	measure_gate_close();
}

__attribute__((visibility("default"))) int prctl(int option, ...)
{
	unsigned long values[4];
	va_list arguments;

	if (!real_prctl) /* another constructor was earlier */
		find_prctl();
	va_start(arguments, option);
	for (int i = 0; i < 4; i++)
		values[i] = va_arg(arguments, unsigned long);
	va_end(arguments);

	bool is_last = forbids_clock(option, values[0]);
	int result = real_prctl(option, values[0], values[1], values[2], values[3]);
	if (result == 0 && is_last)
		stop_recording();
	return result;
}
