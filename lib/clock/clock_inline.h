/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the recording clock on the hot path: one load, and the processor's constant-rate counter.
 * The one place that knows the processor. */
#ifndef MEASURE_CLOCK_CLOCK_INLINE_H
#define MEASURE_CLOCK_CLOCK_INLINE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)

#include <cpuid.h>

/* Not serialising on purpose: ordering costs more than it tells, but for records that are about
 * other threads (lib/api/ordered.h). */
static inline uint64_t measure_counter_read(void)
{
	return __builtin_ia32_rdtsc();
}

/* Constant rate, also in deep sleep: CPUID 8000_0007h EDX bit 8. */
static inline bool measure_counter_is_invariant(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && (edx & (1u << 8));
}

/* Hz where the processor says so (CPUID 15h), else 0. */
static inline double measure_counter_nominal(void)
{
	unsigned int denominator, numerator, crystal, edx;

	if (!__get_cpuid(0x15, &denominator, &numerator, &crystal, &edx))
		return 0;
	if (denominator == 0 || numerator == 0 || crystal == 0)
		return 0;
	return (double)crystal * numerator / denominator;
}

#elif defined(__aarch64__)

static inline uint64_t measure_counter_read(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

static inline bool measure_counter_is_invariant(void)
{
	return true;
}

static inline double measure_counter_nominal(void)
{
	uint64_t hertz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
	return (double)hertz;
}

#elif defined(__powerpc64__)

/* The time base: 512 MHz on POWER8 to POWER10. */
static inline uint64_t measure_counter_read(void)
{
	return __builtin_ppc_get_timebase();
}

static inline bool measure_counter_is_invariant(void)
{
	return true;
}

/* No register has it: it is compared with the kernel's clock. */
static inline double measure_counter_nominal(void)
{
	return 0;
}

#else

static inline uint64_t measure_counter_read(void)
{
	return 0;
}

static inline bool measure_counter_is_invariant(void)
{
	return false;
}

static inline double measure_counter_nominal(void)
{
	return 0;
}

#endif

/* False until measure_clock_start() has chosen the plain hardware counter. */
extern int measure_clock_is_counter;

uint64_t measure_clock_read_slow(void);

static inline uint64_t measure_clock_read(void)
{
	if (__builtin_expect(measure_clock_is_counter, 1))
		return measure_counter_read();
	return measure_clock_read_slow();
}

#endif
