/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rules inside one location: nesting, times, and what must surround a record. */
#include "config.h"

#include "check_internal.h"

#include <string.h>

static bool has_region(const struct measure_definitions *definitions, const char *name)
{
	for (size_t i = 0; i < definitions->nr_regions; i++)
		if (definitions->regions[i].role == OTF2_REGION_ROLE_ARTIFICIAL &&
			!strcmp(measure_text(definitions, definitions->regions[i].name), name))
			return true;
	return false;
}

void stream_check_start(struct stream_check *stream, struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	*stream = (struct stream_check){.check = check,
		.nr_open = measure_zeroed(definitions->nr_regions + 1, sizeof(uint32_t)),
		.has_flush_region = has_region(definitions, "TRACE BUFFER FLUSH"),
		.has_off_region = has_region(definitions, "MEASUREMENT OFF")};
}

static uint32_t *count_of(struct stream_check *stream, uint32_t region)
{
	size_t nr_regions = stream->check->trace->definitions.nr_regions;

	return &stream->nr_open[region < nr_regions ? region : nr_regions];
}

void stream_check_begin_location(struct stream_check *stream, uint32_t location)
{
	stream->location = location;
	stream->nr_stack = 0;
	stream->last_time = 0;
	stream->last_raw = 0;
	stream->context = MEASURE_NONE;
	stream->has_plain = stream->has_sampled = stream->is_mixed = false;
	stream->has_thread_begin = stream->has_thread_end = false;
}

struct measure_place stream_place_of(
	const struct stream_check *stream, const struct measure_event *event)
{
	return (struct measure_place){stream->location, event->time, event->position};
}

static void push(struct stream_check *stream, const struct measure_event *event, uint32_t region)
{
	*measure_append(stream, stack) =
		(struct open_region){stream_place_of(stream, event), region};
	++*count_of(stream, region);
}

/* A leave closes the innermost region; where it names another open one, what is above that
 * is taken as left too, so that one missing record is one finding. */
static void pop(struct stream_check *stream, const struct measure_event *event, uint32_t region)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;
	size_t depth = *count_of(stream, region) ? stream->nr_stack : 0;

	while (depth && stream->stack[depth - 1].region != region)
		depth--;
	if (!stream->nr_stack)
		measure_report(&stream->check->findings, MEASURE_CHECK_NESTING_LEAVE,
			stream_place_of(stream, event), "leave of %.120s, but no region is open",
			measure_name_of_region(definitions, region));
	else if (depth != stream->nr_stack)
		measure_report(&stream->check->findings, MEASURE_CHECK_NESTING_LEAVE,
			stream_place_of(stream, event), "leave of %.120s inside %.120s",
			measure_name_of_region(definitions, region),
			measure_name_of_region(
				definitions, stream->stack[stream->nr_stack - 1].region));
	while (depth && stream->nr_stack >= depth)
		--*count_of(stream, stream->stack[--stream->nr_stack].region);
}

static void check_times(struct stream_check *stream, const struct measure_event *event)
{
	const struct measure_clock *clock = &stream->check->trace->definitions.clock;
	struct measure_findings *findings = &stream->check->findings;

	if (event->raw < stream->last_raw)
		measure_report(findings, MEASURE_CHECK_TIME_BACKWARD_RAW,
			stream_place_of(stream, event), "%llu ticks back",
			(unsigned long long)(stream->last_raw - event->raw));
	if (event->time < stream->last_time)
		measure_report(findings, MEASURE_CHECK_TIME_BACKWARD,
			stream_place_of(stream, event), "%llu ticks back",
			(unsigned long long)(stream->last_time - event->time));
	stream->last_raw = event->raw;
	stream->last_time = event->time;
	if (!clock->is_defined)
		return;
	if (event->time < clock->offset)
		measure_report(findings, MEASURE_CHECK_TIME_RANGE, stream_place_of(stream, event),
			"%llu ticks before the start",
			(unsigned long long)(clock->offset - event->time));
	else if (event->time - clock->offset > clock->length)
		measure_report(findings, MEASURE_CHECK_TIME_RANGE, stream_place_of(stream, event),
			"%llu ticks after the end",
			(unsigned long long)(event->time - clock->offset - clock->length));
}

static void check_mixture(
	struct stream_check *stream, const struct measure_event *event, bool is_sampled)
{
	stream->has_sampled |= is_sampled;
	stream->has_plain |= !is_sampled;
	if (!stream->has_sampled || !stream->has_plain || stream->is_mixed)
		return;
	stream->is_mixed = true;
	measure_report(&stream->check->findings, MEASURE_CHECK_NESTING_MIXED,
		stream_place_of(stream, event), "%s mixed with the other kind",
		measure_event_names[event->kind]);
}

/* Contexts are told apart by their regions. */
static uint32_t context_region(const struct stream_check *stream, uint32_t context)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;

	return context < definitions->nr_calling_contexts
		       ? definitions->calling_contexts[context].region
		       : MEASURE_NONE;
}

static void check_metric(struct stream_check *stream, const struct measure_event *event)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;
	uint32_t class;

	if (event->ref == MEASURE_NONE)
		return;
	class = definitions->metrics[event->ref].instance_of;
	if (class == MEASURE_NONE)
		class = event->ref;
	if (definitions->metrics[class].nr_members != event->peer)
		measure_report(&stream->check->findings, MEASURE_CHECK_METRIC_VALUES,
			stream_place_of(stream, event),
			"metric %u has %u members, the record %u values",
			definitions->metrics[event->ref].id, definitions->metrics[class].nr_members,
			event->peer);
}

