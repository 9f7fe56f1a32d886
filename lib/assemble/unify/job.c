/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places of the processes; see job.h. */
#include "config.h"

#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "base/intern.h"

/* More ranks than these, in all worlds together, are taken for damage: each gets a place in the
 * archive. */
#define MAX_WORLD          (UINT32_C(1) << 24)
#define MAX_RANKS_PER_PART (UINT32_C(1) << 16)

static bool has_key(const struct measure_world *world, const struct measure_def_world *def)
{
	return world->key_high == def->key_high && world->key_low == def->key_low;
}

static uint32_t find_world(const struct measure_job *job, const struct measure_def_world *def)
{
	for (size_t i = 0; i < job->worlds.nr; i++)
		if (!job->worlds.items[i].is_absent && has_key(&job->worlds.items[i], def))
			return (uint32_t)i;
	return MEASURE_NO_ID;
}

uint32_t measure_job_find_absent(const struct measure_job *job, const struct measure_def_comm *def)
{
	for (size_t i = 0; def->side != MEASURE_SIDES_BOTH && i < job->worlds.nr; i++) {
		const struct measure_world *world = &job->worlds.items[i];
		if (world->is_absent && world->key_high == def->key_high &&
			world->key_low == def->key_low)
			return (uint32_t)i;
	}
	return MEASURE_NO_ID;
}

/* One that is too large is left out. */
static measure_status_t add_world(
	struct measure_job *job, size_t nr_parts, const struct measure_world *world)
{
	uint64_t nr_ranks = world->size;

	for (size_t i = 0; i < job->worlds.nr; i++)
		nr_ranks += job->worlds.items[i].size;
	if (nr_ranks > MAX_WORLD || nr_ranks > (uint64_t)nr_parts * MAX_RANKS_PER_PART)
		return MEASURE_OK;
	return measure_array_push(&job->worlds, *world);
}

/* By key of an intercommunicator: which sides have told of it, a bit each. */
struct sides {
	struct measure_intern keys;
	MEASURE_ARRAY(uint32_t) told; /* by id in `keys` */
};

static measure_status_t note_side(struct sides *sides, const struct measure_def_comm *def)
{
	const uint64_t key[] = {def->key_high, def->key_low};
	measure_status_t status;
	bool is_new = false;
	uint32_t id;

	if (def->kind != MEASURE_COMM_INTER || def->side > MEASURE_SIDE_SECOND)
		return MEASURE_OK;
	status = measure_intern_put(&sides->keys, key, sizeof(key), &id, &is_new);
	if (status == MEASURE_OK && is_new)
		status = measure_array_push(&sides->told, 0);
	if (status == MEASURE_OK)
		sides->told.items[id] |= 1u << def->side;
	return status;
}

/* After all sides were noted. */
static measure_status_t add_absent(struct sides *sides, const struct measure_def_comm *def,
	struct measure_job *job, size_t nr_parts)
{
	const uint64_t key[] = {def->key_high, def->key_low};
	const struct measure_world world = {
		def->key_high, def->key_low, def->nr_others, 0, false, true};
	uint32_t id;

	if (def->kind != MEASURE_COMM_INTER || def->side == MEASURE_SIDES_BOTH ||
		def->side > MEASURE_SIDE_SECOND)
		return MEASURE_OK;
	measure_status_t status = measure_intern_put(&sides->keys, key, sizeof(key), &id, NULL);
	if (status != MEASURE_OK || sides->told.items[id] != 1u << def->side)
		return status;
	sides->told.items[id] = 0; /* there by now */
	return add_world(job, nr_parts, &world);
}

