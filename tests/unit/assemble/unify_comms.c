/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what several processes say of their communicators becomes one definition each:
 * names, events, topologies, two groups told by one or by each side, members as ranks in a
 * parent, and parents before their children; those never described stay apart. The same for
 * their windows, and for groups. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "adapter.h"
#include "assemble/unify/unify.h"
#include "../t_suite.h"

#define MPI	4 /* OTF2_PARADIGM_MPI */
#define NO	UINT32_MAX
#define MAX_NR	8
#define NR(...) (sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define RANKS(...)                                                                                 \
	__extension__({                                                                            \
		static const uint32_t ranks_[] = {__VA_ARGS__};                                    \
		(struct measure_u32s){NR(__VA_ARGS__), ranks_};                                    \
	})

static struct measure_part parts[4];
static struct measure_part_comm comms[4][MAX_NR];
static struct measure_def_cart carts[4];
static struct measure_part_window windows[4][MAX_NR];
static struct measure_def_group groups[4][MAX_NR];
static struct measure_job job;
static struct measure_unified unified;

/* Process i is rank `rank` of a world of `size` that has the given key. */
static struct measure_part *t_process(int i, uint64_t world, uint32_t rank, uint32_t size)
{
	static char name[] = "";
	struct measure_part *part = &parts[i];

	part->name = name;
	part->has_world = true;
	part->world = (struct measure_def_world){rank, size, world, 0};
	part->comms.items = comms[i];
	part->carts.items = &carts[i];
	part->windows.items = windows[i];
	part->groups.items = groups[i];
	return part;
}

static struct measure_def_comm *t_comm(
	struct measure_part *part, uint32_t kind, uint64_t key, uint32_t parent)
{
	struct measure_part_comm *comm = &part->comms.items[part->comms.nr];

	*comm = (struct measure_part_comm){.is_described = true};
	comm->def = (struct measure_def_comm){.id = (uint32_t)part->comms.nr++,
		.kind = kind,
		.name = "",
		.key_high = key,
		.parent = parent,
		.paradigm = MPI};
	return &comm->def;
}

static struct measure_part_window *t_window(struct measure_part *part, uint32_t comm, uint64_t key)
{
	struct measure_part_window *window = &part->windows.items[part->windows.nr];

	*window = (struct measure_part_window){.is_described = true};
	window->def = (struct measure_def_window){
		.id = (uint32_t)part->windows.nr++, .comm = comm, .key_high = key};
	return window;
}

static void t_group(struct measure_part *part, struct measure_u32s members)
{
	part->groups.items[part->groups.nr] =
		(struct measure_def_group){(uint32_t)part->groups.nr, members};
	part->groups.nr++;
}

static void t_unify(size_t nr_parts)
{
	struct measure_local_definitions empty = {.clock = NULL};

	CU_ASSERT_EQUAL_FATAL(measure_job_make(parts, nr_parts, &job), MEASURE_OK);
	unified.job = &job;
	measure_unify_string(&unified, "");
	for (size_t i = 0; i < job.processes.nr; i++)
		CU_ASSERT_EQUAL(measure_array_push(&unified.locals, empty), MEASURE_OK);
	measure_unify_comms(&unified);
	measure_unify_topologies(&unified);
	measure_unify_windows(&unified);
	CU_ASSERT_EQUAL_FATAL(unified.status, MEASURE_OK);
}

/* Nothing in it is the parts' to free. */
static void t_free(void)
{
	measure_unified_free(&unified);
	measure_job_free(&job);
	memset(parts, 0, sizeof(parts));
	memset(comms, 0, sizeof(comms));
	memset(windows, 0, sizeof(windows));
}

static const struct measure_otf2_comm *t_global(size_t process, size_t local, uint32_t *id)
{
	const measure_id_map_t *map = &unified.locals.items[process].comms;

	CU_ASSERT_FATAL(local < map->nr);
	*id = map->items[local];
	CU_ASSERT_FATAL(*id < unified.definitions.comms.nr);
	return &unified.definitions.comms.items[*id];
}

