/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two passes over the calls: the least that those of a kind took, then what each would take. */
#include "config.h"

#include "network.h"

#include <math.h>

enum nearness { NEAR_ALONE, NEAR_PROCESS, NEAR_HOST, NEAR_NETWORK, NR_NEARNESSES };

/* Messages that are smaller show no bandwidth. */
#define LEAST_BYTES 1024

/* Of a region, nearness, and whether calls waited. */
#define NR_KINDS_PER_REGION (2 * NR_NEARNESSES)

struct network_pass {
	const struct measure_replay *replay;
	uint64_t *rests;
	uint32_t *kinds;  /* by step */
	uint64_t *least;  /* by kind */
	bool *is_message; /* by kind: calls of messages */
};

static enum nearness nearness_of(
	const struct measure_definitions *definitions, uint32_t location, uint32_t other)
{
	const uint32_t group = definitions->locations[location].group;
	const uint32_t other_group = definitions->locations[other].group;

	if (group == other_group)
		return NEAR_PROCESS;
	if (group >= definitions->nr_location_groups ||
		other_group >= definitions->nr_location_groups ||
		definitions->location_groups[group].host !=
			definitions->location_groups[other_group].host)
		return NEAR_NETWORK;
	return NEAR_HOST;
}

/* To the farthest of those that it depended on. */
static enum nearness nearness_of_step(const struct measure_replay *replay, uint32_t location,
	const struct measure_replay_call *step, bool *is_message)
{
	const struct measure_candidate *end;
	const struct measure_candidate *candidate =
		measure_replay_candidates(replay, location, step->call, &end);
	enum nearness nearness = NEAR_ALONE;

	*is_message = false;
	for (; candidate < end && candidate->call < step->end; candidate++) {
		const enum nearness next = nearness_of(
			&replay->waits->profile.trace->definitions, location, candidate->cause);

		nearness = next > nearness ? next : nearness;
		*is_message |= candidate->relation == MEASURE_RELATION_MESSAGE ||
			       candidate->relation == MEASURE_RELATION_MESSAGE_NONBLOCKING;
	}
	return nearness;
}

static void estimate_step(struct network_pass *pass, uint32_t process, size_t index,
	const struct measure_interval *window)
{
	const struct measure_replay *replay = pass->replay;
	const struct measure_waits *waits = replay->waits;
	const uint32_t location = replay->masters[process];
	const struct measure_replay_call step = measure_replay_step(replay, process, index);
	const uint32_t path = waits->dependencies.tables[location].calls[step.call].path;
	bool has_waited, is_message;
	const enum nearness nearness = nearness_of_step(replay, location, &step, &is_message);
	uint32_t kind = waits->profile.paths[path].region * NR_KINDS_PER_REGION + 2 * nearness;

	pass->rests[index] = measure_replay_rest(replay, process, &step, window, &has_waited);
	kind += has_waited;
	pass->kinds[index] = kind;
	pass->is_message[kind] |= is_message;
	if (pass->rests[index] < pass->least[kind])
		pass->least[kind] = pass->rests[index];
}

/* ------------------------------------------------------------------------ estimates --- */

/* Means of what messages between processes have. */
static double bytes_per_message(const struct measure_profile *profile)
{
	const struct measure_profile_table *table = &profile->tables[MEASURE_TABLE_MESSAGES];
	double count = 0, bytes = 0;

	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t *row =
			table->values + i * measure_profile_table_width(MEASURE_TABLE_MESSAGES);

		count += (double)measure_cell(row, MESSAGES, COUNT);
		bytes += (double)measure_cell(row, MESSAGES, BYTES);
	}
	return count > 0 && bytes / count >= LEAST_BYTES ? bytes / count : 0;
}

static bool is_of_network(const struct network_pass *pass, uint32_t kind, enum nearness nearness)
{
	return pass->is_message[kind] && kind % 2 == 1 &&
	       kind % NR_KINDS_PER_REGION / 2 == (uint32_t)nearness;
}

static enum nearness find_farthest(const struct network_pass *pass, uint32_t nr_kinds)
{
	enum nearness farthest = NEAR_ALONE;

