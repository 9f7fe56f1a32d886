/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the clock offsets of a running job when its processes begin and end to
 * communicate, and now and then in between, at points where all of them meet. One process of
 * each clock domain measures; the representatives form a binomial tree whose root is rank 0, the
 * reference, so D domains take log2(D) rounds. The tree is built from the root downwards: whoever
 * answers knows its own bearing already, and in each round everybody has at most one partner, so
 * nobody waits in a circle. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdatomic.h>
#include <stdio.h>

#include "clock_domains.h"
#include "ping_pong.h"
#include "offset_schedule.h"
#include "seconds.h"

/* For a comparison. At points the whole job waits for it. */
#define END_SECONDS   1e-3
#define POINT_SECONDS 0.25e-3

/* The job, from parallel_begin to parallel_end. */
static struct measure_domains domains;
static struct measure_schedule schedule;
static measure_region_t region = MEASURE_UNDEFINED;
static bool has_points;
static atomic_bool has_failed; /* this process stays away from all points from now on */

/* What rank 0 says at a point. */
struct offset_decision {
	uint32_t is_due;
	uint32_t next; /* points until it speaks again */
};

/* ----------------------------------------------------------------- measuring --- */

/* Round `step`: those whose number is a multiple of 2 * step answer those `step` above. */
static measure_status_t run_round(const struct measure_transport *transport, uint32_t step,
	double seconds, struct measure_clock_estimate *bearing)
{
	const uint32_t place = domains.mine % (2 * step);

	if (place == 0 && domains.mine + step < domains.nr)
		return measure_ping_pong_answer(
			transport, domains.representatives[domains.mine + step], bearing);
	if (place == step)
		return measure_ping_pong_ask(
			transport, domains.representatives[domains.mine - step], seconds, bearing);
	return MEASURE_OK;
}

static measure_status_t measure_among_representatives(const struct measure_transport *transport,
	double seconds, struct measure_clock_estimate *bearing)
{
	measure_status_t status = MEASURE_OK;
	uint32_t step = 1;

	while (step < domains.nr)
		step *= 2;
	while (status == MEASURE_OK && (step /= 2) > 0)
		status = run_round(transport, step, seconds, bearing);
	return status;
}

static measure_status_t tell_others(
	const struct measure_transport *transport, const struct measure_clock_estimate *bearing)
{
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; status == MEASURE_OK && i < domains.nr_others; i++)
		status = transport->send(
			transport->context, bearing, sizeof(*bearing), domains.others[i]);
	return status;
}

/* The reference's own domain needs no message: it is right by definition. */
static measure_status_t find_bearing(const struct measure_transport *transport, double seconds,
	struct measure_clock_estimate *bearing)
{
	const uint32_t representative = domains.representatives[domains.mine];
	measure_status_t status;

	*bearing = measure_clock_estimate_of_reference();
	if (transport->rank != representative)
		return domains.mine == 0 ? MEASURE_OK
					 : transport->receive(transport->context, bearing,
						   sizeof(*bearing), representative);
	status = measure_among_representatives(transport, seconds, bearing);
	if (status != MEASURE_OK || domains.mine == 0)
		return status;
	return tell_others(transport, bearing);
}

static measure_status_t measure_offset(const struct measure_transport *transport, double seconds)
{
	struct measure_clock_estimate bearing;
	const measure_status_t status = find_bearing(transport, seconds, &bearing);

	if (status == MEASURE_OK)
		measure_clock_sample_define(&bearing.sample);
	return status;
}

/* Once. After it this process has no part in points. */
static void fail(const struct measure_transport *transport, measure_status_t status)
{
	if (!atomic_exchange(&has_failed, true))
		fprintf(stderr, "measure: rank %u: clock offset not measured: %s\n",
			transport->rank, measure_status_text(status));
}

/* ------------------------------------------------------------------ the ends --- */

/* Rank 0's interval counts: ranks may have been started with different options. Where all read
 * one clock there is nothing to measure. */