static measure_status_t find_absent_worlds(
	const struct measure_part *parts, size_t nr_parts, struct measure_job *job)
{
	struct sides sides = {.keys = {.nr_slots = 0}};
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < nr_parts; i++)
		for (size_t k = 0; k < parts[i].comms.nr && status == MEASURE_OK; k++)
			status = note_side(&sides, &parts[i].comms.items[k].def);
	for (size_t i = 0; i < nr_parts; i++)
		for (size_t k = 0; k < parts[i].comms.nr && status == MEASURE_OK; k++)
			status = add_absent(&sides, &parts[i].comms.items[k].def, job, nr_parts);
	measure_intern_free(&sides.keys);
	free(sides.told.items);
	return status;
}

static int compare_worlds(const void *left, const void *right)
{
	const struct measure_world *a = left, *b = right;

	if (a->is_absent != b->is_absent)
		return a->is_absent ? 1 : -1;
	if (a->is_spawned != b->is_spawned)
		return a->is_spawned ? 1 : -1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->key_high != b->key_high)
		return a->key_high < b->key_high ? -1 : 1;
	return (a->key_low > b->key_low) - (a->key_low < b->key_low);
}

static bool is_spawned(const struct measure_part *part)
{
	for (size_t i = 0; i < part->comms.nr; i++)
		if (part->comms.items[i].def.kind == MEASURE_COMM_INTER &&
			part->comms.items[i].def.side == MEASURE_SIDE_SECOND)
			return true;
	return false;
}

static measure_status_t find_worlds(const struct measure_part *parts, size_t nr_parts,
	struct measure_job *job)
{
	uint32_t first = 0;

	for (size_t i = 0; i < nr_parts; i++) {
		const struct measure_def_world *def = &parts[i].world;
		struct measure_world world = {
			def->key_high, def->key_low, def->size, 0, is_spawned(&parts[i]), false};

		if (!parts[i].has_world || find_world(job, def) != MEASURE_NO_ID)
			continue;
		measure_status_t status = add_world(job, nr_parts, &world);
		if (status != MEASURE_OK)
			return status;
	}
	measure_status_t status = find_absent_worlds(parts, nr_parts, job);
	if (status != MEASURE_OK)
		return status;
	measure_array_sort(&job->worlds, compare_worlds);
	for (size_t i = 0; i < job->worlds.nr; i++) {
		job->worlds.items[i].first = first;
		first += job->worlds.items[i].size;
	}
	return MEASURE_OK;
}

static measure_status_t make_places(struct measure_job *job)
{
	for (size_t i = 0; i < job->worlds.nr; i++) {
		for (uint32_t rank = 0; rank < job->worlds.items[i].size; rank++) {
			struct measure_process place = {NULL, (uint32_t)job->processes.nr,
				(uint32_t)i, rank};
			measure_status_t status = measure_array_push(&job->processes, place);
			if (status != MEASURE_OK)
				return status;
		}
	}
	return MEASURE_OK;
}

static bool take_place(struct measure_job *job, uint32_t world, uint32_t rank,
	const struct measure_part *part)
{
	if (world == MEASURE_NO_ID || rank >= job->worlds.items[world].size)
		return false;
	struct measure_process *place =
		&job->processes.items[job->worlds.items[world].first + rank];
	if (place->part)
		return false;
	place->part = part;
	return true;
}

/* By what MPI said, or by the launcher for one that died before it called MPI. */
static bool find_place(struct measure_job *job, const struct measure_part *part)
{
	if (part->has_world)
		return take_place(job, find_world(job, &part->world), part->world.rank, part);
	if (part->has_launch && job->worlds.nr && part->launch.rank != UINT32_MAX &&
		part->launch.size == job->worlds.items[0].size)
		return take_place(job, 0, part->launch.rank, part);
	return false;
}

static uint32_t launch_rank(const struct measure_part *part)
{
	return part->has_launch ? part->launch.rank : UINT32_MAX;
}

/* A part without a place of a rank. */
struct other {
	const struct measure_part *part;
	bool is_child;
};

/* Launcher's rank, then start, then name: parts come in no order. Children last: they read their
 * creator's clock, and began later than it. */
