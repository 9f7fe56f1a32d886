/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The door's record functions, and the seldom taken halves of the event path. */
#include "config.h"

#include "adapter.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <signal.h>

#include "runtime/definitions/code_region_inline.h"
#include "format/journal_records.h"
#include "runtime/definitions/region.h"
#include "nested_location.h"
#include "runtime/select/call_filter.h"
#include "record_internal.h"

_Static_assert(MEASURE_CODE_ASK == MEASURE_REGION_MARKED, "adapters know the lowest mark");

/* ------------------------------------------------------------------ cold halves --- */

/* What analysis tools look for where there are BufferFlush records. Once is enough. */
static cold void define_flush_region(void)
{
	static _Atomic bool is_defined;
	const struct measure_region_info info = {
		.name = "TRACE BUFFER FLUSH",
		.role = OTF2_REGION_ROLE_ARTIFICIAL,
		.paradigm = OTF2_PARADIGM_MEASUREMENT_SYSTEM,
	};

	if (!atomic_exchange(&is_defined, true))
		measure_region_define(&info);
}

/* A wait that was of no use is part of the gap that follows. */
static cold void record_stall(struct measure_location *location)
{
	uint64_t begin = location->stall.begin, end = location->stall.end;

	location->flags &= ~(uint32_t)MEASURE_LOCATION_STALLED;
	if (measure_gap_is_open(location))
		return;
	define_flush_region();
	if (begin > location->time)
		location->time = begin;
	measure_write_buffer_flush(location, end);
}

/* Bytes by which a call may lie deeper than the bracket and yet come after it: hooks called at
 * the end of a function may have its frame above them or not. What is called from inside a
 * bracket, an allocator of the program by way of OTF2, lies deeper. */
#define SAME_DEPTH 128

/* And by which a signal handler's event does at most, where it is not known what stack that is: the
 * stacks of a program's own contexts lie further apart. */
#define SAME_STACK (16 << 10)

/* In a bracket: this is called from inside it, or is a signal handler's event. Both lie deeper on
 * the stack, or on the one for signals. */
static cold bool is_nested(struct measure_location *location, uintptr_t here)
{
	bool is_deeper = here + SAME_DEPTH < location->bracket;
	stack_t stack;

	if (is_deeper && location->bracket - here < SAME_STACK)
		return true;
	if (sigaltstack(NULL, &stack) != 0 || stack.ss_flags & SS_ONSTACK)
		return true;
	return is_deeper && measure_is_one_stack(location, here, location->bracket);
}

/* Else a signal handler has left the bracket by siglongjmp(): then nobody ever comes back to it. Or
 * by going on with another context, which has a stack of its own: then it goes on when its context
 * does. Where to record meanwhile; NULL: not known yet. */
static cold struct measure_location *leave_bracket(
	struct measure_location *location, uintptr_t here)
{
	if (!measure_is_one_stack(location, here, location->bracket))
		return measure_location_set_aside(location);
	return measure_location_abandon(location);
}

/* What was put off until now. It opens brackets of its own. */
cold void measure_run_deferred(struct measure_location *location)
{
	location->is_acting = true;
	atomic_signal_fence(memory_order_seq_cst);
	location->flags &= ~(uint32_t)MEASURE_LOCATION_DEFERRED;
	location->action(location->action_data);
	atomic_signal_fence(memory_order_seq_cst);
	location->is_acting = false;
}

/* An adapter's event may be under a lock of the adapter's, which the bracket holds. */
static struct measure_location *lose(struct measure_location *location)
{
	(void)location;
	measure_count(MEASURE_COUNT_LOST_NESTED);
	return NULL;
}

/* Where to record; NULL: nowhere (counted). `beside` says where if this comes inside a bracket. */
static cold struct measure_location *find_location(
	uintptr_t here, struct measure_location *(*beside)(struct measure_location *location))
{
	struct measure_location *location = measure_location_self;

	if (location && location->flags & MEASURE_LOCATION_LENT)
		return NULL;
	if (location && location->flags & MEASURE_LOCATION_BUSY) {
		if (is_nested(location, here))
			return beside(location);
		location = leave_bracket(location, here);
	}
	return location ? location : measure_location_create();
}

