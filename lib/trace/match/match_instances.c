/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all parts of the matcher use: points in time, and the instances of relations that it
 * gives out. */
#include "config.h"

#include "match_internal.h"

const struct measure_relation_info measure_relations[MEASURE_NR_RELATIONS] = {
#define CERTAIN true
#define ASSUMED false
#define ON      true
#define OFF     false
#define RELATION(NAME, row, word, pattern, certainty, default, text)                               \
	{row, word, MEASURE_PATTERN_##pattern, certainty, default, text},
#include "trace/relations/relations.def"
#undef RELATION
#undef OFF
#undef ON
#undef ASSUMED
#undef CERTAIN
};

struct measure_point point_of(const struct measure_match *match, const struct measure_event *event)
{
	return (struct measure_point){.time = event->time,
		.raw = event->raw,
		.position = event->position,
		.location = match->location};
}

uint32_t mark_of(struct measure_match *match, const struct measure_point *point)
{
	return measure_sync_points_add(&match->marks, point->raw, point->position, point->location);
}

struct measure_point point_of_mark(const struct measure_match *match, uint32_t mark, uint32_t rank)
{
	const struct measure_sync_point *event = measure_mark_at(&match->marks, mark);

	return (struct measure_point){
		measure_event_time(match->trace, event->location, event->raw, event->position),
		event->raw, event->position, event->location, rank, mark + 1};
}

struct measure_place place_of_mark(const struct measure_match *match, uint32_t mark)
{
	const struct measure_point point = point_of_mark(match, mark, 0);

	return place_of(&point);
}

struct measure_place place_of(const struct measure_point *point)
{
	return (struct measure_place){point->location, point->time, point->position};
}

void instance_add_send(struct measure_match *match, const struct measure_point *point)
{
	*measure_append(match, sends) = *point;
}

void instance_add_receive(struct measure_match *match, const struct measure_point *point)
{
	*measure_append(match, receives) = *point;
}

void instance_hand_out(struct measure_match *match, enum measure_relation relation, uint32_t comm,
	uint32_t tag, uint64_t ordinal)
{
	struct measure_instance instance = {relation, comm, tag, ordinal, match->length,
		match->nr_sends, match->nr_receives, match->sends, match->receives};

	if (relation != MEASURE_RELATION_NONE && match->selection.is_on[relation] &&
		instance.nr_sends && instance.nr_receives)
		match->deliver(match->data, &instance);
	match->nr_sends = 0;
	match->nr_receives = 0;
	match->length = 0;
}

/* What is no relation. */
void instance_hand_out_to(struct measure_match *match, measure_instance_fn deliver,
	enum measure_relation relation, uint32_t comm, uint64_t ordinal)
{
	struct measure_instance instance = {relation, comm, 0, ordinal, 0, match->nr_sends,
		match->nr_receives, match->sends, match->receives};

	if (instance.nr_sends && instance.nr_receives)
		deliver(match->data, &instance);
	match->nr_sends = 0;
	match->nr_receives = 0;
}

bool measure_match_is_cut(const struct measure_match *match, uint32_t index)
{
	return index < match->definitions->nr_location_groups &&
	       (match->processes[index].has_been_off || !measure_match_has_ended(match, index));
}

bool measure_match_only_ends(
	const struct measure_match *match, const struct measure_point *point)
{
	return point->position > match->doing[point->location];
}

bool measure_match_has_ended(const struct measure_match *match, uint32_t index)
{
	const struct process *process;

	if (index >= match->definitions->nr_location_groups)
		return true;
	process = &match->processes[index];
	if (!process->has_events || process->is_damaged || process->has_failed)
		return false;
	return (process->has_program_end || !process->has_program_begin) &&
	       (process->has_finalize || !process->has_init);
}
