/* SPDX-License-Identifier: BSD-3-Clause
 *
 * _exit(), _Exit() and dlclose(), which are interposed. Ends of processes note the exit status and
 * the processor time (see start.h): exit() runs our handler, which a forked child has from its
 * parent. After dlclose() the addresses of what it unloads must not keep their names, because another
 * library may be loaded in the same place. */
#include "config.h"

#include "start.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
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
