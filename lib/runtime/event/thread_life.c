/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Begin and end of the recording of threads: ThreadBegin and ThreadEnd, closing what a thread has
 * left open, and the thread that goes on in a forked child. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "adapter.h"
#include "runtime/definitions/define.h"
#include "pages.h"
#include "runtime/event/counters.h"
#include "runtime/event/nested_location.h"
#include "runtime/event/transaction.h"

static void write_thread_end(struct measure_location *location)
{
	struct measure_segment_location *shared = location->shared;
	uint64_t nr_events = measure_committed_events(measure_location_committed(location));

	if (!measure_thread_is_open(shared, nr_events))
		return;
	atomic_store_explicit(&shared->thread_end, nr_events + 1, memory_order_relaxed);
	measure_write_thread_end(location, shared->thread_contingent, shared->thread_sequence);
}

/* Closes what the thread left open. False: it is in a transaction. */
static bool close_location(struct measure_location *location)
{
	if (location->flags & MEASURE_LOCATION_STOPPED)
		return true; /* the keeper will */
	if (!measure_transaction_open())
		return false;
	if (location->calls)
		measure_call_filter_clear(location->calls);
	while (measure_location_depth(location) > 0 &&
		!(location->flags & MEASURE_LOCATION_STOPPED))
		measure_leave_top(location);
	if (location->index != 0 && !(location->flags & MEASURE_LOCATION_STOPPED))
		write_thread_end(location);
	measure_transaction_close(location);
	measure_counters_end(location);
	return true;
}

static void close_one(struct measure_location *location)
{
	measure_location_self = location;
	if (close_location(location) && location->index != 0)
		measure_location_release(location);
}

/* A context that is in a transaction may go on in it, on another thread: nobody else gets its
 * location. */
static void close_nested(struct measure_location *location)
{
	if (location->flags & MEASURE_LOCATION_BUSY)
		atomic_store(&location->shared->ended, 1);
	else
		close_one(location);
}

/* With those that signal handlers and other contexts were recorded in. */
static void close_all(struct measure_location *location)
{
	struct measure_location *nested = location->next_nested, *next;

	for (location->next_nested = NULL; nested; nested = next) {
		next = nested->next_nested;
		close_nested(nested);
	}
	close_one(location);
}

/* The last of the rounds that threads make through the destructors of their keys. Before it,
 * ThreadSanitizer takes leave of the thread, where we are built with it. */
#ifdef __SANITIZE_THREAD__
#define LAST_ROUND (PTHREAD_DESTRUCTOR_ITERATIONS - 1)
#else
#define LAST_ROUND PTHREAD_DESTRUCTOR_ITERATIONS
#endif

/* Destructors of other keys may make events: ours asks to be called again until then. */
static void thread_end(void *data)
{
	struct measure_location *location = measure_location_self;
	struct measure_signals saved;

	(void)data; /* the location that the thread began last, and may have left to a transaction
		     */
	if (measure_location_is_stale(location))
		measure_location_drop_stale();
	if (!measure_gate_is_open() || !location || location != measure_location_self)
		return;
	if (++location->end_rounds < LAST_ROUND && measure_location_hear_end(location))
		return;
	location->end_rounds = 0;
	if (location->flags & MEASURE_LOCATION_BUSY) /* cancelled, or ended by a signal handler */
		location = measure_location_abandon(location);
	if (!location)
		return;
	measure_thread_ends();
	measure_signals_block(&saved); /* no handler's records after ThreadEnd */
	close_all(location);
	measure_signals_restore(&saved);
}

measure_status_t measure_locations_start(const struct measure_segment *segment, bool is_reused)
{
	return measure_locations_make(segment, is_reused, thread_end);
}

static bool begin_thread(measure_comm_t contingent, uint64_t sequence)
{
	struct measure_location *location = measure_location_self;
	struct measure_segment_location *shared;

	/* a signal handler's, in whose records there is nothing of the thread's own */
	if (location && !measure_location_is_stale(location)) {
		close_all(location);
		measure_location_self = NULL;
	}
	if (!measure_location_make(true)) /* nor one that is not for such threads */
		return false;
	location = measure_transaction_open();
	if (!location)
		return false;
	shared = location->shared;
	shared->thread_contingent = contingent;
	shared->thread_sequence = sequence;
	atomic_store_explicit(&shared->thread_begin,
		measure_committed_events(measure_location_committed(location)) + 1,
		memory_order_relaxed);
	measure_write_thread_begin(location, contingent, sequence);
	if (measure_location_drops(location)) {
		location->drop.has_begun = true;
		atomic_store_explicit(&shared->thread_begin, 0, memory_order_relaxed);
	}
	measure_transaction_close(location);
	return true;
}

