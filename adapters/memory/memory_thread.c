/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows for threads; see memory_thread.h. They are never given back to the system. */
#define _GNU_SOURCE
#include "config.h"

#include "memory_thread.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "next_allocator.h"

#define NR_AT_ONCE 64

_Thread_local struct measure_memory_thread *measure_memory_self
	__attribute__((tls_model("initial-exec")));
struct measure_memory_thread measure_memory_busy = {.inside = (char *)-1};

static struct measure_memory_thread *free_rows;
static atomic_flag lock = ATOMIC_FLAG_INIT; /* a few instructions, or one system call */

static void add_rows(void)
{
	struct measure_memory_thread *rows = NEXT(mmap)(NULL, NR_AT_ONCE * sizeof(*rows),
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; rows != MAP_FAILED && i < NR_AT_ONCE; i++) {
		rows[i].next_free = free_rows;
		free_rows = &rows[i];
	}
}

/* A signal handler that comes meanwhile finds the thread busy, and does not come here. */
struct measure_memory_thread *measure_memory_thread_begin(void)
{
	struct measure_memory_thread *self;
	int saved_errno = errno;

	measure_memory_self = &measure_memory_busy;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		sched_yield();
	if (!free_rows)
		add_rows();
	self = free_rows;
	if (self)
		free_rows = self->next_free;
	atomic_flag_clear_explicit(&lock, memory_order_release);
	measure_memory_self = self;
	errno = saved_errno;
	return self;
}

/* What is pending is counted by the thread that has the row next. */
void measure_memory_thread_end(void)
{
	struct measure_memory_thread *self = measure_memory_self;

	if (!self || self == &measure_memory_busy)
		return;
	measure_memory_self = &measure_memory_busy;
	self->inside = NULL;
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		sched_yield();
	self->next_free = free_rows;
	free_rows = self;
	atomic_flag_clear_explicit(&lock, memory_order_release);
	measure_memory_self = NULL;
}
