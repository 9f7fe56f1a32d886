/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making locations, giving them chunks, and taking them over from threads that have ended. */
#define _GNU_SOURCE
#include "config.h"

#include "location.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapter.h"
#include "clock/clock.h"
#include "clock/clock_inline.h"
#include "runtime/definitions/define.h"
#include "nested_location.h"
#include "runtime/select/call_filter.h"
#include "counters.h"
#include "transaction.h"
#include "pages.h"

#define PAGE 4096

_Thread_local struct measure_location *measure_location_self;

static struct measure_segment segment;
static pthread_key_t thread_end;

/* Of threads that are gone, by is_created; under the definition lock. */
static struct measure_location *free_locations[2];
static bool is_reused;

void measure_count_more(enum measure_count what, uint64_t how_many)
{
	if (segment.header)
		atomic_fetch_add_explicit(
			&segment.header->counts[what], how_many, memory_order_relaxed);
}

void measure_count(enum measure_count what)
{
	measure_count_more(what, 1);
}

static uint8_t *chunk_memory(const struct measure_location *location)
{
	return measure_segment_chunk_memory(&segment, location->chunk);
}

/* Up to the writer's limit, with what a record that begins there may take. But not what has been
 * written to already: contents may be lost. */
static void populate(struct measure_location *location)
{
	const uint8_t *memory = chunk_memory(location);
	size_t used = (size_t)(location->writer.position - memory);
	size_t from = used > location->populated ? used : location->populated;
	size_t needed = (size_t)(location->writer.limit - memory) + MEASURE_RECORD_ROOM;

	from = (from + PAGE - 1) & ~(size_t)(PAGE - 1);
	needed = (needed + PAGE - 1) & ~(size_t)(PAGE - 1);
	if (needed <= location->populated)
		return;
	measure_pool_populate(location->chunk, from, needed);
	location->populated = needed;
}

/* A chunk is final before the pool hears that it is full. */
static bool exchange_chunk(struct measure_location *location)
{
	uint64_t nr_events = measure_committed_events(measure_location_committed(location));
	size_t size = segment.layout.chunk_size;
	struct measure_stall stall;

	if (location->chunk != MEASURE_CHUNK_NONE)
		measure_writer_end(&location->writer, chunk_memory(location), size, nr_events);
	location->chunk =
		measure_pool_next(location->index, location->chunk, &location->populated, &stall);
	if (stall.end != stall.begin) {
		location->stall = stall;
		location->flags |= MEASURE_LOCATION_STALLED;
	}
	if (location->chunk == MEASURE_CHUNK_NONE)
		return false;
	measure_writer_begin(&location->writer, chunk_memory(location), size, nr_events + 1);
	measure_probe_plan(location);
	populate(location);
	measure_throttle_begin_chunk(location);
	return true;
}

/* What holds up the thread most is timed: begins at `cpu` and `ticks`. */
static void note_held(struct measure_segment_location *shared, uint64_t cpu, uint64_t ticks)
{
	cpu = measure_clock_thread_cpu() - cpu;
	ticks = measure_clock_read() - ticks;
	shared->nr_held++;
	shared->held_cpu += cpu;
	if (cpu > shared->held_longest_cpu)
		shared->held_longest_cpu = cpu;
	if (ticks > shared->held_longest)
		shared->held_longest = ticks;
}

bool measure_location_next_chunk(struct measure_location *location)
{
	int saved = errno;
	uint64_t cpu = measure_clock_thread_cpu();
	uint64_t ticks = measure_clock_read();
	bool is_there = exchange_chunk(location);

	note_held(location->shared, cpu, ticks);
	errno = saved;
	return is_there;
}

void measure_location_populate(struct measure_location *location)
{
	uint64_t cpu, ticks;
	int saved = errno;

	if (location->writer.limit <=
		chunk_memory(location) + location->populated - MEASURE_RECORD_ROOM)
		return;
	cpu = measure_clock_thread_cpu();
	ticks = measure_clock_read();
	populate(location);
	note_held(location->shared, cpu, ticks);
	errno = saved;
}

