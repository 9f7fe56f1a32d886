/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A location as its own thread sees it: what the hot path needs in one cache line, the state of all
 * that is rare after it, its chunks and its region stack. */
#ifndef MEASURE_EVENT_LOCATION_H
#define MEASURE_EVENT_LOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/memory/chunk_pool.h"
#include "format/segment.h"
#include "format/event_encode.h"
#include "runtime/event/drop_interval.h"
#include "runtime/event/self_timing.h"
#include "runtime/select/throttle.h"

/* Why an event may not simply be written. One word, so that the hot path tests once. */
enum measure_location_flags {
	MEASURE_LOCATION_BUSY = 1,     /* the guard: in a transaction, which new events interrupt */
	MEASURE_LOCATION_STALLED = 2,  /* a stall is to be recorded first */
	MEASURE_LOCATION_STOPPED = 4,  /* never gets another chunk: events are counted as lost */
	MEASURE_LOCATION_DEFERRED = 8, /* an adapter has deferred records */
	MEASURE_LOCATION_CHOSEN = 16,  /* the next transaction is to time itself */
	MEASURE_LOCATION_TIMED = 32,   /* this one does */
	MEASURE_LOCATION_DETACHED = 64, /* nobody's: the thread runs a child of vfork() */
	MEASURE_LOCATION_STALE = 128    /* of an earlier recording of this process: to be renewed
					 * by its thread */
};

/* Attributes that stand before the next record. */
struct measure_attributes {
	uint8_t *begin;
	uint64_t committed; /* what that was when they were written */
};

/* The end of the last unsuccessful poll in this chunk. */
struct measure_last_poll {
	uint64_t committed; /* at that point; 0: there was none */
	uint8_t *position;
	uint64_t time;
};

struct measure_location {
	/* The hot path's cache line. */
	_Alignas(64) struct measure_otf2_writer writer;
	struct measure_segment_location *shared;
	struct measure_segment_frame *top;     /* first unused entry; top[-1] is the open region */
	struct measure_segment_frame *ceiling; /* end of the block that top lies in */
	uint64_t time;                         /* of the last record; never decreases */
	uint32_t overflow;                     /* regions open above the highest stack block */
	volatile uint32_t flags;

	uintptr_t opened_at; /* stack address of the function that opened the last transaction */

	/* Seldom touched. */
	uint32_t index;
	uint32_t chunk;   /* the current one */
	size_t populated; /* bytes of it that have memory */
	struct measure_stall stall;
	struct measure_drop_interval drop;
	struct measure_self_timing timing;
	struct measure_throttle throttle;
	struct measure_last_poll poll;
	struct measure_call_filter *calls; /* decided one by one; NULL: none yet */
	struct measure_counters *counters; /* of the thread; NULL: none yet */
	struct measure_attributes attributes;
	uint64_t sampled;           /* events before the sample that is being taken */
	void (*action)(void *data); /* of DEFERRED */
	void *action_data;
	volatile bool is_acting; /* the deferred action runs, and records at times of the past */
	bool has_news;      /* a counter that is written where it changes was; the reader sets it to
			       false */
	bool is_in_library; /* PAPI or a plug-in: what it calls is not recorded */
	bool may_allocate;  /* it begins to count there */
	bool is_created;    /* its threads begin with ThreadBegin */
	bool is_stream;     /* of a device: there is no thread whose counters could be read */
	uint32_t end_rounds; /* of destructors of the thread's keys, that it has outlived */
	uint64_t stack_low;  /* of the thread's own stack, as far as it is known; 0: not yet */
	struct measure_location *next_free;
	struct measure_location *next_made; /* of all that there ever were */
	struct measure_location
		*next_nested; /* of the thread's others (nested_location.h); or NULL */
};
_Static_assert(
	offsetof(struct measure_location, opened_at) == 64, "hot fields fill one cache line");

/* Only this thread writes to the word. */
static inline uint64_t measure_location_committed(const struct measure_location *location)
{
	return atomic_load_explicit(&location->shared->committed, memory_order_relaxed);
}

/* How many chunks it has had: tells one from the next, which may well lie in the same memory. */
static inline uint32_t measure_location_nr_chunks(const struct measure_location *location)
{
	return atomic_load_explicit(&location->shared->nr_chunks, memory_order_relaxed);
}

/* Attributes have been written for a record that is still to come. */
static inline bool measure_attributes_wait(const struct measure_location *location)
{
	return location->attributes.begin &&
	       location->attributes.committed == measure_location_committed(location);
}

static inline uint32_t measure_location_depth(const struct measure_location *location)
{
	return measure_committed_depth(measure_location_committed(location));
}

/* The lowest entry of the block that top lies in, and that block. */
static inline struct measure_segment_frame *measure_location_floor(
	const struct measure_location *location)
{
	return location->ceiling - MEASURE_STACK_ENTRIES;
}

static inline struct measure_segment_stack *measure_location_block(
	const struct measure_location *location)
{
	return (struct measure_segment_stack *)location->ceiling - 1;
}

/* The block of the stack that top lies in is empty, and there is one below. */
static inline bool measure_stack_is_low(const struct measure_location *location)
{
	return location->top == measure_location_floor(location) &&
	       measure_location_depth(location) > 0;
}

/* Its events are being dropped. */
static inline bool measure_location_drops(const struct measure_location *location)
{
	return atomic_load_explicit(&location->shared->drop_since, memory_order_relaxed) != 0;
}

