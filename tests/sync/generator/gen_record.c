/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of a location, and how its time passes. */
#include "config.h"

#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t gen_stamp_as(struct gen *gen, struct gen_location *location, enum gen_cost cost)
{
	uint64_t raw = gen_clock_read(gen, location, gen_cost_stamp(gen, location, cost));

	if (raw < location->last_raw)
		raw = location->last_raw; /* a timer that steps back holds */
	if (!location->nr_events)
		location->first_raw = raw;
	location->last_raw = raw;
	location->nr_events++;
	gen->nr_events++;
	if (*gen->options.truth) {
		if (location->nr_stamps == GEN_MAX_STAMPS)
			gen_truth_flush(gen, location);
		if (!location->stamps)
			location->stamps = gen_zeroed(GEN_MAX_STAMPS, sizeof(uint64_t));
		location->stamps[location->nr_stamps++] = location->now;
	}
	return raw;
}

uint64_t gen_stamp(struct gen *gen, struct gen_location *location)
{
	return gen_stamp_as(gen, location, GEN_COST_OTHER);
}

uint64_t gen_stamp_message(struct gen *gen, struct gen_location *location)
{
	return gen_stamp_as(gen, location, GEN_COST_MESSAGE);
}

void gen_enter(struct gen *gen, struct gen_location *location, uint32_t region)
{
	const enum gen_cost cost =
		gen_is_function(region) ? GEN_COST_FUNCTION_ENTER : GEN_COST_CALL_ENTER;

	OTF2_EvtWriter_Enter(location->writer, NULL, gen_stamp_as(gen, location, cost), region);
	gen_waits_enter(gen, location, region);
}

void gen_leave(struct gen *gen, struct gen_location *location, uint32_t region)
{
	const enum gen_cost cost =
		gen_is_function(region) ? GEN_COST_FUNCTION_LEAVE : GEN_COST_CALL_LEAVE;

	OTF2_EvtWriter_Leave(location->writer, NULL, gen_stamp_as(gen, location, cost), region);
	gen_waits_leave(gen, location);
}

/* Does --omit name the location's next record? Its place counts: positions are those of the
 * archive without the option. */
static bool is_omitted(const struct gen *gen, struct gen_location *location)
{
	char place[64], list[4096];

	if (!*gen->options.omitted)
		return false;
	snprintf(place, sizeof(place), ",%" PRIu64 ":%" PRIu64 ",", location->id,
		location->nr_events + location->nr_omitted);
	snprintf(list, sizeof(list), ",%s,", gen->options.omitted);
	if (!strstr(list, place))
		return false;
	location->nr_omitted++;
	return true;
}

void gen_send(
	struct gen *gen, struct gen_location *location, uint32_t peer, uint32_t comm, uint32_t tag)
{
	if (is_omitted(gen, location))
		return;
	OTF2_EvtWriter_MpiSend(location->writer, NULL, gen_stamp_message(gen, location), peer, comm,
		tag, gen->message_bytes);
}

void gen_receive(
	struct gen *gen, struct gen_location *location, uint32_t peer, uint32_t comm, uint32_t tag)
{
	if (is_omitted(gen, location))
		return;
	OTF2_EvtWriter_MpiRecv(location->writer, NULL, gen_stamp_message(gen, location), peer, comm,
		tag, gen->message_bytes);
}

uint64_t gen_isend(
	struct gen *gen, struct gen_location *location, uint32_t peer, uint32_t comm, uint32_t tag)
{
	const uint64_t request = gen->processes[location->process].next_request++;

	OTF2_EvtWriter_MpiIsend(location->writer, NULL, gen_stamp_message(gen, location), peer,
		comm, tag, gen->message_bytes, request);
	return request;
}

uint64_t gen_irecv(struct gen *gen, struct gen_location *location)
{
	const uint64_t request = gen->processes[location->process].next_request++;

	OTF2_EvtWriter_MpiIrecvRequest(
		location->writer, NULL, gen_stamp_message(gen, location), request);
	return request;
}

void gen_isend_complete(struct gen *gen, struct gen_location *location, uint64_t request)
{
	OTF2_EvtWriter_MpiIsendComplete(
		location->writer, NULL, gen_stamp_message(gen, location), request);
}