/* What a thread has for a location from its end on. */
static struct measure_location no_location = {
	.flags = MEASURE_LOCATION_STOPPED,
	.index = MEASURE_UNDEFINED,
};

static void write_thread_end(struct measure_location *location)
{
	struct measure_segment_location *shared = location->shared;
	uint64_t nr_events = measure_committed_events(measure_location_committed(location));

	if (!measure_thread_is_open(shared, nr_events))
		return;
	atomic_store_explicit(&shared->thread_end, nr_events + 1, memory_order_relaxed);
	measure_write_thread_end(location, shared->thread_contingent, shared->thread_sequence);
}

/* Closes what the thread left open. False: it is in a bracket. */
static bool close_location(struct measure_location *location)
{
	if (location->flags & MEASURE_LOCATION_STOPPED)
		return true; /* the keeper will */
	if (!measure_bracket_open())
		return false;
	measure_calls_end(location);
	while (measure_location_depth(location) > 0 &&
		!(location->flags & MEASURE_LOCATION_STOPPED))
		measure_leave_top(location);
	if (location->index != 0 && !(location->flags & MEASURE_LOCATION_STOPPED))
		write_thread_end(location);
	measure_bracket_close(location);
	measure_meters_end(location);
	return true;
}

/* Signals are blocked, since before it was closed. */
static void release_location(struct measure_location *location)
{
	measure_define_lock_blocked();
	atomic_store(&location->shared->ended, 1);
	/* one in a gap is not: what it lacks is closed by the keeper */
	if (is_reused && !measure_gap_is_open(location)) {
		location->aside = NULL;
		location->next_free = free_locations[location->is_created];
		free_locations[location->is_created] = location;
	}
	measure_location_self = &no_location;
	measure_define_unlock_blocked();
}

static void close_one(struct measure_location *location)
{
	measure_location_self = location;
	if (close_location(location) && location->index != 0)
		release_location(location);
}

/* A context that is in a bracket may go on in it, on another thread: nobody else gets its location. */
static void close_aside(struct measure_location *aside)
{
	if (aside->flags & MEASURE_LOCATION_BUSY)
		atomic_store(&aside->shared->ended, 1);
	else
		close_one(aside);
}