/* This thread's location; NULL until its first event. Initial-exec: one register-relative
 * load, usable at any moment of a thread's life. */
extern _Thread_local struct measure_location *measure_location_self
	__attribute__((tls_model("initial-exec")));

/* ---------------------------------------------------------------------- life cycle --- */

/* Prepares for locations; once per process, before the gate opens. is_reused: a location goes
 * to the next thread when its thread is gone. */
measure_status_t measure_locations_start(const struct measure_segment *segment, bool is_reused);

/* Recording leaves this process, which goes on; the gate is closed. Returns when no thread is in a
 * transaction, or after at most `milliseconds`; from then on no location that is not in one is used
 * any more: a thread renews its own with the first event of the next recording. May be repeated. */
void measure_locations_abandon(int milliseconds);

/* The next recording of this process, with a segment of its own; the gate is still closed. */
void measure_locations_again(const struct measure_segment *segment, bool is_reused);

/* Its location is left from an earlier recording. */
static inline bool measure_location_is_stale(const struct measure_location *location)
{
	return location && location->flags & MEASURE_LOCATION_STALE;
}

/* Before fork(), under the definition lock, which is held until it is over. False: the child cannot
 * be recorded. A handler of a signal that came inside a transaction forks: it will go on there when
 * the handler is done, and must find the place as it was, and what is open is half written. Or
 * a child of vfork() has a child of its own. */
bool measure_locations_prepare_fork(void);

/* In the forked child: how many functions were open before the fork. */
uint32_t measure_locations_inherited(void);

/* In the forked child, for a segment of its own, with one location: that of the calling thread,
 * which is in no transaction. It begins at `time` with the functions that were open before the
 * fork. False: there is no memory. */
bool measure_locations_restart(const struct measure_segment *segment, bool is_reused, uint64_t time,
	uint32_t nr_arguments);

/* What lib/runtime/core does at moments that only events know. Weak and empty here, so that the
 * event path can be linked without it. An event came before the constructor: starts recording,
 * unless this process has started already or never will. The calling thread is about to be gone:
 * tells the adapters. */
void measure_start_lazily(void);
void measure_thread_ends(void);

/* Another process, a child of vfork(), runs in the calling thread's place, on its stack: from now
 * on the thread has a location in which nothing is recorded, and nothing counted as lost. Returns
 * its own one; NULL: it had none. */
struct measure_location *measure_location_detach(void);

void measure_location_attach(struct measure_location *location);

/* ------------------------------------------------- making them, and their chunks --- */

/* For locations in this segment, and tells `thread_ends` of the end of threads that have one. */
measure_status_t measure_locations_make(
	const struct measure_segment *segment, bool is_reused, void (*thread_ends)(void *location));

/* The same in a forked child, and makes its first location at this place. */
bool measure_locations_remake(
	const struct measure_segment *segment, bool is_reused, struct measure_location *first);

/* This thread's location, made or taken over from a thread that has ended; `is_created`: of a
 * thread that begins with ThreadBegin. Signals are blocked. NULL: as below. */
struct measure_location *measure_location_make(bool is_created);

/* That of a stream of a device. NULL: as below. */
struct measure_location *measure_location_make_stream(const char *device, const char *name);

/* The same of a thread that has its first event. NULL: there is none left, or it is being made just
 * now and the allocator makes events (counted). Takes the definition lock. */
struct measure_location *measure_location_create(void);

/* The thread's destructors go another round before its end is told; false: they do not. */
bool measure_location_hear_end(struct measure_location *location);

/* The calling thread ends, and its location is left from an earlier recording. */
void measure_location_drop_stale(void);

/* The location's thread is over: the next one may have it. Signals are blocked, since before it was
 * closed. */
void measure_location_release(struct measure_location *location);

/* Ends the current chunk and begins the next one; false: there is none. */
bool measure_location_next_chunk(struct measure_location *location);

/* The writer's limit has gone up: sees to it that there is memory up to it. */
void measure_location_populate(struct measure_location *location);

/* Of the segment; NULL: there is none. */
struct measure_segment_header *measure_locations_header(void);

/* Counts something for the summary. */
void measure_count(enum measure_count what);
void measure_count_more(enum measure_count what, uint64_t how_many);

/* Tells functions apart on the region stack; 0 is kept for entries that are none. */
static inline uint32_t measure_function_low(const void *function)
{
	uint32_t low = (uint32_t)(uintptr_t)function;

	return low ? low : 1;
}

/* The same of calls that the filter has decided about, so that their exits leave the hot path by
 * themselves. */
static inline uint32_t measure_function_filtered(const void *function)
{
	uint32_t low = ~measure_function_low(function);

	return low ? low : 1;
}

/* May a call of a function be open on any thread's stack, as far as recorded? While its
 * recording goes on, nobody knows. */
bool measure_stacks_may_hold(const void *function);

/* --- the region stack ------------------------------------------------------------------ */

/* Continues in the block above / below. Grow: false if there is no block left. Rise: there is
 * one already, and what lies in it stays. */
void measure_stacks_start(const struct measure_segment *segment);
bool measure_stack_grow(struct measure_location *location);
void measure_stack_rise(struct measure_location *location);
void measure_stack_shrink(struct measure_location *location);

/* Gives a new location the bottom block of its stack. */
void measure_stack_begin(struct measure_location *location);

#endif
