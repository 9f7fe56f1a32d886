/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks of one location: how far each goes back to the one before. */
#include "config.h"

#include "check_internal.h"

static uint32_t parent_of(const struct stream_check *stream, uint32_t context)
{
	const struct measure_definitions *definitions = &stream->check->trace->definitions;

	return context < definitions->nr_calling_contexts
		       ? definitions->calling_contexts[context].parent
		       : MEASURE_NONE;
}

/* Frames of a call stack; of a tree that is none, no more than there are. */
static uint32_t depth_of(const struct stream_check *stream, uint32_t context)
{
	uint32_t depth = 0;

	for (; context != MEASURE_NONE &&
		depth < stream->check->trace->definitions.nr_calling_contexts;
		depth++)
		context = parent_of(stream, context);
	return depth;
}

static uint32_t up(const struct stream_check *stream, uint32_t context, uint32_t steps)
{
	while (steps-- > 0 && context != MEASURE_NONE)
		context = parent_of(stream, context);
	return context;
}

/* What has not changed is a part of both stacks. */
static void check_distance(struct stream_check *stream, const struct measure_event *event)
{
	uint32_t depth = depth_of(stream, event->ref), last = depth_of(stream, stream->context);
	uint32_t kept = event->peer < depth ? depth - event->peer : 0;

	if (event->peer > depth + 1)
		measure_report(&stream->check->findings, MEASURE_CHECK_CONTEXT_DISTANCE,
			stream_place_of(stream, event),
			"unwind distance %u from a stack of %u frames", event->peer, depth);
	else if (kept > last ||
		 up(stream, event->ref, depth - kept) != up(stream, stream->context, last - kept))
		measure_report(&stream->check->findings, MEASURE_CHECK_CONTEXT_DISTANCE,
			stream_place_of(stream, event),
			"the outermost %u of %u frames differ from the previous stack", kept,
			depth);
}

void context_check(struct stream_check *stream, const struct measure_event *event)
{
	if (event->kind == MEASURE_EVENT_CALLING_CONTEXT_LEAVE) {
		stream->context = parent_of(stream, event->ref);
		return;
	}
	if (event->ref != MEASURE_NONE)
		check_distance(stream, event);
	stream->context = event->ref;
}
