/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events that come while their thread is in a transaction, and the locations for them; see
 * nested_location.h. */
#define _GNU_SOURCE
#include "config.h"

#include "runtime/event/nested_location.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/definitions/define.h"
#include "runtime/event/location.h"
#include "runtime/select/call_filter.h"

#define cold __attribute__((cold, noinline))

/* ------------------------------------------------------------------- on which stack --- */

extern void *__libc_stack_end; /* of ld.so: highest address of the main thread's stack */

#define PAGE          UINT64_C(4096)
#define PAGES_AT_ONCE 64
#define MOST_STACK    (UINT64_C(1) << 30)
#define STACK_ADDRESS ((UINT64_C(1) << MEASURE_FRAME_BITS) - 1) /* of a frame */

static cold bool lies_on_main_stack(uint64_t low, uint64_t high)
{
	uint64_t end = (uintptr_t)__libc_stack_end, size = MOST_STACK;
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		size = limit.rlim_cur;
	return high < end && low >= end - size;
}

/* So many pages from `page` on, one byte of each. */
static cold bool are_readable(uint64_t page, size_t nr_pages)
{
	struct iovec there[PAGES_AT_ONCE];
	char bytes[PAGES_AT_ONCE];
	struct iovec here = {bytes, nr_pages};

	for (size_t i = 0; i < nr_pages; i++)
		there[i] = (struct iovec){(void *)(uintptr_t)(page + i * PAGE), 1};
	return process_vm_readv(getpid(), &here, 1, there, nr_pages, 0) == (ssize_t)nr_pages;
}

/* A thread's stack ends where the C library keeps what it knows of the thread, and begins with a
 * page that cannot be read: what can be read all the way up belongs to it. pthread_getattr_np()
 * would allocate memory. */
static cold bool lies_on_thread_stack(
	struct measure_location *location, uint64_t low, uint64_t high)
{
	uint64_t end = (uint64_t)(uintptr_t)pthread_self(), known;

	if (high >= end || end - low > MOST_STACK)
		return false;
	known = location->stack_low ? location->stack_low : end & ~(PAGE - 1);
	while (known > low) {
		uint64_t nr = (known - low + PAGE - 1) / PAGE;
		nr = nr < PAGES_AT_ONCE ? nr : PAGES_AT_ONCE;
		if (!are_readable(known - nr * PAGE, nr))
			return false;
		known -= nr * PAGE;
		location->stack_low = known;
	}
	return true;
}

/* Where signals are handled: it may lie in a variable of a function, and so on the other one. */
static cold bool lies_on_signal_stack(uint64_t address)
{
	stack_t stack;

	return sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE) &&
	       address - (uintptr_t)stack.ss_sp < stack.ss_size;
}

cold bool measure_is_one_stack(struct measure_location *location, uint64_t frame, uint64_t other)
{
	uint64_t a = frame & STACK_ADDRESS, b = other & STACK_ADDRESS;
	uint64_t low = a < b ? a : b, high = a < b ? b : a;
	int saved = errno;
	bool is_one;

	is_one = syscall(SYS_gettid) == getpid() ? lies_on_main_stack(low, high)
						 : lies_on_thread_stack(location, low, high);
	errno = saved;
	return is_one && lies_on_signal_stack(a) == lies_on_signal_stack(b);
}

/* ------------------------------------------------------------ the thread's locations --- */

/* In a transaction, or stopped. */
static bool is_in_use(const struct measure_location *location)
{
	return location->flags & (MEASURE_LOCATION_BUSY | MEASURE_LOCATION_STOPPED);
}

/* What links to the first free location of the chain, or to its end. */
static struct measure_location **nested_find_free(struct measure_location *location)
{
	struct measure_location **link = &location->next_nested;

	while (*link && is_in_use(*link))
		link = &(*link)->next_nested;
	return link;
}

/* A context of the program has been interrupted in a transaction of this location, and another one
 * goes on in its place: leaves the location to that transaction. */
static struct measure_location *leave_to_context(struct measure_location *location)
{
	struct measure_location **link = nested_find_free(location), *found = *link;

	atomic_store(&location->shared->ended, 1);
	if (!found)
		return NULL;
	*link = found->next_nested;
	found->next_nested = location;
	atomic_store(&found->shared->ended, 0);
	measure_location_self = found;
	return found;
}

/* Transactions before the free one in the chain have been left with it. */
struct measure_location *measure_location_abandon(struct measure_location *location)
{
	struct measure_location *found = *nested_find_free(location);

	for (; location != found; location = location->next_nested)
		atomic_store(&location->shared->ended, 1);
	if (found)
		atomic_store(&found->shared->ended, 0);
	measure_location_self = found;
	measure_count(MEASURE_COUNT_ABANDONED);
	return found;
}

/* In the chain, as the thread's own is another one. */
static struct measure_location *nested_make(struct measure_location *location)
{
	struct measure_location *made;
	struct measure_signals saved;

	measure_signals_block(&saved);
	made = measure_location_create();
	if (made) {
		made->next_nested = location->next_nested;
		location->next_nested = made;
		measure_location_self = location;
	}
	measure_signals_restore(&saved);
	return made;
}

struct measure_location *measure_nested_free(struct measure_location *location)
{
	return *nested_find_free(location);
}

/* In a transaction of this location, or of another one that the transaction was interrupted for. */
static bool is_in_library(const struct measure_location *location)
{
	for (; location; location = location->next_nested)
		if (location->flags & MEASURE_LOCATION_BUSY && location->is_in_library)
			return true;
	return false;
}

struct measure_location *measure_nested_find(struct measure_location *location)
{
	struct measure_location *found = *nested_find_free(location);

	if (is_in_library(location) || measure_define_is_locked_here()) {
		measure_count(MEASURE_COUNT_LOST_NESTED);
		return NULL;
	}
	if (!found)
		return nested_make(location);
	atomic_store(&found->shared->ended, 0);
	return found;
}

/* -------------------------------------------------------- while in a transaction --- */

/* Bytes by which a call may lie deeper than the transaction and yet come after it: hooks called at
 * the end of a function may have its frame above them or not. What is called from inside a
 * transaction, a source of counters that calls the program, lies deeper. */
#define SAME_DEPTH 128

/* Bytes by which a signal handler's event lies deeper at most, where it is not known what stack
 * that is: the stacks of a program's own contexts lie further apart. */
#define SAME_STACK (16 << 10)

cold bool measure_nested_is(struct measure_location *location, uintptr_t here)
{
	bool is_deeper = here + SAME_DEPTH < location->opened_at;
	stack_t stack;

	if (is_deeper && location->opened_at - here < SAME_STACK)
		return true;
	if (sigaltstack(NULL, &stack) != 0 || stack.ss_flags & SS_ONSTACK)
		return true;
	return is_deeper && measure_is_one_stack(location, here, location->opened_at);
}

cold struct measure_location *measure_nested_leave(
	struct measure_location *location, uintptr_t here)
{
	if (!measure_is_one_stack(location, here, location->opened_at))
		return leave_to_context(location);
	return measure_location_abandon(location);
}