void gen_irecv_complete(struct gen *gen, struct gen_location *location, uint32_t peer,
	uint32_t comm, uint32_t tag, uint64_t request)
{
	OTF2_EvtWriter_MpiIrecv(location->writer, NULL, gen_stamp_message(gen, location), peer,
		comm, tag, gen->message_bytes, request);
}

void gen_cancelled(struct gen *gen, struct gen_location *location, uint64_t request)
{
	OTF2_EvtWriter_MpiRequestCancelled(
		location->writer, NULL, gen_stamp_message(gen, location), request);
}

struct gen_location *gen_thread(const struct gen *gen, uint32_t process, uint32_t thread)
{
	return &gen->locations[process * gen->options.nr_threads + thread];
}

struct gen_location *gen_master(const struct gen *gen, uint32_t process)
{
	return gen_thread(gen, process, 0);
}

/* How many calls of functions it takes for their share of the events. */
static uint64_t calls_due(const struct gen *gen, const struct gen_location *location)
{
	const uint64_t percent = gen->options.local_percent;
	const uint64_t nr_others =
		location->nr_events + location->nr_omitted - location->nr_local;
	const uint64_t due = nr_others * percent / (100 - percent);

	return due > location->nr_local ? (due - location->nr_local) / 2 : 0;
}

/* Local events have random numbers of their own and take no time of others: without them all
 * others are where they were. */
void gen_work(struct gen *gen, struct gen_location *location, uint64_t mean)
{
	const uint64_t end = location->now + mean / 2 + gen_below(&gen->random, mean + 1);
	const uint64_t nr = calls_due(gen, location);
	const uint64_t share = nr ? (end - location->now) / nr : 0;

	for (uint64_t i = 0; i < nr; i++) {
		const uint64_t random = gen_next(&gen->local_random);
		const uint32_t region = random & 1 ? GEN_INNER : GEN_OUTER;
		const uint64_t inside = share ? (random >> 1) % share : 0;

		gen_enter(gen, location, region);
		location->now += inside;
		gen_leave(gen, location, region);
		location->now += share - inside;
	}
	location->nr_local += 2 * nr;
	location->now = end;
}

void gen_pass(struct gen *gen, struct gen_location *location)
{
	location->now += 100 + gen_below(&gen->random, 400);
}

void gen_await(
	struct gen *gen, struct gen_location *location, uint32_t from, struct gen_moment sent)
{
	struct gen_meter *meter = &location->meter;
	const uint64_t lmin = gen_lmin(gen, from, location->process);

	if (!sent.time)
		return;
	if (sent.time + lmin > meter->awaited)
		meter->awaited = sent.time + lmin;
	if (gen_recorded(gen, &sent) + lmin > meter->awaited_measured)
		meter->awaited_measured = gen_recorded(gen, &sent) + lmin;
}

void gen_await_ranks(
	struct gen *gen, struct gen_location *location, uint32_t first, uint32_t stride)
{
	for (uint32_t i = first; gen->options.is_exact && i < gen->options.nr_ranks; i += stride)
		if (i != location->process)
			gen_await(gen, location, i, gen_master(gen, i)->begun[0]);
}

/* Both in true and in measured time, which need not wait for the same one. */
static void go_on(struct gen_location *location)
{
	struct gen_meter *meter = &location->meter;
	uint64_t measured = (location->now << 16) + meter->late;

	if (meter->awaited > location->now)
		location->now = meter->awaited;
	if (meter->awaited_measured << 16 > measured)
		measured = meter->awaited_measured << 16;
	meter->late = measured - (location->now << 16);
	meter->awaited = meter->awaited_measured = 0;
	meter->has_waited = true;
}

void gen_wait(struct gen *gen, struct gen_location *location, uint64_t time, uint64_t lmin)
{
	const uint64_t arrival = time + lmin + gen_below(&gen->random, lmin);

	if (gen->options.is_exact) {
		go_on(location);
		gen_pass(gen, location);
		return;
	}
	gen_pass(gen, location);
	if (location->now < arrival)
		location->now = arrival;
}

uint64_t gen_lmin(const struct gen *gen, uint32_t from, uint32_t to)
{
	if (from == to)
		return gen->options.lmin_thread;
	return gen_node(gen, from) == gen_node(gen, to) ? gen->options.lmin_node
							: gen->options.lmin_net;
}

uint64_t gen_lmin_all(const struct gen *gen)
{
	return gen->options.nr_nodes > 1 ? gen->options.lmin_net : gen->options.lmin_node;
}
