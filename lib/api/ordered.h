/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For adapters: the order of this thread's records and other threads' on the same node. */
#ifndef MEASURE_API_ORDERED_H
#define MEASURE_API_ORDERED_H

/* Before a transaction that is about what other threads have done: a lock that one of them gave up, a
 * barrier that all have reached. The clock is read behind it. Without it the processor reads the
 * clock while it still waits for the memory that says so, a few nanoseconds too early. What is
 * stamped before a store that others wait for needs nothing: it cannot be late. */
static inline void measure_order_clock(void);

#if defined(__x86_64__)
static inline void measure_order_clock(void)
{
	__builtin_ia32_lfence();
}
#elif defined(__aarch64__)
static inline void measure_order_clock(void)
{
	__asm__ volatile("isb" ::: "memory");
}
#elif defined(__powerpc64__)
static inline void measure_order_clock(void)
{
	__asm__ volatile("isync" ::: "memory");
}
#else
static inline void measure_order_clock(void)
{
}
#endif

#endif
