/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What messages tell of calls that no record says it of: whether a plain send has waited for its
 * receive, and what MPI_Probe has waited for. */
#include "config.h"

#include "candidates_internal.h"

/* Calls between a probe and its receive. */
#define MOST_CALLS_AFTER_PROBE 64

/* ----------------------------------------------------------------- late receivers --- */

/* Whether MPI_Send waits for its receive depends on the length of the message and on the library,
 * and no record tells. But a send that was over before its receive was posted did not wait: the
 * longest of these is known when all have been read, and what is longer and was not over is taken
 * for one that waited. */
enum measure_wait_nearness candidates_nearness(
	const struct measure_candidates *candidates, uint32_t a, uint32_t b)
{
	const struct measure_location_definition *locations = candidates->definitions->locations;
	const struct measure_location_group *groups = candidates->definitions->location_groups;
	const uint32_t group_a = locations[a].group, group_b = locations[b].group;

	if (group_a == group_b)
		return MEASURE_WAIT_NEARNESS_PROCESS;
	if (group_a == MEASURE_NONE || group_b == MEASURE_NONE)
		return MEASURE_WAIT_NEARNESS_NETWORK;
	return groups[group_a].host == groups[group_b].host ? MEASURE_WAIT_NEARNESS_NODE
							    : MEASURE_WAIT_NEARNESS_NETWORK;
}

/* Memory is for those only that may count. */
void candidates_take_reply(
	struct measure_candidates *candidates, const struct measure_instance *instance)
{
	const struct measure_point *over = &instance->receives[0];
	const struct wait_send posted =
		candidates_send_of(candidates, instance->relation, &instance->sends[0]);
	const enum measure_wait_nearness nearness =
		candidates_nearness(candidates, posted.location, over->location);
	uint64_t *eager = &candidates->eager[nearness];
	uint32_t index;
	const struct measure_sync_call *call = candidates_call_of(candidates, over, &index);

	if (!call || call->is_cut || posted.location == over->location)
		return;
	if (call->leave < posted.begin) {
		*eager = instance->length > *eager ? instance->length : *eager;
		return;
	}
	if (instance->length <= *eager && !candidates->options->has_rendezvous)
		return;
	*measure_append(candidates, replies) = (struct measure_reply){
		.candidate = candidates_make(call, index, instance, over, &posted),
		.length = instance->length,
		.nearness = (uint8_t)nearness};
}

void candidates_append_replies(
	struct measure_candidates *candidates, const struct measure_candidates *later)
{
	for (size_t i = 0; i < later->nr_replies; i++)
		*measure_append(candidates, replies) = later->replies[i];
	for (int i = 0; i < MEASURE_WAIT_NR_NEARNESSES; i++)
		if (later->eager[i] > candidates->eager[i])
			candidates->eager[i] = later->eager[i];
}

static bool has_waited(
	const struct measure_candidates *candidates, const struct measure_reply *reply)
{
	return candidates->options->has_rendezvous
		       ? reply->length >= candidates->options->rendezvous
		       : reply->length > candidates->eager[reply->nearness];
}

void measure_candidates_accept_replies(struct measure_candidates *candidates)
{
	for (size_t i = 0; i < candidates->nr_replies; i++)
		if (has_waited(candidates, &candidates->replies[i]))
			candidates_add(candidates, &candidates->replies[i].candidate);
	measure_free(candidates->replies);
	candidates->replies = NULL;
	candidates->nr_replies = candidates->room_replies = 0;
}

/* ------------------------------------------------------------------------- probes --- */

/* The MPI_Probe whose message an MPI_Recv has received: the last one, if it had none since. */
static uint32_t probe_before(const struct measure_call_table *table, uint32_t receive)
{
	for (uint32_t nr = 1; nr <= MOST_CALLS_AFTER_PROBE && nr <= receive; nr++) {
		const uint8_t kind = (uint8_t)table->calls[receive - nr].kind;

		if (kind == MEASURE_REGION_KIND_MPI_PROBE)
			return receive - nr;
		if (kind == MEASURE_REGION_KIND_MPI_RECEIVE)
			break;
	}
	return MEASURE_NONE;
}

/* A message that was sent later is not the one that it has found. */
void candidates_take_probe(struct measure_candidates *candidates,
	const struct measure_instance *instance, const struct wait_send *send)
{
	const struct measure_point *receive = &instance->receives[0];
	const struct measure_call_table *table = &candidates->tables[receive->location];
	const struct measure_sync_call *call;
	struct measure_candidate candidate;
	uint32_t index;

	if (!candidates->has_probes)
		return;
	call = candidates_call_of(candidates, receive, &index);
	if (!call || call->kind != MEASURE_REGION_KIND_MPI_RECEIVE)
		return;
	index = probe_before(table, index);
	if (index == MEASURE_NONE || send->begin > table->calls[index].leave)
		return;
	call = &table->calls[index];
	candidate = candidates_make(call, index, instance, receive, send);
	candidate.position = call->last;
	candidates_add(candidates, &candidate);
}
