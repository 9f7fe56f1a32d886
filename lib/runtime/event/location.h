/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A location as its own thread sees it. lib/event only. */
#ifndef MEASURE_RUNTIME_EVENT_LOCATION_H
#define MEASURE_RUNTIME_EVENT_LOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drop_interval.h"
#include "runtime/select/polls.h"
#include "self_timing.h"
#include "runtime/select/throttle.h"
#include "runtime/memory/chunk_pool.h"
#include "format/segment.h"
#include "format/chunk_writer.h"

/* Why an event may not simply be written. One word, so that the event path tests once. */
enum measure_location_flags {
	MEASURE_LOCATION_BUSY = 1,     /* in a bracket: what comes now interrupts it */
	MEASURE_LOCATION_STALLED = 2,  /* a stall is to be recorded first */
	MEASURE_LOCATION_STOPPED = 4,  /* never again a chunk: events are counted as lost */
	MEASURE_LOCATION_DEFERRED = 8, /* an adapter has put off records */
	MEASURE_LOCATION_CHOSEN = 16,  /* the next bracket is to time itself */
	MEASURE_LOCATION_TIMED = 32,   /* this one does */
	MEASURE_LOCATION_LENT = 64     /* nobody's: events of a child of vfork() are not ours */
};

/* Attributes that stand before the next record. */
struct measure_attributes {
	uint8_t *begin;
	uint64_t committed; /* what that was when they were written */
};

struct measure_location {
	/* The event path's line. */
	_Alignas(64) struct measure_otf2_writer writer;
	struct measure_segment_location *shared;
	struct measure_segment_frame *top; /* first unused entry; top[-1] is the open region */
	struct measure_segment_frame *ceiling; /* end of the block that top lies in */
	uint64_t time;			       /* of the last record; never decreases */
	uint32_t overflow; /* regions open above the highest stack block */
	volatile uint32_t flags;

	uintptr_t bracket; /* stack address of whoever opened the last one */

	/* Seldom touched. */
	uint32_t index;
	struct measure_stall stall;
	struct measure_gap gap;
	struct measure_probing probing;
	struct measure_throttle throttle;
	struct measure_polls polls;
	struct measure_calls *calls; /* decided one by one; NULL: none yet */
	struct measure_meters *meters; /* of the thread; NULL: none yet */
	struct measure_attributes attributes;
	uint64_t sampled;           /* events before the sample that is being taken */
	volatile bool is_acting;    /* what was put off is being recorded, at times of the past */
	void (*action)(void *data); /* of DEFERRED */
	void *action_data;
	uint32_t chunk;   /* the current one */
	size_t populated; /* bytes of it that have memory */
	struct measure_location *next_free;
	uint64_t stack_low; /* of the thread's own stack, as far as it is known; 0: not yet */
	bool has_news; /* a metric that is told where it changes; who looks at it sets it to false */
	bool is_in_library; /* PAPI or a plug-in: what it calls is not recorded */
	bool may_allocate;  /* it begins to count there */
	uint32_t end_rounds; /* of destructors of the thread's keys, that it has outlived */
	bool is_created;     /* its threads begin with ThreadBegin */
	struct measure_location
		*aside; /* the next of the thread's others, see nested_location.h; or NULL */
};
_Static_assert(offsetof(struct measure_location, bracket) == 64, "hot fields fill one cache line");

/* Takes the guard, unless it is taken: a test and a store that no signal handler comes between, as one
 * may go on with another context of the program on the same thread, which takes it too. Nothing
 * that other processors must respect. */
#if defined(__x86_64__)
static inline bool measure_location_take(struct measure_location *location)
{
	bool was_taken;

	__asm__ volatile("btsl $0, %1" : "=@ccc"(was_taken), "+m"(location->flags) : : "memory");
	return !was_taken;
}
_Static_assert(MEASURE_LOCATION_BUSY == 1, "the guard is bit 0");
#else
static inline bool measure_location_take(struct measure_location *location)
{
	return !(__atomic_fetch_or(&location->flags, MEASURE_LOCATION_BUSY, __ATOMIC_RELAXED) &
		 MEASURE_LOCATION_BUSY);
}
#endif

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
static inline bool measure_attributes_stand(const struct measure_location *location)
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

/* This thread's location; NULL until its first event. Initial-exec: one register-relative
 * load, usable at any moment of a thread's life. */
extern _Thread_local struct measure_location *measure_location_self
	__attribute__((tls_model("initial-exec")));

/* Prepares for locations; once per process, before the gate opens. is_reused: a location goes
 * to the next thread when its thread is gone. */
measure_status_t measure_locations_start(const struct measure_segment *segment, bool is_reused);

/* Before fork(), under the definition lock, which is held until it is over. False: the child cannot
 * be recorded. A handler of a signal that came inside a bracket forks: it will go on there when
 * the handler is done, and must find the place as it was, and what is open is written by half. Or
 * a child of vfork(), with a child of its own. */
bool measure_locations_prepare_fork(void);

/* In the forked child: how many functions were open before the fork. */
uint32_t measure_locations_inherited(void);

/* In the forked child, for a segment of its own, with one location: that of the calling thread,
 * which is in no bracket. It begins at `time` with the functions that were open before the fork.
 * False: there is no memory. */
bool measure_locations_restart(
	const struct measure_segment *segment, bool is_reused, uint64_t time,
	uint32_t nr_arguments);

/* Tells the adapters that the calling thread is about to be gone. Set by lib/core. */
extern void (*measure_thread_ends)(void);

/* Does nothing where this process has started already or never will; else starts recording
 * now, because an event came before the constructor. Set by lib/core. */
extern void (*measure_start_lazily)(void);

/* This thread's location, made or taken over from a thread that has ended. NULL: none to be
 * had, or it is being made just now and the allocator makes events (counted). Takes the
 * definition lock. */
struct measure_location *measure_location_create(void);

/* Ends the current chunk and begins the next one; false: there is none. */
bool measure_location_next_chunk(struct measure_location *location);

/* The writer's limit has gone up: sees to it that there is memory up to it. */
void measure_location_populate(struct measure_location *location);

/* Counts something for the summary. */
void measure_count(enum measure_count what);
void measure_count_more(enum measure_count what, uint64_t how_many);

/* Tells functions apart on the region stack; 0 is kept for entries that are none. */
static inline uint32_t measure_function_low(const void *function)
{
	uint32_t low = (uint32_t)(uintptr_t)function;

	return low ? low : 1;
}

/* The same of calls that the filter has decided about, so that their exits leave the event path by
 * themselves. */
static inline uint32_t measure_function_asked(const void *function)
{
	uint32_t low = ~measure_function_low(function);

	return low ? low : 1;
}

/* May a call of a function be open on any thread's stack, as far as recorded? Where its recording
 * goes on meanwhile, nobody knows. */
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
