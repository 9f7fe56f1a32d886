/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hooks of functions, in one transaction each: their regions by address, and frames of the
 * program's stack that longjmp or an exception has left. */
#include "config.h"

#include <errno.h>

#include "adapter.h"
#include "runtime/definitions/code_region_inline.h"
#include "runtime/patch/patch.h"
#include "runtime/event/nested_location.h"
#include "runtime/event/transaction.h"

/* A frame's mark of the place that the call returns to. */
static inline uint64_t mark_of(uint64_t site)
{
	return (site ^ site >> 16) << MEASURE_FRAME_BITS;
}

/* Functions inlined into one another have address and mark in common; of two calls at one address
 * that return to different places the earlier one is over. */
static inline uint64_t frame_of_call(const void *address, const void *call_site)
{
	return (uint64_t)(uintptr_t)address | mark_of((uintptr_t)call_site);
}

static inline uint64_t frame_address(uint64_t frame)
{
	return frame & ((UINT64_C(1) << MEASURE_FRAME_BITS) - 1);
}

/* Entry `top` cannot be open any more where a call has `frame`. */
static inline bool frame_is_over(uint64_t top, uint64_t frame)
{
	return frame_address(frame) >= frame_address(top) && frame != top && top != 0;
}

/* The new frame does not lie below the one on top: longjmp or an exception has left that, unless
 * the thread is on another stack just now (a signal stack, a coroutine). */
static cold void leave_unwound(struct measure_location *location, uint64_t frame)
{
	int saved = errno;

	if (measure_is_one_stack(location, frame, location->top[-1].frame)) {
		location->overflow = 0;
		while (frame_is_over(location->top[-1].frame, frame) &&
			!(location->flags & MEASURE_LOCATION_STOPPED))
			measure_leave_unseen(location, 1);
	}
	errno = saved;
}

/* ------------------------------------------------------------------------ entry --- */

static inline void function_enter(
	struct measure_location *location, uint32_t region, uint64_t frame, const void *function)
{
	if (unlikely(frame_is_over(location->top[-1].frame, frame)))
		leave_unwound(location, frame);
	measure_enter(location, region, frame, measure_function_low(function));
}

/* Calls that were not recorded, in the same way. */
static cold void forget_unwound(struct measure_location *location, uint64_t frame)
{
	int saved = errno;

	if (measure_is_one_stack(location, frame, measure_call_filter_frame(location->calls)))
		while (frame_is_over(measure_call_filter_frame(location->calls), frame))
			measure_call_filter_forget(location->calls);
	errno = saved;
}

/* Of a function of which the filter records some calls. */
static __attribute__((noinline)) void enter_filtered(
	struct measure_location *location, uint32_t region, uint64_t frame, const void *function)
{
	if (unlikely(frame_is_over(location->top[-1].frame, frame)))
		leave_unwound(location, frame);
	if (unlikely(frame_is_over(measure_call_filter_frame(location->calls), frame)))
		forget_unwound(location, frame);
	measure_filtered_enter(
		location, region & ~MEASURE_CODE_MARKS, frame, measure_function_filtered(function));
}

static void enter_off(const void *function, const void *call_site, const void *return_address)
{
	if (atomic_load_explicit(&measure_patch_is_on, memory_order_relaxed) &&
		return_address != call_site)
		measure_patch_seen(function, return_address, false);
}

/* The gate is closed or watched, or the location is missing or has a flag. */
static __attribute__((noinline)) void enter_slow(const void *function, const void *call_site,
	const void *address, const void *return_address)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uint64_t frame = frame_of_call(address, call_site);
	struct measure_location *location;
	uint32_t region;

	if (measure_gate_is_open() && measure_code_is_off(measure_code_find((uintptr_t)function))) {
		enter_off(function, call_site, return_address);
		return;
	}
	if (measure_gate_is_open() && !measure_gate_is_plain())
		measure_patch_watch(function, return_address);
	location = measure_transaction_open_entry(here);
	if (!location)
		return;
	region = measure_code_region(function);
	if (region < MEASURE_CODE_ASK)
		function_enter(location, region, frame, function);
	else if (!measure_code_is_off(region))
		enter_filtered(location, region, frame, function);
	measure_transaction_close(location);
}

void measure_function_enter(const void *function, const void *call_site, const void *address,
	const void *return_address)
{
	struct measure_location *location = measure_transaction_try(
		measure_gate_is_plain(), (uintptr_t)__builtin_frame_address(0));
	uint64_t frame = frame_of_call(address, call_site);

	if (unlikely(!location)) {
		enter_slow(function, call_site, address, return_address);
		return;
	}
	uint32_t region = measure_code_region(function);
	if (likely(region < MEASURE_CODE_ASK)) {
		measure_transaction_stamp(location);
		function_enter(location, region, frame, function);
		measure_transaction_close(location);
		return;
	}
	if (!measure_code_is_off(region)) {
		measure_transaction_stamp(location);
		enter_filtered(location, region, frame, function);
		measure_transaction_close(location);
		return;
	}
	measure_transaction_close(location);
	enter_off(function, call_site, return_address);
}

