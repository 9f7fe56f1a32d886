/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What this adapter knows of each thread. */
#ifndef MEASURE_MEMORY_THREAD_H
#define MEASURE_MEMORY_THREAD_H

#include <stdint.h>

/* One thread's, alone in its cache line. */
struct measure_memory_thread {
	/* The frame of the call that the thread is in, or NULL. One allocator calls another one
	 * (operator new calls malloc, that may call mmap): what lies deeper on the stack than this
	 * was called from it. A call that was left by longjmp() is over when one comes that does
	 * not. */
	_Alignas(64) char *inside;
	int64_t pending; /* bytes that are not yet counted with those of all threads */
	struct measure_memory_thread *next_free;
};

/* The calling thread's; NULL: it has made no call yet. */
extern _Thread_local struct measure_memory_thread *measure_memory_self
	__attribute__((tls_model("initial-exec")));

/* Of any thread that is on the way into the loader or to a row of its own: all is deeper there. */
extern struct measure_memory_thread measure_memory_busy;

/* Gives the calling thread a row, if there is memory. Keeps errno. */
struct measure_memory_thread *measure_memory_thread_begin(void);

/* The calling thread is about to be gone; its row is for others. */
void measure_memory_thread_end(void);

#endif