	for (uint32_t kind = 1; kind < nr_kinds; kind += 2)
		if (pass->is_message[kind] && kind % NR_KINDS_PER_REGION / 2 > (uint32_t)farthest)
			farthest = (enum nearness)(kind % NR_KINDS_PER_REGION / 2);
	return farthest;
}

static void estimate(
	const struct network_pass *pass, uint32_t nr_kinds, struct measure_network *network)
{
	const struct measure_profile *profile = &pass->replay->waits->profile;
	const size_t nr_steps = pass->replay->first_steps[pass->replay->nr_processes];
	const enum nearness farthest = find_farthest(pass, nr_kinds);
	const double per_second = (double)profile->trace->definitions.clock.resolution;
	double ticks = 0, nr = 0;
	uint64_t least = UINT64_MAX;

	for (uint32_t kind = 0; kind < nr_kinds; kind++)
		if (is_of_network(pass, kind, farthest) && pass->least[kind] < least)
			least = pass->least[kind];
	for (size_t i = 0; i < nr_steps; i++) {
		if (pass->kinds[i] == MEASURE_NONE ||
			!is_of_network(pass, pass->kinds[i], farthest))
			continue;
		ticks += (double)(pass->rests[i] - pass->least[pass->kinds[i]]);
		nr++;
	}
	*network = (struct measure_network){
		.latency = least == UINT64_MAX ? 0 : (double)least / per_second,
		.bandwidth = ticks > 0 ? nr * bytes_per_message(profile) * per_second / ticks : 0};
}

/* --------------------------------------------------------------------------- change --- */

static double factor_of_latency(
	const struct measure_network_change *change, const struct measure_network *network)
{
	if (!change->has_latency)
		return change->latency;
	return network->latency > 0 ? change->latency / network->latency : 1;
}

/* Of the time that a byte takes. */
static double factor_of_bytes(
	const struct measure_network_change *change, const struct measure_network *network)
{
	if (!change->has_bandwidth)
		return 1 / change->bandwidth;
	return network->bandwidth > 0 ? network->bandwidth / change->bandwidth : 1;
}

static void change_rests(struct network_pass *pass, double latency, double bytes)
{
	const size_t nr_steps = pass->replay->first_steps[pass->replay->nr_processes];

	for (size_t i = 0; i < nr_steps; i++) {
		const uint32_t kind = pass->kinds[i];
		double fixed, rest;

		if (kind == MEASURE_NONE)
			continue;
		fixed = (double)pass->least[kind];
		rest = (double)pass->rests[i] - fixed;
		if (kind % 2 == 1)
			fixed *= latency;
		pass->rests[i] = (uint64_t)llround(fixed + rest * bytes);
	}
}

uint64_t *measure_network_rests(const struct measure_replay *replay,
	const struct measure_interval *windows, const struct measure_network_change *change,
	struct measure_network *network)
{
	const size_t nr_steps = replay->first_steps[replay->nr_processes];
	const uint32_t nr_kinds = (uint32_t)replay->waits->profile.trace->definitions.nr_regions *
				  NR_KINDS_PER_REGION;
	struct network_pass pass = {.replay = replay,
		.rests = measure_zeroed(nr_steps, sizeof(*pass.rests)),
		.kinds = measure_uncleared(nr_steps, sizeof(*pass.kinds)),
		.least = measure_uncleared(nr_kinds, sizeof(*pass.least)),
		.is_message = measure_zeroed(nr_kinds, sizeof(*pass.is_message))};

	for (size_t i = 0; i < nr_steps; i++)
		pass.kinds[i] = MEASURE_NONE;
	for (uint32_t i = 0; i < nr_kinds; i++)
		pass.least[i] = UINT64_MAX;
	for (uint32_t process = 0; process < replay->nr_processes; process++) {
		size_t first, end;

		measure_replay_window(replay, process, &windows[process], &first, &end);
		for (size_t i = first; i < end; i++)
			estimate_step(&pass, process, i, &windows[process]);
	}
	estimate(&pass, nr_kinds, network);
	change_rests(&pass, factor_of_latency(change, network), factor_of_bytes(change, network));
	measure_free(pass.kinds);
	measure_free(pass.least);
	measure_free(pass.is_message);
	return pass.rests;
}
