/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hooks of functions, in one bracket each: their regions by address, and frames of the program's
 * stack that longjmp or an exception has left. */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapter.h"
#include "defs/code_inline.h"
#include "event/record_internal.h"

/* An entry's frame: its stack address, and in the 16 bits that addresses leave free a mark of the
 * place it returns to. Functions inlined into one another have both in common; of two calls at
 * one address that return to different places the earlier one is over. */
static inline uint64_t frame_of_call(const void *address, const void *call_site)
{
	uint64_t site = (uintptr_t)call_site;

	return (uint64_t)(uintptr_t)address | (site ^ site >> 16) << 48;
}

static inline uint64_t frame_address(uint64_t frame)
{
	return frame & ((UINT64_C(1) << 48) - 1);
}

extern void *__libc_stack_end; /* of ld.so: highest address of the main thread's stack */

struct stack_range {
	uint64_t low;
	uint64_t high;
};

static cold struct stack_range main_stack(void)
{
	struct rlimit limit;
	uint64_t size = UINT64_C(1) << 30;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		size = limit.rlim_cur;
	return (struct stack_range){
		(uintptr_t)__libc_stack_end - size, (uintptr_t)__libc_stack_end};
}

static cold struct stack_range thread_stack(void)
{
	struct stack_range range = {0, 0};
	pthread_attr_t attributes;
	void *low;
	size_t size;

	if (syscall(SYS_gettid) == getpid())
		return main_stack();
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return range;
	if (pthread_attr_getstack(&attributes, &low, &size) == 0)
		range = (struct stack_range){(uintptr_t)low, (uintptr_t)low + size};
	pthread_attr_destroy(&attributes);
	return range;
}

static bool lies_in(struct stack_range range, uint64_t frame)
{
	return frame >= range.low && frame < range.high;
}

/* Entry `top` cannot be open any more where a call has `frame`. */
static inline bool is_over(uint64_t top, uint64_t frame)
{
	return frame_address(frame) >= frame_address(top) && frame != top && top != 0;
}

/* The new frame does not lie below the one on top: longjmp or an exception has left that, unless
 * the thread is on another stack just now (a signal stack, a coroutine). */
static cold void leave_unwound(struct measure_location *location, uint64_t frame)
{
	int saved = errno;
	struct stack_range range = thread_stack();

	if (lies_in(range, frame_address(frame)) &&
		lies_in(range, frame_address(location->top[-1].frame))) {
		location->overflow = 0;
		while (is_over(location->top[-1].frame, frame) &&
			!(location->flags & MEASURE_LOCATION_STOPPED))
			measure_leave_unseen(location, 1);
	}
	errno = saved;
}

/* Tells functions apart on the region stack; 0 is kept for entries that are none. */
static uint32_t low_half(const void *function)
{
	uint32_t low = (uint32_t)(uintptr_t)function;

	return low ? low : 1;
}

void measure_function_enter(const void *function, const void *call_site, const void *address)
{
	struct measure_location *location = measure_bracket_open();

	if (unlikely(!location))
		return;

	uint32_t region = measure_code_region(function);
	uint64_t frame = frame_of_call(address, call_site);
	if (unlikely(is_over(location->top[-1].frame, frame)))
		leave_unwound(location, frame);
	measure_enter(location, region, frame, low_half(function));
	measure_bracket_close(location);
}

void measure_function_leave(const void *function, const void *frame)
{
	struct measure_location *location = measure_bracket_open_or(measure_exit_begin_slow);
	uint32_t low = low_half(function);

	if (unlikely(!location))
		return;
	if (likely(location->top[-1].function == low && location->overflow == 0)) {
		measure_leave_top(location);
	} else if (location->flags & MEASURE_LOCATION_DEFERRED) {
		measure_bracket_close(location);
		measure_run_deferred(location);
		measure_function_leave(function, frame);
		return;
	} else {
		measure_leave_other(location, MEASURE_UNDEFINED, low);
	}
	measure_bracket_close(location);
}