static void t_has(uint32_t group, size_t nr, const uint32_t *members)
{
	CU_ASSERT_FATAL(group < unified.definitions.groups.nr);
	const struct measure_otf2_group *found = &unified.definitions.groups.items[group];
	CU_ASSERT_EQUAL_FATAL(found->nr_members, nr);
	for (size_t i = 0; i < nr; i++)
		CU_ASSERT_EQUAL(found->members[i], members[i]);
}
#define HAS(group, ...) t_has(group, NR(__VA_ARGS__), (const uint32_t[]){__VA_ARGS__})

static const char *t_name(const struct measure_otf2_comm *comm)
{
	return measure_intern_key(&unified.definitions.strings, comm->name);
}

/* One member's name is enough; that of a process that named it wins against a given one. */
static void test_names_and_events(void)
{
	uint32_t id;

	for (uint32_t rank = 0; rank < 2; rank++) {
		struct measure_part *part = t_process((int)rank, 1, rank, 2);
		t_comm(part, MEASURE_COMM_WORLD, 1, NO)->name = "MPI_COMM_WORLD";
		struct measure_def_comm *dup = t_comm(part, MEASURE_COMM_GROUP, 2, 0);
		dup->members = RANKS(1, 0);
		dup->has_events = rank == 1;
		t_comm(part, MEASURE_COMM_GROUP, 3, 0)->members = RANKS(0, 1);
	}
	comms[1][0].given_name = "everybody";
	comms[1][1].given_name = "reversed";
	t_unify(2);
	CU_ASSERT_EQUAL(unified.definitions.comms.nr, 3);
	CU_ASSERT_STRING_EQUAL(t_name(t_global(0, 0, &id)), "everybody");
	CU_ASSERT_EQUAL(t_global(0, 0, &id)->flags, OTF2_COMM_FLAG_NONE);
	const struct measure_otf2_comm *dup = t_global(0, 1, &id);
	CU_ASSERT_STRING_EQUAL(t_name(dup), "reversed");
	CU_ASSERT_EQUAL(dup->flags, OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
	CU_ASSERT_FALSE(dup->is_inter);
	HAS(dup->group, 1, 0);
	CU_ASSERT_EQUAL(t_global(0, 2, &id)->flags, OTF2_COMM_FLAG_NONE);
	t_free();
}

/* What rank 1 alone knows of the bridge comes before the intercommunicator, of which rank 0 has
 * told first. */
static void test_bridge(void)
{
	uint32_t id, bridge;

	for (uint32_t rank = 0; rank < 2; rank++) {
		struct measure_part *part = t_process((int)rank, 1, rank, 2);
		t_comm(part, MEASURE_COMM_WORLD, 1, NO);
		if (rank == 1)
			t_comm(part, MEASURE_COMM_GROUP, 5, 0)->members =
				RANKS(1);
		struct measure_def_comm *inter =
			t_comm(part, MEASURE_COMM_INTER, 6, rank == 1 ? 1 : NO);
		inter->members = RANKS(0);
		inter->others = RANKS(1);
	}
	t_unify(2);
	t_global(1, 1, &bridge);
	const struct measure_otf2_comm *inter = t_global(0, 1, &id);
	CU_ASSERT_PTR_EQUAL(inter, t_global(1, 2, &id));
	CU_ASSERT(bridge < id && inter->parent == bridge && inter->is_inter);
	HAS(inter->group, 0);
	HAS(inter->other_group, 1);
	t_free();
}

/* Each side of a spawning tells its group; what is merged out of both, and a part of that, are
 * told as ranks in their parents. */
static void test_worlds(void)
{
	uint32_t id;

	for (int i = 0; i < 3; i++) {
		struct measure_part *part =
			i < 2 ? t_process(i, 1, (uint32_t)i, 2) : t_process(i, 2, 0, 1);
		t_comm(part, MEASURE_COMM_WORLD, i < 2 ? 1 : 2, NO);
		struct measure_def_comm *inter = t_comm(part, MEASURE_COMM_INTER, 6, NO);
		inter->side = i < 2 ? MEASURE_SIDE_FIRST : MEASURE_SIDE_SECOND;
		inter->nr_others = i < 2 ? 1 : 2;
		inter->members = i < 2 ? RANKS(1, 0)
				       : RANKS(0);
		struct measure_def_comm *merged = t_comm(part, MEASURE_COMM_GROUP, 7, 1);
		merged->is_relative = 1;
		merged->members = RANKS(2, 0, 1);
		struct measure_def_comm *some = t_comm(part, MEASURE_COMM_GROUP, 8, 2);
		some->is_relative = 1;
		some->members = RANKS(1, 0);
	}
	t_unify(3);
	const struct measure_otf2_comm *inter = t_global(2, 1, &id);
	HAS(inter->group, 1, 0);
	HAS(inter->other_group, 2);
	HAS(t_global(0, 2, &id)->group, 2, 1, 0);
	HAS(t_global(1, 3, &id)->group, 1, 2);
	CU_ASSERT_EQUAL(job.nr_missing, 0);
	t_free();
}

/* The children's recording is somewhere else: places without a part stand for them. */
static void test_one_side(void)
{
	struct measure_part *part = t_process(0, 1, 0, 1);
	uint32_t id;

	t_comm(part, MEASURE_COMM_WORLD, 1, NO);
	struct measure_def_comm *inter = t_comm(part, MEASURE_COMM_INTER, 6, NO);
	inter->side = MEASURE_SIDE_FIRST;
	inter->nr_others = 2;
	inter->members = RANKS(0);
	t_unify(1);
	HAS(t_global(0, 1, &id)->other_group, 1, 2);
	CU_ASSERT_EQUAL(job.nr_missing, 2);
	t_free();
}

/* Coordinates that are beyond the edge, as of a damaged journal, are left out. */
static void test_topology(void)
{
	for (uint32_t rank = 0; rank < 3; rank++) {
		struct measure_part *part = t_process((int)rank, 1, rank, 3);
		t_comm(part, MEASURE_COMM_WORLD, 1, NO);
		t_comm(part, MEASURE_COMM_GROUP, 2, 0)->members =
			RANKS(0, 1, 2);
		carts[rank] = (struct measure_def_cart){1, rank, RANKS(3, 1), RANKS(1, 0),
			rank == 0 ? RANKS(0, 0) : rank == 1 ? RANKS(1, 0) : RANKS(3, 0)};
		part->carts.nr = 1;
	}
	t_unify(3);
	CU_ASSERT_EQUAL(unified.definitions.topologies.nr, 1);
	CU_ASSERT_EQUAL(unified.definitions.topologies.items[0].nr_dimensions, 2);
	CU_ASSERT_EQUAL(unified.definitions.dimensions.nr, 2);
	CU_ASSERT_TRUE(unified.definitions.dimensions.items[0].is_periodic);
	CU_ASSERT_FALSE(unified.definitions.dimensions.items[1].is_periodic);
	CU_ASSERT_EQUAL_FATAL(unified.definitions.coordinates.nr, 2);
	CU_ASSERT_EQUAL(unified.definitions.coordinates.items[1].rank, 1);
	CU_ASSERT_EQUAL(unified.definitions.coordinates.items[1].coordinates[0], 1);
	t_free();
}

/* Made in another order by each rank, named by one, recorded by one. */
static void test_windows(void)
{
	const struct measure_otf2_window *first;

	for (uint32_t rank = 0; rank < 2; rank++) {
		struct measure_part *part = t_process((int)rank, 1, rank, 2);
		t_comm(part, MEASURE_COMM_WORLD, 1, NO);
		t_comm(part, MEASURE_COMM_GROUP, 2, 0)->members = RANKS(1, 0);
		t_window(part, rank, 10 + rank)->def.has_events = rank == 1;
		t_window(part, 1 - rank, 11 - rank);
	}
	windows[1][1].name = "halo";
	t_unify(2);
	CU_ASSERT_EQUAL_FATAL(unified.definitions.windows.nr, 2);
	for (uint32_t rank = 0; rank < 2; rank++) {
		const measure_id_map_t *map = &unified.locals.items[rank].windows;
		CU_ASSERT_EQUAL_FATAL(map->nr, 2);
		CU_ASSERT_EQUAL(map->items[0], rank);
		CU_ASSERT_EQUAL(map->items[1], 1 - rank);
	}
	first = &unified.definitions.windows.items[0];
	CU_ASSERT_STRING_EQUAL(
		measure_intern_key(&unified.definitions.strings, first->name), "halo");
	CU_ASSERT_EQUAL(first->comm, unified.locals.items[0].comms.items[0]);
	CU_ASSERT_EQUAL(first->flags, OTF2_RMA_WIN_FLAG_NONE);
	CU_ASSERT_EQUAL(first[1].name, 0);
	CU_ASSERT_EQUAL(first[1].comm, unified.locals.items[0].comms.items[1]);
	CU_ASSERT_EQUAL(first[1].flags, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
	t_free();
}

/* Groups of ranks of the second world; one that two processes tell of is one. */
static void test_groups(void)
{
	for (uint32_t i = 0; i < 4; i++) {
		struct measure_part *part = t_process((int)i, 1 + i / 2, i % 2, 2);
		t_comm(part, MEASURE_COMM_WORLD, 1 + i / 2, NO);
	}
	t_group(&parts[2], RANKS(1, 0));
	t_group(&parts[3], RANKS(1));
	t_group(&parts[3], RANKS(1, 0));
	t_unify(4);
	CU_ASSERT_EQUAL(unified.locals.items[0].groups.nr, 0);
	CU_ASSERT_EQUAL_FATAL(unified.locals.items[2].groups.nr, 1);
	CU_ASSERT_EQUAL_FATAL(unified.locals.items[3].groups.nr, 2);
	CU_ASSERT_EQUAL(
		unified.locals.items[2].groups.items[0], unified.locals.items[3].groups.items[1]);
	HAS(unified.locals.items[3].groups.items[0], 3);
	HAS(unified.locals.items[3].groups.items[1], 3, 2);
	t_free();
}

/* Teams that a process had no time to describe are several all the same; those of another process
 * need no more definitions. */
static void test_undescribed(void)
{
	uint32_t id[2][2];

	for (int i = 0; i < 2; i++) {
		struct measure_part *part = t_process(i, 1, (uint32_t)i, 2);
		t_comm(part, MEASURE_COMM_WORLD, 1, NO);
		for (int k = 0; k < 2; k++) {
			t_comm(part, MEASURE_COMM_TEAM, 0, NO);
			part->comms.items[part->comms.nr - 1].is_described = false;
		}
	}
	t_unify(2);
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < 2; k++)
			t_has(t_global(i, k + 1, &id[i][k])->group, 0, NULL);
	CU_ASSERT_NOT_EQUAL(id[0][0], id[0][1]);
	CU_ASSERT_EQUAL(id[0][0], id[1][0]);
	CU_ASSERT_EQUAL(unified.definitions.comms.nr, 3);
	CU_ASSERT_STRING_EQUAL(t_name(t_global(0, 1, &id[0][0])), "unknown");
	CU_ASSERT_STRING_EQUAL(t_name(t_global(0, 2, &id[0][1])), "unknown 2");
	t_free();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"names and events", test_names_and_events},
		{"bridge", test_bridge},
		{"worlds", test_worlds},
		{"one side", test_one_side},
		{"topology", test_topology},
		{"windows", test_windows},
		{"groups", test_groups},
		{"undescribed", test_undescribed},
		CU_TEST_INFO_NULL,
	};

	return t_suite("communicators", NULL, NULL, tests);
}