bool measure_thread_begin(measure_comm_t contingent, uint64_t sequence)
{
	struct measure_signals saved;
	bool has_begun;

	if (!measure_gate_adapters_enabled())
		return false;
	measure_signals_block(&saved); /* no handler's records before ThreadBegin */
	has_begun = begin_thread(contingent, sequence);
	measure_signals_restore(&saved);
	return has_begun;
}

void measure_location_rest(uint32_t release, measure_comm_t team)
{
	struct measure_location *location = measure_location_self;
	struct measure_segment_location *shared;

	if (!measure_gate_adapters_enabled() || !location || release == MEASURE_UNDEFINED)
		return;
	shared = location->shared;
	shared->rest_release = release;
	shared->rest_team = team;
	/* the keeper looks when the process is gone: what lies before this is there */
	atomic_store_explicit(
		&shared->resting, measure_location_committed(location), memory_order_release);
}

void measure_phase_end(bool is_waited_for)
{
	struct measure_location *location = measure_location_self;
	struct measure_stall stall;
	int saved = errno;

	if (!measure_gate_is_open())
		return;
	measure_pool_flush(is_waited_for, &stall);
	if (location && stall.end != stall.begin) {
		location->stall = stall;
		location->flags |= MEASURE_LOCATION_STALLED;
	}
	errno = saved;
}

void measure_snapshot_want(void)
{
	int saved = errno;

	if (measure_gate_is_open())
		measure_pool_want_snapshot();
	errno = saved;
}

/* ------------------------------------------------------------- in a forked child --- */

/* Regions that the thread which calls fork() has open, the lowest first, in the process's own
 * memory: the parent goes on changing the shared one while the child starts. */
static struct open_regions {
	struct measure_segment_frame *frames;
	uint32_t nr;
	uint32_t room;
	uint32_t overflow; /* and so many above them that have no place on the stack */
} open_regions;

static bool make_room_for_regions(uint32_t nr)
{
	if (nr <= open_regions.room)
		return true;
	measure_pages_return(open_regions.frames, open_regions.room * sizeof(*open_regions.frames));
	open_regions.room = 0;
	open_regions.frames = measure_pages_get(2 * nr * sizeof(*open_regions.frames));
	if (open_regions.frames)
		open_regions.room = 2 * nr;
	return open_regions.room > 0;
}

bool measure_locations_prepare_fork(void)
{
	const struct measure_location *location = measure_location_self;
	struct measure_location view;

	open_regions.nr = open_regions.overflow = 0;
	if (location && location->flags & MEASURE_LOCATION_DETACHED)
		return false;
	for (const struct measure_location *own = location; own; own = own->next_nested)
		if (own->flags & MEASURE_LOCATION_BUSY)
			return false;
	if (!location || location->index == MEASURE_UNDEFINED ||
		!make_room_for_regions(measure_location_depth(location)))
		return true;
	view = *location;
	open_regions.overflow = location->overflow;
	open_regions.nr = measure_location_depth(location);
	for (uint32_t i = open_regions.nr; i-- > 0; open_regions.frames[i] = *view.top) {
		if (view.top == measure_location_floor(&view))
			measure_stack_shrink(&view);
		view.top--;
	}
	return true;
}

/* What adapters have entered they will not leave here. */
static void enter_again(struct measure_location *location)
{
	for (uint32_t i = 0; i < open_regions.nr; i++) {
		const struct measure_segment_frame *frame = &open_regions.frames[i];
		if (frame->function != 0)
			measure_enter(location, frame->region, frame->frame, frame->function);
	}
	location->overflow += open_regions.overflow;
}

uint32_t measure_locations_inherited(void)
{
	return open_regions.nr;
}

/* The struct stays where it is: who called fork() may be a signal handler, and what it has
 * interrupted knows the place. No allocator is called: fork handlers of its own, which come after
 * ours, may not have made it usable yet. */
bool measure_locations_restart(
	const struct measure_segment *segment, bool is_reused, uint64_t time, uint32_t nr_arguments)
{
	static struct measure_location first; /* of a thread that has none */
	struct measure_location *location = measure_location_self;
	struct measure_call_filter *calls;

	if (!location || location->index == MEASURE_UNDEFINED)
		location = &first;
	calls = location->calls;
	if (!measure_locations_remake(segment, is_reused, location))
		return false;
	location->time = time;
	measure_write_program_begin(location, nr_arguments);
	enter_again(location);
	location->calls = calls;
	if (calls)
		measure_call_filter_restart(
			calls, location->index, open_regions.frames, open_regions.nr);
	return true;
}
