/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making locations, giving them chunks, and handing them on to other threads. */
#define _GNU_SOURCE
#include "config.h"

#include "runtime/event/location.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "adapter.h"
#include "clock/clock.h"
#include "clock/clock_inline.h"
#include "runtime/definitions/define.h"
#include "pages.h"
#include "runtime/gate/gate.h"
#include "runtime/select/call_filter.h"

#define PAGE 4096

_Thread_local struct measure_location *measure_location_self
	__attribute__((tls_model("initial-exec")));

__attribute__((weak)) void measure_start_lazily(void)
{
}

__attribute__((weak)) void measure_thread_ends(void)
{
}

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

struct measure_segment_header *measure_locations_header(void)
{
	return segment.header;
}

/* ------------------------------------------------------------------------- chunks --- */

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

/* Its bytes are final then. */
static void writer_end(
	struct measure_otf2_writer *writer, uint8_t *memory, size_t size, uint64_t last_event)
{
	measure_chunk_seal(memory, size, (size_t)(writer->position - memory), last_event, false);
}

static void writer_begin(
	struct measure_otf2_writer *writer, uint8_t *memory, size_t size, uint64_t first_event)
{
	writer->position = memory + measure_chunk_begin(memory, first_event);
	writer->limit = memory + size - MEASURE_RECORD_ROOM;
	writer->time = UINT64_MAX;
}