/* The gate is closed, or the location is missing or has a flag. */
static cold struct measure_location *begin_slow(
	uintptr_t here, struct measure_location *(*beside)(struct measure_location *location))
{
	struct measure_location *location;

	if (!measure_gate_is_open()) {
		if (measure_start_lazily)
			measure_start_lazily();
		if (!measure_gate_is_open())
			return NULL;
	}
	location = find_location(here, beside);
	if (!location)
		return NULL;
	if (location->flags & MEASURE_LOCATION_STOPPED) {
		measure_count(location->index == MEASURE_UNDEFINED ? MEASURE_COUNT_LOST_AFTER_END
								 : MEASURE_COUNT_LOST_AFTER_STOP);
		return NULL;
	}
	if (!measure_bracket_take(location, here)) /* another context has come in between */
		return begin_slow(here, beside);
	if (location->flags & MEASURE_LOCATION_STALLED)
		record_stall(location);
	uint64_t now = measure_clock_read();
	location->time = now >= location->time ? now : measure_time_clamp(location);
	if (location->flags & MEASURE_LOCATION_CHOSEN)
		measure_probe_begin(location, now);
	return location;
}

cold struct measure_location *measure_exit_begin_slow(uintptr_t here)
{
	return begin_slow(here, measure_location_beside);
}

/* What was put off is all that is in the way, but for being chosen. */
static bool is_deferred_only(const struct measure_location *location)
{
	return (location->flags & ~(uint32_t)MEASURE_LOCATION_CHOSEN) == MEASURE_LOCATION_DEFERRED;
}

static cold void run_what_was_put_off(void)
{
	struct measure_location *location = measure_location_self;

	if (measure_gate_is_open() && location && is_deferred_only(location))
		measure_run_deferred(location);
}

cold struct measure_location *measure_enter_begin_slow(uintptr_t here)
{
	run_what_was_put_off();
	return begin_slow(here, measure_location_beside);
}

cold struct measure_location *measure_record_begin_slow(uintptr_t here)
{
	run_what_was_put_off();
	return begin_slow(here, lose);
}

cold void measure_bracket_close_slow(struct measure_location *location)
{
	if (location->flags & MEASURE_LOCATION_TIMED)
		measure_probe_end(location);
	location->flags &= ~(uint32_t)MEASURE_LOCATION_BUSY;
}

/* The writer's limit was reached. False: the chunk is full, and there is no other one just now, or
 * never again. */
static cold bool find_room(struct measure_location *location)
{
	if (location->flags & MEASURE_LOCATION_STOPPED || location->gap.is_wanted)
		return false;
	measure_throttle_look(location);
	if (measure_probe_choose(location))
		return true;
	if (measure_gap_is_open(location))
		return measure_gap_end(location);

	uint32_t news = measure_pool_news();
	if (measure_location_next_chunk(location))
		return true;
	measure_gap_begin(location, news);
	return false;
}

bool measure_record_reserve(struct measure_location *location, size_t size)
{
	while (!measure_has_room(location, size)) {
		if (find_room(location))
			continue;
		location->writer.position = location->writer.limit + 1; /* nor for the record */
		return false;
	}
	return true;
}

cold uint8_t *measure_record_place_slow(struct measure_location *location)
{
	if (find_room(location))
		return measure_put_time(&location->writer, location->time);
	measure_gap_count(location);
	return NULL;
}

cold void measure_enter_dropped(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function)
{
	if (!(location->flags & MEASURE_LOCATION_STOPPED))
		measure_gap_enter(location, frame, region, function);
}

cold void measure_leave_dropped(struct measure_location *location)
{
	if (!(location->flags & MEASURE_LOCATION_STOPPED))
		measure_gap_leave(location);
}

cold uint64_t measure_time_clamp(struct measure_location *location)
{
	measure_count(MEASURE_COUNT_TIME_CLAMPED);
	return location->time;
}

/* --------------------------------------------------------------------- brackets --- */

cold struct measure_location *measure_admitted_begin_slow(uintptr_t here)
{
	if (!measure_gate_is_admitting() && measure_start_lazily)
		measure_start_lazily();
	return measure_gate_is_admitting() ? measure_record_begin_slow(here) : NULL;
}

struct measure_location *measure_record_begin(void)
{
	return measure_admitted_begin();
}

struct measure_location *measure_record_begin_followed(void)
{
	return measure_bracket_open();
}

/* A stall is recorded first, and is later than `time`. */
static cold struct measure_location *begin_at_slow(uint64_t time, uintptr_t here)
{
	struct measure_location *self = measure_location_self, *location;
	uint64_t last = self ? self->time : 0;
	bool is_stalled = self && self->flags & MEASURE_LOCATION_STALLED;

	location = measure_admitted_begin_slow(here);
	if (location && !is_stalled)
		location->time = time > last ? time : last;
	return location;
}