/* ------------------------------------------------------------------------- exit --- */

#define MOST_VARIABLES (UINT64_C(1) << 20) /* bytes between an entry and the frame pointer */

/* A function whose stack grows while it runs, by alloca() or an array of variable length, is left
 * from further down than it was entered. To find its way back it has a frame pointer: right above
 * the place that this points to lies the return address, by the calling conventions of x86-64 and
 * AArch64. Of the call that was entered it lies above the entry; of one from inside, below. */
static cold bool has_grown(uint64_t frame, uint64_t entry, uint64_t base)
{
	if (base == frame_address(frame) && base != 0) /* the hook's own */
		base = *(const uint64_t *)(uintptr_t)base;
	if (base <= frame_address(entry) || base - frame_address(entry) > MOST_VARIABLES ||
		base % sizeof(uint64_t) != 0)
		return false;
	return mark_of(((const uint64_t *)(uintptr_t)base)[1]) >> MEASURE_FRAME_BITS ==
	       entry >> MEASURE_FRAME_BITS;
}

/* Is it the exit of the call whose entry has this frame? A call from inside of that one lies
 * deeper, as a jump at most as high. */
static inline bool exit_is_of_call(const struct measure_exit *exit, uint64_t entry)
{
	if (exit->frame >> MEASURE_FRAME_BITS != entry >> MEASURE_FRAME_BITS)
		return false;
	if (!exit->return_address)
		return exit->frame > entry;
	return exit->frame == entry ||
	       (exit->frame < entry && has_grown(exit->frame, entry, exit->base));
}

static inline bool exit_is_of_top(
	const struct measure_exit *exit, const struct measure_location *location)
{
	uint32_t function = location->top[-1].function;

	return (function == measure_function_low(exit->function) ||
		       function == measure_function_filtered(exit->function)) &&
	       exit_is_of_call(exit, location->top[-1].frame);
}

/* The exit lies above the entry on top: that has been left. */
static inline bool exit_is_above(
	const struct measure_exit *exit, const struct measure_location *location)
{
	uint64_t entry = location->top[-1].frame;

	return entry != 0 && frame_address(exit->frame) > frame_address(entry);
}

/* Of a function that is off. Where frames above it were left by longjmp or an exception, it may
 * have been entered before it was switched off. */
static cold void leave_left(struct measure_exit copy)
{
	const struct measure_exit *exit = &copy;
	struct measure_location *location =
		measure_transaction_open_or(measure_gate_is_plain(), measure_transaction_open_exit);
	int saved = errno;

	if (!location)
		return;
	if (exit_is_above(exit, location) &&
		measure_is_one_stack(location, exit->frame, location->top[-1].frame)) {
		while (exit_is_above(exit, location) && !exit_is_of_top(exit, location) &&
			!(location->flags & MEASURE_LOCATION_STOPPED))
			measure_leave_unseen(location, 1);
	}
	if (exit_is_of_top(exit, location))
		measure_leave_top(location);
	measure_transaction_close(location);
	errno = saved;
}

/* NULL: the entry was not recorded. */
static inline const struct measure_location *location_of_exit(void)
{
	struct measure_location *location = measure_location_self;

	if (unlikely(location && location->flags & MEASURE_LOCATION_BUSY))
		location = measure_nested_free(location);
	return location && !(location->flags & (MEASURE_LOCATION_STOPPED | MEASURE_LOCATION_STALE))
		       ? location
		       : NULL;
}

/* Of a call that the filter has decided about. */
static cold bool exit_is_innermost(
	const struct measure_location *location, uint32_t region, struct measure_exit exit)
{
	return measure_code_is_asked(region) &&
	       measure_call_filter_is_innermost(location->calls, region & ~MEASURE_CODE_MARKS,
		       measure_location_depth(location), &exit);
}

/* A function that is off and whose entry was not seen has nothing to leave; one that was switched
 * off since then has. True: that is all. It does not read the clock, and does not look further
 * down the stack than the top, without need. Nobody else gets a pointer to `exit`: so it stays in
 * registers. */
static inline bool leave_off(struct measure_exit exit, uint32_t region)
{
	const struct measure_location *location = location_of_exit();

	if (unlikely(!location))
		return true;
	if (exit_is_of_top(&exit, location))
		return false;
	if (unlikely(region & MEASURE_CODE_ASK) && exit_is_innermost(location, region, exit))
		return false;
	if (unlikely(exit_is_above(&exit, location)))
		leave_left(exit);
	else if (atomic_load_explicit(&measure_patch_is_on, memory_order_relaxed))
		measure_patch_seen(exit.function, exit.return_address, true);
	return true;
}