/* A chunk is final before the pool hears that it is full. */
static bool exchange_chunk(struct measure_location *location)
{
	uint64_t nr_events = measure_committed_events(measure_location_committed(location));
	size_t size = segment.layout.chunk_size;
	struct measure_stall stall;

	if (location->chunk != MEASURE_CHUNK_NONE)
		writer_end(&location->writer, chunk_memory(location), size, nr_events);
	location->chunk =
		measure_pool_next(location->index, location->chunk, &location->populated, &stall);
	if (stall.end != stall.begin) {
		location->stall = stall;
		location->flags |= MEASURE_LOCATION_STALLED;
	}
	if (location->chunk == MEASURE_CHUNK_NONE)
		return false;
	writer_begin(&location->writer, chunk_memory(location), size, nr_events + 1);
	measure_timing_plan(location);
	populate(location);
	location->poll.committed = 0;
	measure_throttle_note_place(
		&location->throttle, location->writer.position, location->writer.time);
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

/* ------------------------------------------------------------- whose location it is --- */

/* What a thread has for a location from its end on, and while a child of vfork() runs as it. */
static struct measure_location no_location = {
	.flags = MEASURE_LOCATION_STOPPED,
	.index = MEASURE_UNDEFINED,
};
static struct measure_location detached = {
	.flags = MEASURE_LOCATION_STOPPED | MEASURE_LOCATION_DETACHED,
	.index = MEASURE_UNDEFINED,
};

struct measure_location *measure_location_detach(void)
{
	struct measure_location *own = measure_location_self;

	measure_location_self = &detached;
	return own;
}

void measure_location_attach(struct measure_location *location)
{
	measure_location_self = location;
}

/* The C library keeps values of its first keys in the thread, and allocates memory for others,
 * which a hook must not do. In a process that had more keys before recording began, threads do not
 * tell of their end, as if each lived as long as the process. */
#define KEYS_IN_THREAD 32

bool measure_location_hear_end(struct measure_location *location)
{
	return thread_end < KEYS_IN_THREAD && pthread_setspecific(thread_end, location) == 0;
}

void measure_location_release(struct measure_location *location)
{
	measure_define_lock_blocked();
	atomic_store(&location->shared->ended, 1);
	/* not one whose events are dropped: what it lacks is closed by the keeper */
	if (is_reused && !measure_location_drops(location)) {
		location->next_nested = NULL;
		location->next_free = free_locations[location->is_created];
		free_locations[location->is_created] = location;
	}
	measure_location_self = &no_location;
	measure_define_unlock_blocked();
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
	location->timing.histograms = &segment.timings[index];
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
static struct measure_location *idle_locations; /* of threads that ended in an earlier recording */
static struct measure_location *all_locations;

/* The structs stay with their threads from one recording to the next, as do their filters. */
static bool renew_location(struct measure_location *location, bool is_created)
{
	struct measure_location *next_made = location->next_made;
	struct measure_call_filter *calls = location->calls;

	if (!begin_location(location, is_created)) {
		location->flags = MEASURE_LOCATION_STALE;
		return false;
	}
	location->next_made = next_made;
	location->calls = calls;
	if (calls)
		measure_call_filter_restart(calls, location->index, NULL, 0);
	return true;
}

/* Under the definition lock. */
static struct measure_location *make_location(bool is_created)
{
	struct measure_segment_header *header = segment.header;
	struct measure_location *location = idle_locations;

	if (atomic_load(&header->nr_locations) >= segment.layout.max_locations)
		return NULL;
	if (location) {
		struct measure_location *next = location->next_free;

		if (!renew_location(location, is_created))
			return NULL;
		idle_locations = next;
		return location;
	}
	if (nr_spare_locations == 0) {
		spare_locations = measure_pages_get(LOCATIONS_AT_ONCE * sizeof(*location));
		if (!spare_locations)
			return NULL;
		nr_spare_locations = LOCATIONS_AT_ONCE;
	}
	location = spare_locations;
	if (!begin_location(location, is_created))
		return NULL;
	location->next_made = all_locations;
	all_locations = location;
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
	struct measure_def_location def = {
		location->index, "", (uint32_t)(sched_getcpu() + 1), ""};

	MEASURE_JOURNAL(location, &def);
}

/* It is the calling thread's from now on. */
static void take_place(struct measure_location *location)
{
	location->shared->tid = (int32_t)syscall(SYS_gettid);
	measure_location_hear_end(location);
	measure_location_self = location;
}

/* Recording may have stopped since somebody looked. */
static void count_homeless(void)
{
	measure_count(measure_pool_is_over() ? MEASURE_COUNT_LOST_AFTER_STOP
					     : MEASURE_COUNT_LOST_LOCATIONS);
}

/* The thread's own of an earlier recording; its nested ones go to others. */
static struct measure_location *renew_own(bool is_created)
{
	struct measure_location *location = measure_location_self, *nested, *next;

	if (atomic_load(&segment.header->nr_locations) >= segment.layout.max_locations)
		return NULL;
	for (nested = location->next_nested; nested; nested = next) {
		next = nested->next_nested;
		nested->next_free = idle_locations;
		idle_locations = nested;
	}
	location->next_nested = NULL;
	if (!renew_location(location, is_created))
		return NULL;
	measure_location_self = NULL;
	return location;
}

struct measure_location *measure_location_make(bool is_created)
{
	int saved_errno = errno;
	struct measure_location *location;
	bool is_new = true;

	measure_define_lock_blocked();
	if (measure_location_is_stale(measure_location_self))
		location = renew_own(is_created);
	else if ((location = take_over(is_created)))
		is_new = false;
	else
		location = make_location(is_created);
	if (location && is_new)
		journal_location(location);
	if (location) {
		location->next_nested = measure_location_self;
		take_place(location);
	} else {
		count_homeless();
	}
	measure_define_unlock_blocked();
	errno = saved_errno;
	return location;
}

/* No thread for the keeper to look at; nor for --overhead: its looks are of no use. */
struct measure_location *measure_location_make_stream(const char *device, const char *name)
{
	struct measure_location *location;
	struct measure_signals saved;

	measure_define_lock(&saved);
	location = make_location(false);
	if (location) {
		const struct measure_def_location def = {location->index, name, 0, device};

		location->is_stream = true;
		location->throttle.to_skip = UINT32_MAX;
		atomic_store(&location->shared->ended, 1);
		MEASURE_JOURNAL(location, &def);
	} else {
		count_homeless();
	}
	measure_define_unlock(&saved);
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
	location = measure_location_make(false);
	measure_signals_restore(&saved);
	return location;
}

measure_status_t measure_locations_make(
	const struct measure_segment *attached, bool reuse, void (*thread_ends)(void *location))
{
	segment = *attached;
	is_reused = reuse;
	measure_pool_start(attached);
	measure_stacks_start(attached);
	if (pthread_key_create(&thread_end, thread_ends) != 0)
		return MEASURE_ERROR_MEMORY;
	return MEASURE_OK;
}

bool measure_locations_remake(
	const struct measure_segment *attached, bool reuse, struct measure_location *first)
{
	segment = *attached;
	is_reused = reuse;
	free_locations[false] = free_locations[true] = NULL;
	measure_pool_start(attached);
	measure_stacks_start(attached);
	if (!begin_location(first, false))
		return false;
	journal_location(first);
	take_place(first);
	return true;
}

/* ---------------------------------------------- from one recording to the next --- */

/* Of a thread that ends. */
void measure_location_drop_stale(void)
{
	struct measure_location *location = measure_location_self;
	struct measure_signals saved;

	measure_define_lock(&saved);
	measure_location_self = &no_location;
	location->next_free = idle_locations;
	idle_locations = location;
	measure_define_unlock(&saved);
}

/* What other processors have seen of the gate, or changed by an instruction of theirs. */
static void synchronize_threads(void)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0 &&
		syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0)
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/* True where none is in a transaction. The mark is set again where an owner's store has crossed
 * it. */
static bool mark_stale(void)
{
	bool is_quiet = true;

	for (struct measure_location *location = all_locations; location;
		location = location->next_made) {
		const uint32_t flags = location->flags;

		if (flags & MEASURE_LOCATION_BUSY)
			is_quiet = false;
		else if (!(flags & MEASURE_LOCATION_STALE))
			__atomic_fetch_or(&location->flags, MEASURE_LOCATION_STALE, __ATOMIC_SEQ_CST);
	}
	return is_quiet;
}

void measure_locations_abandon(int milliseconds)
{
	const struct timespec nap = {0, 1000000};

	synchronize_threads();
	while (!mark_stale() && milliseconds-- > 0)
		nanosleep(&nap, NULL);
	synchronize_threads();
	mark_stale();
}

void measure_locations_again(const struct measure_segment *attached, bool reuse)
{
	struct measure_location *location, *next;

	for (int is_created = 0; is_created < 2; is_created++) {
		for (location = free_locations[is_created]; location; location = next) {
			next = location->next_free;
			location->next_free = idle_locations;
			idle_locations = location;
		}
		free_locations[is_created] = NULL;
	}
	mark_stale();
	segment = *attached;
	is_reused = reuse;
	measure_pool_start(attached);
	measure_stacks_start(attached);
}

/* ----------------------------------------------------------------- the door's calls --- */

uint32_t measure_location_index(void)
{
	struct measure_location *location = measure_location_self;

	if (!measure_gate_is_open())
		return MEASURE_UNDEFINED;
	if (!location || measure_location_is_stale(location))
		location = measure_location_create();
	return location ? location->index : MEASURE_UNDEFINED;
}

void measure_location_rename(uint32_t index, const char *name)
{
	struct measure_signals saved;
	struct measure_def_location def = {index, name, 0, ""};

	if (index == MEASURE_UNDEFINED || !measure_gate_adapters_enabled())
		return;
	measure_define_lock(&saved);
	MEASURE_JOURNAL(location, &def);
	measure_define_unlock(&saved);
}

static void define_property(const struct measure_def_location_property *def)
{
	struct measure_signals saved;

	if (def->location == MEASURE_UNDEFINED || !measure_gate_adapters_enabled())
		return;
	measure_define_lock(&saved);
	MEASURE_JOURNAL(location_property, def);
	measure_define_unlock(&saved);
}

void measure_location_property(uint32_t index, const char *name, const char *value)
{
	const struct measure_def_location_property def = {index, name, value, false, 0};

	define_property(&def);
}

void measure_location_property_uint64(uint32_t index, const char *name, uint64_t value)
{
	const struct measure_def_location_property def = {index, name, NULL, true, value};

	define_property(&def);
}

uint32_t measure_release_new(void)
{
	uint32_t release;

	if (!measure_gate_adapters_enabled())
		return MEASURE_UNDEFINED;
	release = atomic_fetch_add_explicit(
		&segment.header->nr_releases_used, 1, memory_order_relaxed);
	return release < segment.layout.nr_releases ? release : MEASURE_UNDEFINED;
}

void measure_release(uint32_t release, uint64_t time)
{
	if (measure_gate_adapters_enabled() && release != MEASURE_UNDEFINED)
		atomic_store_explicit(&segment.releases[release], time, memory_order_relaxed);
}

void measure_location_name(const char *name)
{
	measure_location_rename(measure_location_index(), name);
}
