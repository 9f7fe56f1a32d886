/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages and collectives of what is selected, with the calls that their ends are in and what
 * these have waited. */
#include "config.h"

#include <stdlib.h>

#include "conversion.h"

struct conversion_matching {
	struct measure_conversion *conversion;
	const struct measure_conversion_matches *matches;
	/* of one collective */
	MEASURE_GROWING(struct measure_conversion_end, members);
	uint64_t *waiting;
	size_t room_waiting;
};

/* -------------------------------------------------------------------------- calls --- */

static uint32_t path_of_wait(struct measure_conversion *conversion, uint32_t path)
{
	const struct measure_profile_path *paths = conversion->waits->profile.paths;
	uint32_t *known = &conversion->wait_paths[path];

	if (*known == MEASURE_NONE)
		*known = measure_profile_child(&conversion->profile,
			path_of_wait(conversion, paths[path].parent), paths[path].region);
	return *known;
}

/* NULL: the format needs no waits. */
static struct measure_call_table *table_of(
	const struct measure_conversion *conversion, uint32_t location)
{
	struct measure_call_table *tables = conversion->waits->dependencies.tables;

	return tables ? &tables[location] : NULL;
}

static void end_find(struct measure_conversion *conversion, const struct measure_point *point,
	struct measure_conversion_end *end)
{
	struct measure_call_table *table = table_of(conversion, point->location);
	const uint32_t call =
		table ? measure_call_table_find(table, point->position) : MEASURE_NONE;

	*end = (struct measure_conversion_end){.location = point->location,
		.ns = measure_conversion_ns(conversion, point->time),
		.time = point->time,
		.position = point->position,
		.call = call};
	end->begin_ns = end->end_ns = end->ns;
	if (call == MEASURE_NONE)
		return;
	end->begin_ns = measure_conversion_ns(conversion, table->calls[call].enter);
	end->end_ns = measure_conversion_ns(conversion, table->calls[call].leave);
	end->path = path_of_wait(conversion, table->calls[call].path);
}

/* -------------------------------------------------------------------------- waits --- */

static bool is_added(const struct measure_wait_state *wait)
{
	return measure_wait_patterns[wait->pattern].part == MEASURE_WAIT_ADDED;
}