static int compare_parts(const void *left, const void *right)
{
	const struct measure_part *a = ((const struct other *)left)->part;
	const struct measure_part *b = ((const struct other *)right)->part;
	bool is_child = ((const struct other *)left)->is_child;

	if (is_child != ((const struct other *)right)->is_child)
		return is_child ? 1 : -1;
	if (is_child && a->process.begin_ticks != b->process.begin_ticks)
		return a->process.begin_ticks < b->process.begin_ticks ? -1 : 1;
	if (launch_rank(a) != launch_rank(b))
		return launch_rank(a) < launch_rank(b) ? -1 : 1;
	if (a->process.start_time != b->process.start_time)
		return a->process.start_time < b->process.start_time ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Without gaps, which readers of OTF2 refuse. */
static uint32_t next_id(const struct measure_job *job)
{
	const size_t nr = job->processes.nr;

	return nr ? job->processes.items[nr - 1].id + 1 : 0;
}

uint32_t measure_job_creator(const struct measure_job *job, const struct measure_process *child)
{
	uint32_t creator = MEASURE_NO_ID;

	if (child->part)
		creator = job->lineage[child->part - job->parts].creator;
	if (creator == MEASURE_NO_ID || job->ids[creator] >= child->id)
		return MEASURE_NO_ID;
	return job->ids[creator];
}

static measure_status_t add_others(struct measure_job *job, struct other *others, size_t nr_others)
{
	measure_sort(others, nr_others, compare_parts);
	for (size_t i = 0; i < nr_others; i++) {
		const struct measure_part *part = others[i].part;
		struct measure_process process = {
			part, next_id(job), MEASURE_NO_ID, launch_rank(part)};
		measure_status_t status = measure_array_push(&job->processes, process);
		if (status != MEASURE_OK)
			return status;
	}
	return MEASURE_OK;
}

/* Those who know their world first: the launcher's word counts for less. */
static measure_status_t place(struct measure_job *job, size_t nr_parts)
{
	struct other *others = calloc(nr_parts + 1, sizeof(*others));
	size_t nr_others = 0;

	if (!others)
		return MEASURE_ERROR_MEMORY;
	for (int has_world = 1; has_world >= 0; has_world--) {
		for (size_t i = 0; i < nr_parts; i++) {
			const struct measure_part *part = &job->parts[i];
			if (part->has_world != has_world || job->lineage[i].is_omitted ||
				find_place(job, part))
				continue;
			others[nr_others++] =
				(struct other){part, job->lineage[i].creator != MEASURE_NO_ID};
		}
	}
	measure_status_t status = add_others(job, others, nr_others);
	free(others);
	return status;
}

static measure_status_t note_ids(struct measure_job *job, size_t nr_parts)
{
	job->ids = calloc(nr_parts + 1, sizeof(*job->ids));
	if (!job->ids)
		return MEASURE_ERROR_MEMORY;
	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_process *process = &job->processes.items[i];
		if (process->part)
			job->ids[process->part - job->parts] = process->id;
		else
			job->nr_missing++;
	}
	return MEASURE_OK;
}

measure_status_t measure_job_make(
	const struct measure_part *parts, size_t nr_parts, struct measure_job *job)
{
	job->parts = parts;
	job->nr_parts = nr_parts;
	job->lineage = measure_process_tree_make(parts, nr_parts);
	if (!job->lineage)
		return MEASURE_ERROR_MEMORY;
	measure_status_t status = find_worlds(parts, nr_parts, job);
	if (status == MEASURE_OK)
		status = make_places(job);
	if (status == MEASURE_OK)
		status = place(job, nr_parts);
	return status == MEASURE_OK ? note_ids(job, nr_parts) : status;
}

void measure_job_free(struct measure_job *job)
{
	free(job->lineage);
	free(job->ids);
	free(job->worlds.items);
	free(job->processes.items);
	memset(job, 0, sizeof(*job));
}