/* Where functions have been switched, the exit may be of a call that was not entered, inside of
 * one of the same function that was: most often that returns to another place. */
static void leave_switched(struct measure_location *location, const struct measure_exit *exit)
{
	const struct measure_segment_frame *top = &location->top[-1];
	const struct measure_sought sought = {.function = measure_function_low(exit->function),
		.mark = exit->frame >> MEASURE_FRAME_BITS,
		.is_marked = atomic_load_explicit(&measure_code_is_switched, memory_order_relaxed)};

	if (location->overflow == 0 && top->function == sought.function &&
		(!sought.is_marked || top->frame >> MEASURE_FRAME_BITS == sought.mark))
		measure_leave_top(location);
	else
		measure_leave_other(location, &sought);
}

static bool exit_is_on_top(
	const struct measure_location *location, uint32_t region, struct measure_exit exit)
{
	if (measure_code_is_asked(region))
		return exit_is_innermost(location, region, exit);
	return location->top[-1].function == measure_function_low(exit.function);
}

static inline struct measure_exit exit_of(const void *function, const void *call_site,
	const void *address, const void *return_address, uint64_t base)
{
	return (struct measure_exit){function, frame_of_call(address, call_site),
		return_address == call_site ? NULL : return_address, base};
}

static __attribute__((noinline)) void leave_found(const void *function, const void *call_site,
	const void *address, const void *return_address, uint32_t region)
{
	const struct measure_exit exit = exit_of(function, call_site, address, return_address, 0);
	struct measure_location *location;

	if (measure_gate_is_open() && !measure_gate_is_plain())
		measure_patch_watch(function, exit.return_address);
	location =
		measure_transaction_open_or(measure_gate_is_plain(), measure_transaction_open_exit);
	if (!location)
		return;
	if (location->flags & MEASURE_LOCATION_DEFERRED &&
		!exit_is_on_top(location, region, exit)) {
		measure_transaction_close(location);
		measure_run_deferred(location);
		leave_found(function, call_site, address, return_address, region);
		return;
	}
	if (measure_code_is_asked(region))
		measure_filtered_leave(location, region & ~MEASURE_CODE_MARKS, &exit);
	else
		leave_switched(location, &exit);
	measure_transaction_close(location);
}

/* All exits but those of the function on top of the stack while no function has been switched. */
static __attribute__((noinline)) void leave_slow(const void *function, const void *call_site,
	const void *address, const void *return_address, uint64_t base)
{
	uint32_t region = MEASURE_UNDEFINED;

	if (measure_gate_is_open())
		region = measure_code_find((uintptr_t)function);
	if (!measure_code_is_off(region) ||
		!leave_off(exit_of(function, call_site, address, return_address, base), region))
		leave_found(function, call_site, address, return_address, region);
}

/* In a transaction, where another function is on top, or a call that the filter has decided about:
 * of those it is left there and then. */
static __attribute__((noinline)) void leave_other_top(const void *function, const void *call_site,
	const void *address, const void *return_address, uint64_t base)
{
	struct measure_location *location = measure_location_self;
	uint32_t region = measure_code_find((uintptr_t)function);
	bool is_decided = measure_code_is_asked(region) && !measure_code_is_off(region);

	if (is_decided) {
		const struct measure_exit exit =
			exit_of(function, call_site, address, return_address, 0);
		measure_transaction_stamp(location);
		measure_filtered_leave(location, region & ~MEASURE_CODE_MARKS, &exit);
	}
	measure_transaction_close(location);
	if (!is_decided)
		leave_slow(function, call_site, address, return_address, base);
}

void measure_function_leave(const void *function, const void *call_site, const void *address,
	const void *return_address)
{
	bool is_plain = measure_gate_is_plain() &&
			!atomic_load_explicit(&measure_code_is_switched, memory_order_relaxed);
	struct measure_location *location =
		measure_transaction_try(is_plain, (uintptr_t)__builtin_frame_address(0));

	if (unlikely(!location)) {
		leave_slow(function, call_site, address, return_address,
			*(const uint64_t *)__builtin_frame_address(0));
		return;
	}
	/* In the transaction, where no other context of the program can leave it any more. */
	if (unlikely(location->top[-1].function != measure_function_low(function))) {
		leave_other_top(function, call_site, address, return_address,
			*(const uint64_t *)__builtin_frame_address(0));
		return;
	}
	measure_transaction_stamp(location);
	if (likely(location->overflow == 0))
		measure_leave_top(location);
	else
		location->overflow--;
	measure_transaction_close(location);
}