struct measure_location *measure_record_begin_at(uint64_t time)
{
	struct measure_location *location = measure_location_self;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	bool is_open = measure_gate_is_admitting() && location;

	if (is_open && is_deferred_only(location))
		measure_run_deferred(location);
	if (unlikely(!is_open || location->flags) || !measure_bracket_take(location, here))
		return begin_at_slow(time, here);
	if (time > location->time)
		location->time = time;
	return location;
}

void measure_record_later(void (*action)(void *data), void *data)
{
	struct measure_location *location = measure_location_self;

	if (!measure_gate_is_admitting() || !location)
		return;
	if (location->flags & MEASURE_LOCATION_DEFERRED)
		measure_run_deferred(location);
	location->action = action;
	location->action_data = data;
	location->flags |= MEASURE_LOCATION_DEFERRED;
}

uint64_t measure_record_time(const struct measure_location *location)
{
	return location->time;
}

void measure_record_end(struct measure_location *location)
{
	measure_bracket_close(location);
}

/* Closes the `above` regions on top of the stack that were left without our seeing it. */
cold void measure_leave_unseen(struct measure_location *location, uint32_t above)
{
	while (above-- > 0 && !(location->flags & MEASURE_LOCATION_STOPPED)) {
		if (location->top[-1].function == 0)
			measure_region_unbalanced(location->top[-1].region, MEASURE_NOT_LEFT);
		measure_leave_top(location);
		measure_count(MEASURE_COUNT_LEAVE_SYNTHESISED);
	}
}

static bool is_sought(
	const struct measure_segment_frame *entry, const struct measure_sought *sought)
{
	if (sought->function == 0)
		return entry->region == sought->region;
	return entry->function == sought->function &&
	       (!sought->is_marked || entry->frame >> MEASURE_FRAME_BITS == sought->mark);
}

/* How many entries lie above the innermost one that is sought; the depth of the stack where there
 * is none. */
static cold uint32_t entries_above(
	const struct measure_location *location, const struct measure_sought *sought)
{
	struct measure_location view = *location;
	uint32_t depth = measure_location_depth(location), above = 0;

	for (; above < depth; above++) {
		if (view.top == measure_location_floor(&view))
			measure_stack_shrink(&view);
		view.top--;
		if (is_sought(view.top, sought))
			break;
	}
	return above;
}

cold void measure_leave_other(
	struct measure_location *location, const struct measure_sought *sought)
{
	if (location->overflow > 0) {
		location->overflow--;
		return;
	}
	uint32_t above = entries_above(location, sought);
	if (above == measure_location_depth(location)) {
		if (!sought->is_marked)
			measure_count(MEASURE_COUNT_LEAVE_DROPPED);
		if (sought->function == 0)
			measure_region_unbalanced(sought->region, MEASURE_NOT_ENTERED);
		return;
	}
	measure_leave_unseen(location, above);
	measure_leave_top(location);
}

/* Whoever reads `committed`, the keeper after the end or anybody before, counts on the records up
 * to it. So it goes back before a byte of them changes, which is when the next record is
 * written: a process that dies in between leaves an archive without the Enter. */
void measure_record_take_back(struct measure_location *location, uint8_t *begin, uint64_t committed)
{
	struct measure_segment_location *shared = location->shared;

	atomic_store_explicit(&shared->nr_taken_back,
		atomic_load_explicit(&shared->nr_taken_back, memory_order_relaxed) + 1,
		memory_order_relaxed);
	location->top--;
	atomic_store_explicit(&shared->committed, committed, memory_order_release);
	atomic_thread_fence(memory_order_release);
	location->writer.position = begin;
	location->writer.time = UINT64_MAX;
	measure_throttle_take_back(location);
	if (unlikely(measure_stack_is_low(location)))
		measure_stack_shrink(location);
}

/* The filter leaves it out, or decides; or the region is not known. */
static cold void enter_marked(struct measure_location *location, uint32_t region)
{
	if (measure_code_is_asked(region))
		measure_calls_enter(location, region & ~MEASURE_CODE_MARKS, 0, 0);
	else if (!measure_code_is_off(region))
		measure_enter(location, region, 0, 0);
	measure_attributes_drop(location);
}

static cold void leave_marked(struct measure_location *location, uint32_t region)
{
	if (!measure_code_is_asked(region) ||
		!measure_calls_leave(location, region & ~MEASURE_CODE_MARKS, NULL))
		measure_attributes_drop(location);
}