/* With those that handlers of signals and other contexts were recorded in. */
static void close_and_release(struct measure_location *location)
{
	struct measure_location *aside = location->aside, *next;

	for (location->aside = NULL; aside; aside = next) {
		next = aside->aside;
		close_aside(aside);
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

/* The C library keeps values of its first keys in the thread, and allocates memory for others, which
 * a hook must not do. In a process that had more keys before recording began, threads do not tell
 * of their end, as if each lived as long as the process. */
#define KEYS_IN_THREAD 32

static bool hear_of_end(struct measure_location *location)
{
	return thread_end < KEYS_IN_THREAD && pthread_setspecific(thread_end, location) == 0;
}

/* Destructors of other keys may make events: ours asks to be called again until then. */
static void end_location(void *data)
{
	struct measure_location *location = measure_location_self;
	struct measure_signals saved;

	(void)data; /* the location that the thread began last, and may have set aside */
	if (!measure_gate_is_open() || !location)
		return;
	if (++location->end_rounds < LAST_ROUND && hear_of_end(location))
		return;
	location->end_rounds = 0;
	if (location->flags & MEASURE_LOCATION_BUSY) /* cancelled, or ended by a signal handler */
		location = measure_location_abandon(location);
	if (!location)
		return;
	if (measure_thread_ends)
		measure_thread_ends();
	measure_signals_block(&saved); /* no handler's records behind ThreadEnd */
	close_and_release(location);
	measure_signals_restore(&saved);
}

measure_status_t measure_locations_start(const struct measure_segment *attached, bool reuse)
{
	segment = *attached;
	is_reused = reuse;
	measure_pool_start(attached);
	measure_stacks_start(attached);
	if (pthread_key_create(&thread_end, end_location) != 0)
		return MEASURE_ERROR_MEMORY;
	return MEASURE_OK;
}

/* The next place in the segment is this location's. Under the definition lock. */
static bool begin_location(struct measure_location *location, bool is_created)
{
	uint32_t index = atomic_load(&segment.header->nr_locations);

	memset(location, 0, sizeof(*location));
	location->index = index;
	location->is_created = is_created;
	location->shared = &segment.locations[index];
	location->chunk = MEASURE_CHUNK_NONE;
	location->probing.probes = &segment.probes[index];
	measure_stack_begin(location);
	if (!measure_location_next_chunk(location))
		return false;
	atomic_store(&segment.header->nr_locations, index + 1);
	return true;
}

/* Of the system: a signal handler may have interrupted malloc(), and the lock is held. Never
 * returned, but one that was not begun is there for the next. */
#define LOCATIONS_AT_ONCE 64
static struct measure_location *spare_locations;
static uint32_t nr_spare_locations;

/* Under the definition lock. */
static struct measure_location *make_location(bool is_created)
{
	struct measure_segment_header *header = segment.header;
	struct measure_location *location;

	if (atomic_load(&header->nr_locations) >= segment.layout.max_locations)
		return NULL;
	if (nr_spare_locations == 0) {
		spare_locations = measure_pages_get(LOCATIONS_AT_ONCE * sizeof(*location));
		if (!spare_locations)
			return NULL;
		nr_spare_locations = LOCATIONS_AT_ONCE;
	}
	location = spare_locations;
	if (!begin_location(location, is_created))
		return NULL;
	spare_locations++;
	nr_spare_locations--;
	return location;
}

static struct measure_location *take_over(bool is_created)
{
	struct measure_location *location = free_locations[is_created];

	if (location) {
		free_locations[is_created] = location->next_free;
		location->stack_low = 0;
		atomic_store(&location->shared->ended, 0);
	}
	return location;
}

/* Of the calling thread. */
static void journal_location(const struct measure_location *location)
{
	struct measure_def_location def = {location->index, "", (uint32_t)(sched_getcpu() + 1)};

	MEASURE_JOURNAL(location, &def);
}

/* It is the calling thread's from now on. */
static void take_place(struct measure_location *location)
{
	location->shared->tid = (int32_t)syscall(SYS_gettid);
	hear_of_end(location);
	measure_location_self = location;
}

/* Recording may have stopped since somebody looked. */
static void count_homeless(void)
{
	measure_count(measure_pool_is_over() ? MEASURE_COUNT_LOST_AFTER_STOP
					     : MEASURE_COUNT_LOST_LOCATIONS);
}

/* Signals are blocked. */
static struct measure_location *create(bool is_created)
{
	int saved_errno = errno;

	measure_define_lock_blocked();
	struct measure_location *location = take_over(is_created);
	if (!location && (location = make_location(is_created)))
		journal_location(location);
	if (location) {
		location->aside = measure_location_self;
		take_place(location);
	} else {
		count_homeless();
	}
	measure_define_unlock_blocked();
	errno = saved_errno;
	return location;
}

struct measure_location *measure_location_create(void)
{
	struct measure_location *location;
	struct measure_signals saved;

	if (measure_define_is_locked_here()) {
		measure_count(MEASURE_COUNT_LOST_NESTED);
		return NULL;
	}
	if (segment.header && measure_pool_is_over()) {
		measure_count(MEASURE_COUNT_LOST_AFTER_STOP);
		return NULL;
	}
	measure_signals_block(&saved);
	location = create(false);
	measure_signals_restore(&saved);
	return location;
}

/* ------------------------------------------------------------- in a forked child --- */

/* Regions that the thread which calls fork() has open, the lowest first, in memory of the process's
 * own: the parent goes on changing the shared one while the child starts. */
static struct open_regions {
	struct measure_segment_frame *frames;
	uint32_t nr;
	uint32_t room;
	uint32_t overflow; /* and so many above them that have no place on the stack */
} open_regions;

static bool make_room(uint32_t nr)
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
	if (location && location->flags & MEASURE_LOCATION_LENT)
		return false;
	for (const struct measure_location *own = location; own; own = own->aside)
		if (own->flags & MEASURE_LOCATION_BUSY)
			return false;
	if (!location || location->index == MEASURE_UNDEFINED ||
		!make_room(measure_location_depth(location)))
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
bool measure_locations_restart(const struct measure_segment *attached, bool reuse, uint64_t time,
	uint32_t nr_arguments)
{
	static struct measure_location first; /* of a thread that has none */
	struct measure_location *location = measure_location_self;
	struct measure_calls *calls;

	if (!location || location->index == MEASURE_UNDEFINED)
		location = &first;
	calls = location->calls;
	segment = *attached;
	is_reused = reuse;
	free_locations[false] = free_locations[true] = NULL;
	measure_pool_start(attached);
	measure_stacks_start(attached);
	if (!begin_location(location, false))
		return false;
	journal_location(location);
	take_place(location);
	location->time = time;
	measure_write_program_begin(location, nr_arguments);
	enter_again(location);
	measure_calls_restart(location, calls, open_regions.frames, open_regions.nr);
	return true;
}

static bool begin_thread(measure_comm_t contingent, uint64_t sequence)
{
	struct measure_location *location = measure_location_self;
	struct measure_segment_location *shared;

	/* a signal handler's, in whose records there is nothing of the thread's own */
	if (location) {
		close_and_release(location);
		measure_location_self = NULL;
	}
	if (!create(true)) /* nor one that is not for such threads */
		return false;
	location = measure_bracket_open();
	if (!location)
		return false;
	shared = location->shared;
	shared->thread_contingent = contingent;
	shared->thread_sequence = sequence;
	atomic_store_explicit(&shared->thread_begin,
		measure_committed_events(measure_location_committed(location)) + 1,
		memory_order_relaxed);
	measure_write_thread_begin(location, contingent, sequence);
	if (measure_gap_is_open(location)) {
		location->gap.has_begun = true;
		atomic_store_explicit(&shared->thread_begin, 0, memory_order_relaxed);
	}
	measure_bracket_close(location);
	return true;
}

bool measure_thread_begin(measure_comm_t contingent, uint64_t sequence)
{
	struct measure_signals saved;
	bool has_begun;

	if (!measure_gate_is_admitting())
		return false;
	measure_signals_block(&saved); /* no handler's records before ThreadBegin */
	has_begun = begin_thread(contingent, sequence);
	measure_signals_restore(&saved);
	return has_begun;
}

uint32_t measure_location_index(void)
{
	struct measure_location *location = measure_location_self;

	if (!measure_gate_is_open())
		return MEASURE_UNDEFINED;
	if (!location)
		location = measure_location_create();
	return location ? location->index : MEASURE_UNDEFINED;
}

void measure_location_rename(uint32_t index, const char *name)
{
	struct measure_signals saved;
	struct measure_def_location def = {index, name, 0};

	if (index == MEASURE_UNDEFINED || !measure_gate_is_admitting())
		return;
	measure_define_lock(&saved);
	MEASURE_JOURNAL(location, &def);
	measure_define_unlock(&saved);
}

uint32_t measure_release_new(void)
{
	uint32_t release;

	if (!measure_gate_is_admitting())
		return MEASURE_UNDEFINED;
	release = atomic_fetch_add_explicit(&segment.header->nr_releases_used, 1,
		memory_order_relaxed);
	return release < segment.layout.nr_releases ? release : MEASURE_UNDEFINED;
}

void measure_release(uint32_t release, uint64_t time)
{
	if (measure_gate_is_admitting() && release != MEASURE_UNDEFINED)
		atomic_store_explicit(&segment.releases[release], time, memory_order_relaxed);
}

void measure_location_rest(uint32_t release, measure_comm_t team)
{
	struct measure_location *location = measure_location_self;
	struct measure_segment_location *shared;

	if (!measure_gate_is_admitting() || !location || release == MEASURE_UNDEFINED)
		return;
	shared = location->shared;
	shared->rest_release = release;
	shared->rest_team = team;
	/* the keeper looks when the process is gone: what lies before this is there */
	atomic_store_explicit(&shared->resting, measure_location_committed(location),
		memory_order_release);
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

void measure_location_name(const char *name)
{
	measure_location_rename(measure_location_index(), name);
}