static measure_status_t prepare_points(const struct measure_transport *transport)
{
	const struct measure_region_info info = {
		.name = "measure clock offsets",
		.role = OTF2_REGION_ROLE_ARTIFICIAL,
		.paradigm = OTF2_PARADIGM_MEASUREMENT_SYSTEM,
	};
	const char *option = measure_option_text("sync_interval");
	measure_status_t status;
	double seconds = 0;

	if (domains.nr == 1)
		return MEASURE_OK;
	if (option && !measure_seconds_parse(option, &seconds))
		seconds = 0;
	status = transport->broadcast(transport->context, &seconds, sizeof(seconds), 0);
	if (status != MEASURE_OK || seconds <= 0)
		return status;
	measure_schedule_start(&schedule, seconds);
	region = measure_region_define(&info);
	has_points = true;
	return MEASURE_OK;
}

static void offset_begin(const struct measure_transport *transport)
{
	measure_status_t status = measure_domains_find(transport, measure_clock_domain(), &domains);

	if (status == MEASURE_OK)
		status = measure_offset(transport, END_SECONDS);
	if (status == MEASURE_OK)
		status = prepare_points(transport);
	if (status != MEASURE_OK)
		fail(transport, status);
}

/* Also where a point has failed: everybody comes here. */
static void offset_end(const struct measure_transport *transport)
{
	measure_status_t status;

	has_points = false;
	if (!domains.representatives)
		return;
	status = measure_offset(transport, END_SECONDS);
	if (status != MEASURE_OK)
		fail(transport, status);
	measure_domains_free(&domains);
}

/* -------------------------------------------------------------------- points --- */

/* From rank 0 over a binomial tree of all ranks: each hears from the one that is as itself
 * without the last bit that is set. */
static measure_status_t spread(const struct measure_transport *transport, void *data, size_t bytes)
{
	const uint32_t rank = transport->rank;
	measure_status_t status = MEASURE_OK;
	uint32_t bit = 1;

	while (bit < transport->size && !(rank & bit))
		bit *= 2;
	if (rank > 0)
		status = transport->receive(transport->context, data, bytes, rank - bit);
	while (status == MEASURE_OK && (bit /= 2) > 0)
		if (rank + bit < transport->size)
			status = transport->send(transport->context, data, bytes, rank + bit);
	return status;
}

static measure_status_t hold_point(
	const struct measure_transport *transport, struct measure_points *points)
{
	const uint64_t now = measure_clock_now();
	struct offset_decision decision = {0};
	measure_status_t status;

	if (transport->rank == 0) {
		decision.is_due = measure_schedule_is_due(&schedule, now);
		decision.next = measure_schedule_next(&schedule, points, now);
	}
	status = spread(transport, &decision, sizeof(decision));
	if (status == MEASURE_OK && decision.is_due) {
		status = measure_offset(transport, POINT_SECONDS);
		measure_schedule_note(&schedule, measure_clock_now() - now);
	}
	points->left = points->step = decision.next;
	return status;
}

static void write_enter(void)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_enter(location, region);
	measure_record_end(location);
}

static void write_leave(void)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_write_leave(location, region);
	measure_record_end(location);
}

/* Whoever fails at a point does not come to another one. The others wait for it there in vain,
 * as long as the transport lets them, and then stay away too. */
static void offset_point(const struct measure_transport *transport, struct measure_points *points)
{
	measure_status_t status;

	points->left = 0;
	if (!has_points || atomic_load(&has_failed))
		return;
	write_enter();
	status = hold_point(transport, points);
	write_leave();
	if (status == MEASURE_OK)
		return;
	points->left = 0;
	fail(transport, status);
}

static const struct measure_adapter offset_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "offset",
	.parallel_begin = offset_begin,
	.parallel_point = offset_point,
	.parallel_end = offset_end,
};

__attribute__((constructor)) static void offset_init(void)
{
	measure_adapter_register(&offset_adapter);
}
