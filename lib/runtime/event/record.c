/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The door's record functions: transactions of adapters, Enter and Leave, and one function for each
 * other record. */
#include "config.h"

#include "adapter.h"

#include <errno.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "runtime/definitions/code_region_inline.h"
#include "runtime/definitions/define.h"
#include "runtime/event/transaction.h"

_Static_assert(MEASURE_CODE_ASK == MEASURE_REGION_MARKED, "adapters know the lowest mark");
_Static_assert(MEASURE_CODE_OFF == MEASURE_REGION_OFF, "... and this one");

/* ------------------------------------------------------------------- transactions --- */

struct measure_location *measure_record_begin(void)
{
	return measure_transaction_open_adapter();
}

struct measure_location *measure_record_begin_followed(void)
{
	return measure_transaction_open();
}

/* A stall is recorded first. Now would be too late: others that have waited for this thread may
 * have gone on since. */
static cold struct measure_location *record_begin_at_slow(uint64_t time, uintptr_t here)
{
	struct measure_location *self = measure_location_self, *location;
	uint64_t last = self ? self->time : 0;

	if (self && self->flags & MEASURE_LOCATION_STALLED && self->stall.end > last)
		last = self->stall.end;
	location = measure_transaction_open_adapter_slow(here);
	if (location)
		location->time = time > last ? time : last;
	return location;
}

struct measure_location *measure_record_begin_at(uint64_t time)
{
	struct measure_location *location = measure_location_self;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	bool is_open = measure_gate_adapters_enabled() && location;

	if (is_open && measure_transaction_is_deferred(location))
		measure_run_deferred(location);
	if (unlikely(!is_open || location->flags) || !measure_transaction_claim(location, here))
		return record_begin_at_slow(time, here);
	if (time > location->time)
		location->time = time;
	return location;
}

void measure_record_later(void (*action)(void *data), void *data)
{
	struct measure_location *location = measure_location_self;

	if (!measure_gate_adapters_enabled() || !location)
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
	measure_transaction_close(location);
}

void measure_record_switch(bool is_on)
{
	struct measure_location *location = measure_transaction_open();
	int saved = errno;

	if (!location)
		return;
	if (is_on)
		measure_drop_end_wanted(location);
	else
		measure_drop_begin_wanted(location);
	errno = saved;
	measure_transaction_close(location);
}

/* ----------------------------------------------------------------- Enter and Leave --- */

/* The filter leaves it out, or decides; or the region is not known. */
static cold void enter_marked(struct measure_location *location, uint32_t region)
{
	if (measure_code_is_asked(region))
		measure_filtered_enter(location, region & ~MEASURE_CODE_MARKS, 0, 0);
	else if (!measure_code_is_off(region))
		measure_enter(location, region, 0, 0);
	measure_attributes_drop(location);
}

static cold void leave_marked(struct measure_location *location, uint32_t region)
{
	if (!measure_code_is_asked(region) ||
		!measure_filtered_leave(location, region & ~MEASURE_CODE_MARKS, NULL))
		measure_attributes_drop(location);
}

static inline void region_enter(struct measure_location *location, uint32_t region)
{
	if (likely(region < MEASURE_CODE_ASK))
		measure_enter(location, region, 0, 0);
	else
		enter_marked(location, region);
}

static inline void region_leave(struct measure_location *location, uint32_t region)
{
	const struct measure_sought sought = {.region = region};

	if (likely(location->top[-1].region == region && location->overflow == 0))
		measure_leave_top(location);
	else if (region < MEASURE_CODE_ASK || region == MEASURE_UNDEFINED)
		measure_leave_other(location, &sought);
	else
		leave_marked(location, region);
}

void measure_write_enter(struct measure_location *location, measure_region_t region)
{
	region_enter(location, region);
}

void measure_write_leave(struct measure_location *location, measure_region_t region)
{
	region_leave(location, region);
}

void measure_region_enter(measure_region_t region)
{
	struct measure_location *location = measure_transaction_open();

	if (unlikely(!location))
		return;
	region_enter(location, region);
	measure_transaction_close(location);
}

void measure_region_leave(measure_region_t region)
{
	struct measure_location *location = measure_transaction_open();

	if (unlikely(!location))
		return;
	region_leave(location, region);
	measure_transaction_close(location);
}

/* --------------------------------------------------------------- unsuccessful polls --- */