/* The first wait of a call or of one after it; waits are in the order of calls. */
static const struct measure_wait_state *waits_from(
	const struct measure_dependencies *dependencies, uint32_t location, uint32_t call)
{
	size_t low = dependencies->first_waits[location];
	size_t high = dependencies->first_waits[location + 1];

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (dependencies->waits[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return dependencies->waits + low;
}

static const struct measure_wait_state *waits_end(
	const struct measure_dependencies *dependencies, uint32_t location)
{
	return dependencies->waits + dependencies->first_waits[location + 1];
}

/* The same of candidates. */
static size_t candidates_from(
	const struct measure_dependencies *dependencies, uint32_t location, uint32_t call)
{
	const struct measure_candidate *candidates = dependencies->candidates[location];
	size_t low = 0, high = dependencies->nr_candidates[location];

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (candidates[middle].call < call)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The record of what a call has waited for: the first one that fits. */
static uint64_t position_of_cause(
	const struct measure_dependencies *dependencies, const struct measure_wait_state *wait)
{
	const struct measure_candidate *candidates = dependencies->candidates[wait->location];
	const size_t nr = dependencies->nr_candidates[wait->location];

	for (size_t i = candidates_from(dependencies, wait->location, wait->call);
		i < nr && candidates[i].call == wait->call; i++)
		if (candidates[i].until == wait->until && candidates[i].cause == wait->cause &&
			candidates[i].cause_call == wait->cause_call &&
			candidates[i].relation == wait->relation)
			return candidates[i].position;
	return 0;
}

static void message_add_wait(
	const struct measure_conversion *conversion, struct measure_conversion_message *message)
{
	const struct measure_dependencies *dependencies = &conversion->waits->dependencies;
	const struct measure_conversion_end *receive = &message->receive;
	const struct measure_wait_state *wait, *end;

	message->pattern = MEASURE_NO_PATTERN;
	if (receive->call == MEASURE_NONE)
		return;
	end = waits_end(dependencies, receive->location);
	for (wait = waits_from(dependencies, receive->location, receive->call);
		wait < end && wait->call == receive->call; wait++) {
		if (!is_added(wait) || position_of_cause(dependencies, wait) != receive->position)
			continue;
		message->waiting_ns = measure_conversion_length_ns(conversion, wait->ticks);
		message->pattern = wait->pattern;
	}
}

static uint64_t waiting_in_call(
	const struct measure_conversion *conversion, uint32_t location, uint32_t call)
{
	const struct measure_dependencies *dependencies = &conversion->waits->dependencies;
	const struct measure_wait_state *end = waits_end(dependencies, location);
	uint64_t ticks = 0;

	if (call == MEASURE_NONE)
		return 0;
	for (const struct measure_wait_state *wait = waits_from(dependencies, location, call);
		wait < end && wait->call == call; wait++)
		ticks += is_added(wait) ? wait->ticks : 0;
	return measure_conversion_length_ns(conversion, ticks);
}

void measure_conversion_waits(struct measure_conversion *conversion, uint32_t location,
	void (*take)(void *data, const struct measure_conversion_wait *wait), void *data)
{
	const struct measure_dependencies *dependencies = &conversion->waits->dependencies;
	const struct measure_wait_state *end = waits_end(dependencies, location);

	for (const struct measure_wait_state *wait = waits_from(dependencies, location, 0);
		wait < end; wait++) {
		struct measure_conversion_wait made = {.location = location,
			.begin_ns = measure_conversion_ns(conversion, wait->from),
			.waiting_ns = measure_conversion_length_ns(conversion, wait->ticks),
			.pattern = wait->pattern,
			.cause = wait->cause,
			.cause_path = MEASURE_NONE,
			.state = wait};

		if (!is_added(wait) || !measure_conversion_has(conversion, location, wait->from))
			continue;
		made.path = path_of_wait(
			conversion, table_of(conversion, location)->calls[wait->call].path);
		if (wait->cause != MEASURE_NONE && wait->cause_call != MEASURE_NONE)
			made.cause_path = path_of_wait(conversion,
				table_of(conversion, wait->cause)->calls[wait->cause_call].path);
		take(data, &made);
	}
}

/* ----------------------------------------------------------------------- messages --- */

static void take_message(
	const struct conversion_matching *matching, const struct measure_instance *instance)
{
	struct measure_conversion *conversion = matching->conversion;
	const struct measure_point *send = instance->sends, *receive = instance->receives;
	struct measure_conversion_message message = {
		.comm = instance->comm, .tag = instance->tag, .bytes = instance->length};

	if (!measure_conversion_has(conversion, send->location, send->time) ||
		!measure_conversion_has(conversion, receive->location, receive->time))
		return;
	end_find(conversion, send, &message.send);
	end_find(conversion, receive, &message.receive);
	message_add_wait(conversion, &message);
	matching->matches->message(matching->matches->data, &message);
}

/* -------------------------------------------------------------------- collectives --- */

static bool is_collective(enum measure_relation relation)
{
	switch (relation) {
	case MEASURE_RELATION_BARRIER:
	case MEASURE_RELATION_ONE_TO_ALL:
	case MEASURE_RELATION_ALL_TO_ONE:
	case MEASURE_RELATION_ALL_TO_ALL:
	case MEASURE_RELATION_SCAN:
	case MEASURE_RELATION_NONBLOCKING_COLLECTIVE:
	case MEASURE_RELATION_NONBLOCKING_SCAN:
	case MEASURE_RELATION_COMM_CREATE:
	case MEASURE_RELATION_RMA_WINDOW:
	case MEASURE_RELATION_RMA_FENCE:
		return true;
	default:
		return false;
	}
}

static int compare_members(const void *left, const void *right)
{
	const struct measure_conversion_end *a = left, *b = right;

	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

/* False: a point is not selected. */
static bool add_members(
	struct conversion_matching *matching, const struct measure_point *points, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!measure_conversion_has(
			    matching->conversion, points[i].location, points[i].time))
			return false;
		end_find(matching->conversion, &points[i], measure_append(matching, members));
	}
	return true;
}

/* The points of a location become one: from the first's call to the last's. */
static void join_members(struct conversion_matching *matching)
{
	struct measure_conversion_end *members = matching->members;
	size_t nr = 0;

	qsort(members, matching->nr_members, sizeof(*members), compare_members);
	for (size_t i = 0; i < matching->nr_members; i++) {
		if (nr > 0 && members[nr - 1].location == members[i].location) {
			members[nr - 1].end_ns = members[i].end_ns;
			members[nr - 1].last_call = members[i].call;
			members[nr - 1].last_position = members[i].position;
			continue;
		}
		members[nr] = members[i];
		members[nr].last_position = members[i].position;
		members[nr++].last_call = members[i].call;
	}
	matching->nr_members = nr;
}

static void find_member_waits(struct conversion_matching *matching)
{
	if (matching->nr_members > matching->room_waiting) {
		measure_free(matching->waiting);
		matching->room_waiting = matching->nr_members;
		matching->waiting =
			measure_zeroed(matching->room_waiting, sizeof(*matching->waiting));
	}
	for (size_t i = 0; i < matching->nr_members; i++)
		matching->waiting[i] = waiting_in_call(matching->conversion,
			matching->members[i].location, matching->members[i].last_call);
}

static uint32_t root_of(const struct measure_instance *instance)
{
	if (instance->relation == MEASURE_RELATION_ONE_TO_ALL && instance->nr_sends == 1)
		return instance->sends->location;
	if (instance->relation == MEASURE_RELATION_ALL_TO_ONE && instance->nr_receives == 1)
		return instance->receives->location;
	return MEASURE_NONE;
}

static void take_collective(
	struct conversion_matching *matching, const struct measure_instance *instance)
{
	const struct measure_profile *profile = &matching->conversion->profile;
	struct measure_conversion_collective collective = {.relation = instance->relation,
		.region = MEASURE_NONE,
		.comm = instance->comm,
		.ordinal = instance->ordinal,
		.root = root_of(instance)};

	matching->nr_members = 0;
	if (!add_members(matching, instance->sends, instance->nr_sends) ||
		!add_members(matching, instance->receives, instance->nr_receives) ||
		matching->nr_members == 0)
		return;
	join_members(matching);
	find_member_waits(matching);
	collective.nr_members = matching->nr_members;
	collective.members = matching->members;
	collective.waiting_ns = matching->waiting;
	if (matching->members->path > 0)
		collective.region = profile->paths[matching->members->path].region;
	matching->matches->collective(matching->matches->data, &collective);
}

/* ------------------------------------------------------------------------ matching --- */

static void take_instance(void *data, const struct measure_instance *instance)
{
	struct conversion_matching *matching = data;
	const bool is_message = instance->relation == MEASURE_RELATION_MESSAGE ||
				instance->relation == MEASURE_RELATION_MESSAGE_NONBLOCKING;

	if (is_message && matching->matches->message)
		take_message(matching, instance);
	else if (is_collective(instance->relation) && matching->matches->collective)
		take_collective(matching, instance);
}

/* Alltoallv, all at once. */
static void take_exchange(void *data, const struct measure_instance *instance)
{
	struct conversion_matching *matching = data;

	if (matching->matches->collective)
		take_collective(matching, instance);
}

static measure_status_t read_location(
	struct measure_conversion *conversion, struct measure_match *match, uint32_t location)
{
	const uint64_t nr_expected = conversion->definitions->locations[location].nr_events;
	const struct measure_event *event;
	struct measure_stream stream;
	measure_status_t status;
	uint64_t nr_read;

	measure_match_begin_location(match, location);
	measure_stream_open(&stream, conversion->trace, location);
	while ((event = measure_stream_next(&stream)))
		measure_match_event(match, event);
	status = measure_stream_close(&stream, &nr_read);
	if (nr_read == 0 && nr_expected == 0)
		status = MEASURE_OK;
	measure_match_end_location(match, status == MEASURE_OK);
	return status;
}

measure_status_t measure_conversion_match(
	struct measure_conversion *conversion, const struct measure_conversion_matches *matches)
{
	struct conversion_matching matching = {.conversion = conversion, .matches = matches};
	struct measure_match *match =
		measure_match_new(conversion->trace, take_instance, &matching);
	measure_status_t status = MEASURE_OK;

	measure_match_take_exchanges(match, take_exchange);
	for (size_t i = 0; i < conversion->definitions->nr_locations; i++) {
		const measure_status_t one =
			read_location(conversion, match, conversion->trace->reading_order[i]);

		status = status == MEASURE_OK ? one : status;
	}
	measure_match_finish(match);
	measure_match_free(match);
	measure_free(matching.members);
	measure_free(matching.waiting);
	return status;
}
