/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of the operations that belong together by their order all members have in the window. What
 * is kept of them needs no more memory than what crosses a cut. */
#include "config.h"

#include "slice_internal.h"

/* Of messages all bits are taken; others have a number that no pair of processes has. */
static struct measure_key lane_key(const struct slice_key *key)
{
	if (key->kind == SLICE_MESSAGES)
		return (struct measure_key){(uint64_t)key->space << 32 | key->tag,
			(uint64_t)key->sender << 32 | key->receiver};
	return (struct measure_key){(uint64_t)key->space << 32 | (uint32_t)key->kind, UINT64_MAX};
}

static uint32_t lane_of(struct slice_lanes *lanes, const struct slice_key *key)
{
	const uint32_t lane =
		measure_map_intern(&lanes->ids, lane_key(key), (uint32_t)lanes->nr_lanes);

	if (lane == lanes->nr_lanes)
		*measure_append(lanes, lanes) =
			(struct slice_lane){.nr_expected = key->nr_expected};
	return lane;
}

uint32_t slice_lanes_member(struct slice_lanes *lanes, const struct slice_key *key)
{
	const uint32_t lane = lane_of(lanes, key);
	const uint32_t member = measure_map_intern(&lanes->member_ids,
		measure_key_pair(lane, key->member), (uint32_t)lanes->nr_members);

	if (member == lanes->nr_members) {
		*measure_append(lanes, members) = (struct slice_member){.lane = lane};
		lanes->lanes[lane].nr_members++;
	}
	return member;
}

void slice_lanes_note(struct slice_lanes *lanes, uint32_t number, bool is_inside)
{
	struct slice_member *member = &lanes->members[number];
	const uint64_t ordinal = member->nr++;

	if (is_inside)
		return;
	if (member->nr_before == ordinal)
		member->nr_before++;
	else
		measure_map_set(&lanes->lost, measure_key_pair(member->lane, ordinal), 1);
}

void slice_lanes_settle(struct slice_lanes *lanes)
{
	for (size_t i = 0; i < lanes->nr_lanes; i++)
		lanes->lanes[i].end =
			lanes->lanes[i].nr_members < lanes->lanes[i].nr_expected ? 0 : UINT64_MAX;
	for (size_t i = 0; i < lanes->nr_members; i++) {
		struct slice_member *member = &lanes->members[i];
		struct slice_lane *lane = &lanes->lanes[member->lane];

		if (lane->first < member->nr_before)
			lane->first = member->nr_before;
		if (lane->end > member->nr)
			lane->end = member->nr;
		member->nr = 0;
	}
}

bool slice_lanes_is_kept(struct slice_lanes *lanes, uint32_t number)
{
	struct slice_member *member = &lanes->members[number];
	const struct slice_lane *lane = &lanes->lanes[member->lane];
	const uint64_t ordinal = member->nr++;

	return ordinal >= lane->first && ordinal < lane->end &&
	       measure_map_get(&lanes->lost, measure_key_pair(member->lane, ordinal)) ==
		       MEASURE_NONE;
}

void slice_lanes_free(struct slice_lanes *lanes)
{
	measure_map_free(&lanes->ids);
	measure_map_free(&lanes->member_ids);
	measure_map_free(&lanes->lost);
	measure_free(lanes->lanes);
	measure_free(lanes->members);
}