/* The location has recorded nothing since the last poll but the Enter of this one, and the counters
 * that belong to it. A value that is written only where it has changed must stay. */
static bool poll_is_repeated(const struct measure_location *location, measure_region_t region)
{
	const struct measure_last_poll *last = &location->poll;
	uint64_t committed = measure_location_committed(location), nr_metrics;

	if (last->committed == 0 ||
		measure_committed_depth(committed) !=
			measure_committed_depth(last->committed) + 1 ||
		location->overflow > 0 || location->top[-1].region != region ||
		location->flags & MEASURE_LOCATION_STOPPED || measure_location_drops(location) ||
		measure_attributes_wait(location) || location->has_news)
		return false;
	uint64_t nr =
		measure_committed_events(committed) - measure_committed_events(last->committed);
	return measure_timing_first_type(last->position, nr, &nr_metrics) == MEASURE_OTF2_ENTER &&
	       nr == nr_metrics + 1;
}

/* Of the Enter after the last poll: where it has no timestamp, it came at the same time. */
static uint64_t poll_time_of_enter(const struct measure_last_poll *last)
{
	uint64_t time = last->time;

	if (*last->position == MEASURE_OTF2_TIMESTAMP)
		memcpy(&time, last->position + 1, sizeof(time));
	return time;
}

/* Where the filter leaves the call out, nothing was recorded. */
void measure_write_poll_leave(struct measure_location *location, measure_region_t region)
{
	uint64_t before = measure_location_committed(location);
	struct measure_last_poll *last = &location->poll;

	if (poll_is_repeated(location, region) &&
		measure_throttle_leave_out(
			&location->throttle, region, location->time - poll_time_of_enter(last))) {
		measure_transaction_take_back(location, last->position, last->committed);
		return;
	}
	region_leave(location, region);
	if (measure_location_committed(location) == before)
		return;
	location->has_news = false;
	last->committed = measure_location_committed(location);
	last->position = location->writer.position;
	last->time = location->time;
}

/* ----------------------------------------------------------- all other records --- */

#define WRITE_ADAPTERS(name, ...)                                                                  \
	void measure_write_##name(struct measure_location *location MEASURE_EACH_FIELD(            \
		MEASURE_PARAMETER, ##__VA_ARGS__))                                                 \
	{                                                                                          \
		uint8_t *place = measure_transaction_place(location);                              \
                                                                                                   \
		if (likely(place))                                                                 \
			measure_transaction_commit(location, MEASURE_COMMIT_EVENT,                 \
				measure_put_##name(place MEASURE_EACH_FIELD(                       \
					MEASURE_ARGUMENT, ##__VA_ARGS__)));                        \
	}
#define WRITE_OTHERS(name, ...)
#define EVENT(number, Name, NAME, name, shape, by, in, ...) WRITE_##by(name, ##__VA_ARGS__)
#include "format/otf2_records.def"
#undef EVENT

_Static_assert(
	2 * (MEASURE_MOST_ARGUMENTS + 16) <= MEASURE_RECORD_ROOM, "strings of two bytes each");

void measure_write_program_begin(struct measure_location *location, uint32_t nr_arguments)
{
	uint8_t *place = measure_transaction_place(location);
	uint32_t arguments[MEASURE_MOST_ARGUMENTS];

	for (uint32_t i = 0; i < nr_arguments; i++)
		arguments[i] = 1 + i;
	if (likely(place))
		measure_transaction_commit(location, MEASURE_COMMIT_EVENT,
			measure_put_program_begin(place, 0, nr_arguments, arguments));
}

/* ------------------------------------------------------------------------ markers --- */

static uint32_t nr_markers; /* under the definition lock */

/* The location first: it may have to be made, which takes the lock. */
void measure_marker_define(const char *category, const char *text, uint8_t severity)
{
	struct measure_def_marker def = {0, measure_location_index(), category, text, severity};
	struct measure_signals saved;
	bool is_told = false;

	if (!measure_gate_is_open() || def.location == MEASURE_UNDEFINED)
		return;
	measure_define_lock(&saved);
	if (nr_markers < MEASURE_MOST_MARKERS) {
		nr_markers++;
		def.ticks = measure_clock_now();
		MEASURE_JOURNAL(marker, &def);
		is_told = true;
	}
	measure_define_unlock(&saved);
	if (!is_told)
		measure_count(MEASURE_COUNT_LOST_MARKERS);
}
