/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several processes read an archive into a pyramid. The first one knows the profile and the waits,
 * and tells each of the others what it has to know; these send levels and groups back. Structures
 * travel as they are: the processes of a job are of one build. */
#include "config.h"

#include "pyramid_reading.h"

#include <stdlib.h>
#include <string.h>

struct pyramid_taking {
	const char *at, *end;
};

/* -------------------------------------------------------------------------- bytes --- */

static void take(struct pyramid_taking *taking, void *data, size_t size)
{
	if ((size_t)(taking->end - taking->at) < size)
		measure_end("the processes of the job do not read the same archive");
	if (size > 0)
		memcpy(data, taking->at, size);
	taking->at += size;
}

/* Collective: what each rank has for each other one; the packs are freed. */
static struct measure_sync_job_part *swap(
	const struct measure_sync_job *job, measure_profile_pack_t *packs)
{
	struct measure_sync_job_part *out = measure_zeroed(job->size, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(job->size, sizeof(*in));

	for (uint32_t rank = 0; rank < job->size; rank++)
		out[rank] = (struct measure_sync_job_part){packs[rank].items, packs[rank].nr};
	measure_sync_job_swap(job, out, in);
	for (uint32_t rank = 0; rank < job->size; rank++)
		free(packs[rank].items);
	measure_free(packs);
	measure_free(out);
	return in;
}

static struct pyramid_taking taking_of(const struct measure_sync_job_part *part)
{
	const char *bytes = part->data;

	return (struct pyramid_taking){bytes, bytes + part->size};
}

static void free_parts(const struct measure_sync_job *job, struct measure_sync_job_part *parts)
{
	for (uint32_t rank = 0; rank < job->size; rank++)
		measure_free(parts[rank].data);
	measure_free(parts);
}

/* -------------------------------------------------------------------------- facts --- */

static void put_facts(
	const struct pyramid_reading *reading, uint32_t location, measure_profile_pack_t *pack)
{
	struct pyramid_facts facts = reading->facts[location];

	if (reading->options->waits)
		pyramid_find_waits(reading, location, &facts);
	measure_pack_put_bytes(pack, &facts, sizeof(facts));
	measure_pack_put_bytes(pack, facts.waits, facts.nr_waits * sizeof(*facts.waits));
	measure_free(facts.waits);
}

static void take_facts(
	const struct pyramid_reading *reading, uint32_t location, struct pyramid_taking *taking)
{
	struct pyramid_facts *facts = &reading->facts[location];

	take(taking, facts, sizeof(*facts));
	facts->waits = measure_zeroed(facts->nr_waits, sizeof(*facts->waits));
	take(taking, facts->waits, facts->nr_waits * sizeof(*facts->waits));
}

void pyramid_ranks_share(struct pyramid_reading *reading)
{
	const struct measure_sync_job *job = reading->job;
	struct measure_pyramid *pyramid = reading->pyramid;
	measure_profile_pack_t *packs = measure_zeroed(job->size, sizeof(*packs));
	struct measure_sync_job_part *parts;

	for (uint32_t rank = 1; job->rank == 0 && rank < job->size; rank++) {
		measure_pack_put_bytes(&packs[rank], &pyramid->start, sizeof(pyramid->start));
		measure_pack_put_bytes(&packs[rank], &pyramid->length, sizeof(pyramid->length));
		measure_pack_put_bytes(&packs[rank], &pyramid->shift, sizeof(pyramid->shift));
		for (size_t i = 0; i < pyramid_nr_locations_of(reading, rank); i++)
			put_facts(reading, pyramid_location_of(reading, rank, i), &packs[rank]);
	}
	parts = swap(job, packs);
	if (job->rank > 0) {
		struct pyramid_taking taking = taking_of(&parts[0]);

		take(&taking, &pyramid->start, sizeof(pyramid->start));
		take(&taking, &pyramid->length, sizeof(pyramid->length));
		take(&taking, &pyramid->shift, sizeof(pyramid->shift));
		for (size_t i = 0; i < pyramid_nr_locations_of(reading, job->rank); i++)
			take_facts(reading, pyramid_location_of(reading, job->rank, i), &taking);
	}
	free_parts(job, parts);
}

/* ------------------------------------------------------------------------- results --- */

static void put_location(
	const struct measure_pyramid_location *location, measure_profile_pack_t *pack)
{
	measure_pack_put_bytes(pack, location, sizeof(*location));
	for (uint32_t i = 0; i < location->nr_levels; i++) {
		measure_pack_put_bytes(pack, &location->levels[i], sizeof(*location->levels));
		measure_pack_put_bytes(
			pack, location->levels[i].runs.items, location->levels[i].runs.nr);
	}
}

static void take_location(struct measure_pyramid_location *location, struct pyramid_taking *taking)
{
	take(taking, location, sizeof(*location));
	location->levels = measure_zeroed(location->nr_levels, sizeof(*location->levels));
	for (uint32_t i = 0; i < location->nr_levels; i++) {
		struct measure_pyramid_level *level = &location->levels[i];
		const measure_profile_pack_t none = {.nr = 0};
		size_t size;

		take(taking, level, sizeof(*level));
		size = level->runs.nr;
		level->runs = none;
		if (measure_array_reserve(&level->runs, size) != MEASURE_OK)
			measure_out_of_memory();
		take(taking, level->runs.items, size);
		level->runs.nr = size;
	}
}

static size_t size_of(const struct measure_pyramid_group *group)
{
	return group->nr_bins * MEASURE_PYRAMID_NR_COLUMNS;
}

static void put_groups(
	const struct measure_pyramid_group *groups, size_t nr, measure_profile_pack_t *pack)
{
	for (size_t i = 0; i < nr; i++)
		measure_pack_put_bytes(
			pack, groups[i].ticks, size_of(&groups[i]) * sizeof(*groups[i].ticks));
}

static void add_groups(
	struct measure_pyramid_group *groups, size_t nr, struct pyramid_taking *taking)
{
	for (size_t i = 0; i < nr; i++)
		for (size_t cell = 0; cell < size_of(&groups[i]); cell++) {
			uint64_t ticks;

			take(taking, &ticks, sizeof(ticks));
			groups[i].ticks[cell] += ticks;
		}
}

static void add_rank(struct pyramid_reading *reading, uint32_t rank, struct pyramid_taking taking)
{
	struct measure_pyramid *pyramid = reading->pyramid;
	uint32_t nr_broken;

	for (size_t i = 0; i < pyramid_nr_locations_of(reading, rank); i++)
		take_location(&pyramid->locations[pyramid_location_of(reading, rank, i)], &taking);
	add_groups(&pyramid->all, 1, &taking);
	add_groups(pyramid->hosts, pyramid->nr_hosts, &taking);
	add_groups(pyramid->processes, pyramid->nr_processes, &taking);
	take(&taking, &nr_broken, sizeof(nr_broken));
	pyramid->nr_broken += nr_broken;
}

void pyramid_ranks_gather(struct pyramid_reading *reading)
{
	const struct measure_sync_job *job = reading->job;
	const struct measure_pyramid *pyramid = reading->pyramid;
	measure_profile_pack_t *packs = measure_zeroed(job->size, sizeof(*packs));
	struct measure_sync_job_part *parts;

	if (job->rank > 0) {
		for (size_t i = 0; i < pyramid_nr_locations_of(reading, job->rank); i++)
			put_location(
				&pyramid->locations[pyramid_location_of(reading, job->rank, i)],
				&packs[0]);
		put_groups(&pyramid->all, 1, &packs[0]);
		put_groups(pyramid->hosts, pyramid->nr_hosts, &packs[0]);
		put_groups(pyramid->processes, pyramid->nr_processes, &packs[0]);
		measure_pack_put_bytes(&packs[0], &pyramid->nr_broken, sizeof(pyramid->nr_broken));
	}
	parts = swap(job, packs);
	for (uint32_t rank = 1; job->rank == 0 && rank < job->size; rank++)
		add_rank(reading, rank, taking_of(&parts[rank]));
	free_parts(job, parts);
}