void measure_write_enter(struct measure_location *location, measure_region_t region)
{
	if (likely(region < MEASURE_CODE_ASK))
		measure_enter(location, region, 0, 0);
	else
		enter_marked(location, region);
}

void measure_write_leave(struct measure_location *location, measure_region_t region)
{
	const struct measure_sought sought = {.region = region};

	if (likely(location->top[-1].region == region && location->overflow == 0))
		measure_leave_top(location);
	else if (region < MEASURE_CODE_ASK || region == MEASURE_UNDEFINED)
		measure_leave_other(location, &sought);
	else
		leave_marked(location, region);
}

void measure_region_enter(measure_region_t region)
{
	struct measure_location *location = measure_bracket_open();

	if (unlikely(!location))
		return;
	if (likely(region < MEASURE_CODE_ASK))
		measure_enter(location, region, 0, 0);
	else
		enter_marked(location, region);
	measure_bracket_close(location);
}

void measure_region_leave(measure_region_t region)
{
	struct measure_location *location = measure_bracket_open();

	if (unlikely(!location))
		return;
	measure_write_leave(location, region);
	measure_bracket_close(location);
}

/* ----------------------------------------------------------- all other records --- */

/* Puts up to seven fields, each as wide as its type says. A row of fewer is filled up with
 * NONE, which takes no space; the first one is for rows without fields. */
struct none {
	char none;
};

/* A time is not compressed. */
struct time {
	uint64_t ticks;
};

static inline uint8_t *put_time(uint8_t *place, struct time time)
{
	return measure_put_full(place, time.ticks);
}

static inline uint8_t *put_none(uint8_t *place, struct none none)
{
	(void)none;
	return place;
}

#define NONE ((struct none){0})
#define PUT(place, field)                                                                          \
	_Generic((field),                                                                          \
		struct none: put_none,                                                             \
		struct time: put_time,                                                             \
		uint8_t: measure_put_u8,                                                           \
		uint32_t: measure_put_u32,                                                         \
		int64_t: measure_put_i64,                                                          \
		uint64_t: measure_put_u64)(place, field)
#define PUT_8(a, b, c, d, e, f, g, h, ...)                                                         \
	(end = PUT(end, a), end = PUT(end, b), end = PUT(end, c), end = PUT(end, d),               \
		end = PUT(end, e), end = PUT(end, f), end = PUT(end, g), end = PUT(end, h))
#define PUT_ALL(...) PUT_8(NONE, ##__VA_ARGS__, NONE, NONE, NONE, NONE, NONE, NONE, NONE)

/* The body of a record of this OTF2 name. */
#define WRITE(otf2, fields)                                                                        \
	do {                                                                                       \
		uint8_t *place = measure_record_place(location), *end;                             \
                                                                                                   \
		if (unlikely(!place))                                                              \
			return;                                                                    \
		end = place + MEASURE_SHAPE_##otf2;                                                \
		PUT_ALL fields;                                                                    \
		measure_put_head(place, MEASURE_TYPE_##otf2, MEASURE_SHAPE_##otf2, end);           \
		measure_commit(location, MEASURE_COMMIT_EVENT, end);                               \
	} while (0)

#define EVENT(name, otf2, parameters, arguments)                                                   \
	void measure_write_##name parameters                                                       \
	{                                                                                          \
		WRITE(otf2, arguments);                                                            \
	}
#include "events.def"
#undef EVENT

_Static_assert(2 * (MEASURE_MOST_ARGUMENTS + 16) <= MEASURE_RECORD_ROOM, "strings of two bytes each");

void measure_write_program_begin(struct measure_location *location, uint32_t nr_arguments)
{
	uint8_t *place = measure_record_place(location), *end;

	if (unlikely(!place))
		return;
	end = measure_put_u32(place + MEASURE_SHAPE_ProgramBegin, 0);
	end = measure_put_u32(end, nr_arguments);
	for (uint32_t i = 1; i <= nr_arguments; i++)
		end = measure_put_u32(end, i);
	measure_put_head(place, MEASURE_TYPE_ProgramBegin, MEASURE_SHAPE_ProgramBegin, end);
	measure_commit(location, MEASURE_COMMIT_EVENT, end);
}

void measure_write_buffer_flush(struct measure_location *location, uint64_t end_ticks)
{
	const struct time stop = {end_ticks};

	WRITE(BufferFlush, (stop));
}