static void check_metric_location(struct stream_check *stream, const struct measure_event *event)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;

	if (definitions->locations[stream->location].type == OTF2_LOCATION_TYPE_METRIC &&
		event->kind != MEASURE_EVENT_METRIC)
		measure_report(&stream->check->findings, MEASURE_CHECK_METRIC_LOCATION,
			stream_place_of(stream, event), "%s", measure_event_names[event->kind]);
}

static void check_comm_events(struct stream_check *stream, const struct measure_event *event)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;

	if (event->ref != MEASURE_NONE &&
		!(definitions->comms[event->ref].flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS))
		measure_report(&stream->check->findings, MEASURE_CHECK_COMM_EVENTS,
			stream_place_of(stream, event), "%s of communicator %u",
			measure_event_names[event->kind], definitions->comms[event->ref].id);
}

static void check_window_events(struct stream_check *stream, const struct measure_event *event)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;

	if (event->ref != MEASURE_NONE &&
		!(definitions->windows[event->ref].flags & OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS))
		measure_report(&stream->check->findings, MEASURE_CHECK_RMA_EVENTS,
			stream_place_of(stream, event), "%s of window %u",
			measure_event_names[event->kind], definitions->windows[event->ref].id);
}

static void check_artificial(struct stream_check *stream, const struct measure_event *event,
	bool *is_defined, const char *name)
{
	if (*is_defined)
		return;
	*is_defined = true; /* once is enough */
	measure_report(&stream->check->findings, MEASURE_CHECK_REGION_ARTIFICIAL,
		stream_place_of(stream, event), "%s recorded, but no artificial region \"%s\"",
		measure_event_names[event->kind], name);
}

static void check_thread_life(struct stream_check *stream, const struct measure_event *event)
{
	if (event->kind == MEASURE_EVENT_THREAD_BEGIN) {
		if (event->position > 1 && !stream->has_thread_end)
			measure_report(&stream->check->findings, MEASURE_CHECK_THREAD_LIFE,
				stream_place_of(stream, event), "%llu records before ThreadBegin",
				(unsigned long long)event->position - 1);
		stream->has_thread_begin = true;
		stream->has_thread_end = false;
		return;
	}
	if (stream->has_thread_end)
		measure_report(&stream->check->findings, MEASURE_CHECK_THREAD_LIFE,
			stream_place_of(stream, event), "%s after ThreadEnd",
			measure_event_names[event->kind]);
	stream->has_thread_end = event->kind == MEASURE_EVENT_THREAD_END;
}

static bool is_mpi(const struct measure_event *event)
{
	return (event->kind >= MEASURE_EVENT_MPI_SEND && event->kind <= MEASURE_EVENT_COMM_DESTROY);
}

static void check_kind(struct stream_check *stream, const struct measure_event *event)
{
	switch (event->kind) {
	case MEASURE_EVENT_ENTER:
		check_mixture(stream, event, false);
		push(stream, event, event->ref);
		break;
	case MEASURE_EVENT_LEAVE:
		pop(stream, event, event->ref);
		break;
	case MEASURE_EVENT_CALLING_CONTEXT_ENTER:
		check_mixture(stream, event, true);
		context_check(stream, event);
		push(stream, event, context_region(stream, event->ref));
		break;
	case MEASURE_EVENT_CALLING_CONTEXT_SAMPLE:
		context_check(stream, event);
		break;
	case MEASURE_EVENT_CALLING_CONTEXT_LEAVE:
		context_check(stream, event);
		pop(stream, event, context_region(stream, event->ref));
		break;
	case MEASURE_EVENT_METRIC:
		check_metric(stream, event);
		break;
	case MEASURE_EVENT_COMM_CREATE:
	case MEASURE_EVENT_COMM_DESTROY:
		check_comm_events(stream, event);
		break;
	case MEASURE_EVENT_RMA_WIN_CREATE:
	case MEASURE_EVENT_RMA_WIN_DESTROY:
		check_window_events(stream, event);
		break;
	case MEASURE_EVENT_BUFFER_FLUSH:
		check_artificial(stream, event, &stream->has_flush_region, "TRACE BUFFER FLUSH");
		break;
	case MEASURE_EVENT_MEASUREMENT_ON_OFF:
		check_artificial(stream, event, &stream->has_off_region, "MEASUREMENT OFF");
		break;
	}
}

void stream_check_event(struct stream_check *stream, const struct measure_event *event)
{
	check_times(stream, event);
	check_thread_life(stream, event);
	check_metric_location(stream, event);
	if (is_mpi(event) && !stream->nr_stack)
		measure_report(&stream->check->findings, MEASURE_CHECK_MPI_OUTSIDE,
			stream_place_of(stream, event), "%s", measure_event_names[event->kind]);
	check_kind(stream, event);
}

void stream_check_end_location(struct stream_check *stream)
{
	for (size_t i = 0; i < stream->nr_stack; i++) {
		*measure_append(stream, left_open) = stream->stack[i];
		--*count_of(stream, stream->stack[i].region);
	}
}

void stream_check_finish(struct stream_check *stream, const struct measure_match *match)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;

	for (size_t i = 0; i < stream->nr_left_open; i++) {
		const struct open_region *open = &stream->left_open[i];

		measure_report_excused(&stream->check->findings, MEASURE_CHECK_NESTING_OPEN,
			measure_match_is_cut(
				match, definitions->locations[open->place.location].group),
			open->place, "%.200s", measure_name_of_region(definitions, open->region));
	}
	measure_free(stream->left_open);
	measure_free(stream->stack);
	measure_free(stream->nr_open);
}
