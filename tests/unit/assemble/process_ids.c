/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: ids of processes: ranks of a world, spawned worlds, ranks that are missing or
 * taken twice, processes without MPI; who made whom, and who is left out. */
#include "config.h"

#include <string.h>

#include "adapter.h"
#include "assemble/unify/job.h"
#include "../t_suite.h"

#define NO UINT32_MAX

static struct measure_part parts[8];
static size_t nr_parts;
static struct measure_job job;

/* `world` 0: none; `launch` NO: not started by a launcher. */
static const struct measure_part *t_part(const char *name, uint64_t world, uint32_t rank,
	uint32_t size, uint32_t launch)
{
	struct measure_part *part = &parts[nr_parts++];

	part->name = (char *)(uintptr_t)name;
	part->has_world = world != 0;
	part->world = (struct measure_def_world){rank, size, world, 0};
	part->has_launch = launch != NO;
	part->launch = (struct measure_def_launch){"", launch, size, launch, size};
	return part;
}

static void t_make(void)
{
	CU_ASSERT_EQUAL(measure_job_make(parts, nr_parts, &job), MEASURE_OK);
}

static void t_free(void)
{
	measure_job_free(&job);
	memset(parts, 0, sizeof(parts));
	nr_parts = 0;
}

static void t_is(size_t place, uint32_t id, const struct measure_part *part)
{
	CU_ASSERT_FATAL(place < job.processes.nr);
	CU_ASSERT_EQUAL(job.processes.items[place].id, id);
	CU_ASSERT_PTR_EQUAL(job.processes.items[place].part, part);
}

static void test_world(void)
{
	const struct measure_part *two = t_part("b", 1, 2, 3, 2), *zero = t_part("a", 1, 0, 3, 0);

	t_make();
	t_is(0, 0, zero);
	t_is(1, 1, NULL);
	t_is(2, 2, two);
	CU_ASSERT_EQUAL(job.processes.nr, 3);
	CU_ASSERT_EQUAL(job.nr_missing, 1);
	t_free();
}

/* One died before MPI_Init told it its rank: the launcher's rank is its place. */
static void test_died_early(void)
{
	const struct measure_part *early = t_part("a", 0, 0, 2, 0), *other = t_part("b", 1, 1, 2, 1);

	t_make();
	t_is(0, 0, early);
	t_is(1, 1, other);
	CU_ASSERT_EQUAL(job.nr_missing, 0);
	t_free();
}

static void test_spawned(void)
{
	const struct measure_part *child = t_part("c", 9, 0, 1, NO);
	const struct measure_part *one = t_part("b", 1, 1, 2, 1), *zero = t_part("a", 1, 0, 2, 0);

	t_make();
	t_is(0, 0, zero);
	t_is(1, 1, one);
	t_is(2, 2, child);
	CU_ASSERT_EQUAL(job.processes.items[2].world, 1);
	CU_ASSERT_EQUAL(job.processes.items[2].rank, 0);
	t_free();
}

static struct measure_part_comm sided[2];

/* As many children as parents, and their world's key is the smaller one. */
static void test_spawned_are_last(void)
{
	struct measure_part *child = (struct measure_part *)(uintptr_t)t_part("c", 1, 0, 1, NO);
	struct measure_part *parent = (struct measure_part *)(uintptr_t)t_part("a", 9, 0, 1, 0);

	for (int i = 0; i < 2; i++) {
		sided[i] = (struct measure_part_comm){.is_described = true};
		sided[i].def.kind = MEASURE_COMM_INTER;
		sided[i].def.key_high = 77;
		sided[i].def.nr_others = 1;
	}
	sided[0].def.side = MEASURE_SIDE_FIRST;
	sided[1].def.side = MEASURE_SIDE_SECOND;
	parent->comms.items = &sided[0];
	child->comms.items = &sided[1];
	parent->comms.nr = child->comms.nr = 1;
	t_make();
	t_is(0, 0, parent);
	t_is(1, 1, child);
	CU_ASSERT_EQUAL(job.worlds.nr, 2);
	CU_ASSERT_EQUAL(measure_job_find_absent(&job, &sided[0].def), NO);
	t_free();
}

/* Children that were told whose they are, but whose recording is not here. */
static void test_absent(void)
{
	struct measure_part *parent = (struct measure_part *)(uintptr_t)t_part("a", 9, 0, 1, 0);

	sided[0] = (struct measure_part_comm){.is_described = true};
	sided[0].def.kind = MEASURE_COMM_INTER;
	sided[0].def.side = MEASURE_SIDE_FIRST;
	sided[0].def.key_high = 77;
	sided[0].def.nr_others = 3;
	parent->comms.items = sided;
	parent->comms.nr = 1;
	t_make();
	t_is(0, 0, parent);
	t_is(1, 1, NULL);
	t_is(3, 3, NULL);
	CU_ASSERT_EQUAL(job.processes.nr, 4);
	CU_ASSERT_EQUAL(job.nr_missing, 3);
	CU_ASSERT_EQUAL(measure_job_find_absent(&job, &sided[0].def), 1);
	t_free();
}

static void test_taken_twice(void)
{
	const struct measure_part *first = t_part("a", 1, 0, 1, 0), *again = t_part("b", 1, 0, 1, 0);
	const struct measure_part *none = t_part("c", 0, 0, 0, NO);

	t_make();
	t_is(0, 0, first);
	t_is(1, 1, again);
	t_is(2, 2, none);
	CU_ASSERT_EQUAL(job.processes.items[1].world, MEASURE_NO_ID);
	t_free();
}

static void test_without_mpi(void)
{
	const struct measure_part *three = t_part("c", 0, 0, 4, 3), *one = t_part("b", 0, 0, 4, 1);
	const struct measure_part *same = t_part("d", 0, 0, 4, 3);

	t_make();
	t_is(0, 0, one);
	t_is(1, 1, three);
	t_is(2, 2, same);
	CU_ASSERT_EQUAL(job.processes.items[1].rank, 3);
	t_free();
}

/* A part that has recorded nothing and was made by another one. */
static struct measure_part *t_made(const char *name, const char *creator, bool is_step)
{
	struct measure_part *part = &parts[nr_parts];

	t_part(name, 0, 0, 0, NO);
	part->has_process = part->has_end = true;
	part->process.creator = creator;
	part->process.is_step = is_step;
	part->process.begin_ticks = nr_parts;
	part->end.how = MEASURE_END_EXITED;
	return part;
}

/* More than that. */
static struct measure_part *t_full(struct measure_part *part)
{
	static struct measure_part_location location = {.events = {.nr_events = 12, .nr_recorded = 12}};

	part->locations.items = &location;
	part->locations.nr = 1;
	return part;
}

static uint32_t t_creator(size_t place)
{
	return measure_job_creator(&job, &job.processes.items[place]);
}

static void test_made(void)
{
	const struct measure_part *first = t_made("a-1-1.done", "", false);
	const struct measure_part *second = t_made("a-2-2+.done", "a-1-1", false);
	const struct measure_part *third = t_made("a-2-2+2.done", "a-2-2+", false);

	t_made("a-3-3+.done", "a-9-9", false);
	t_make();
	t_is(0, 0, first);
	t_is(2, 2, second);
	t_is(3, 3, third);
	CU_ASSERT_EQUAL(t_creator(0), NO);
	CU_ASSERT_EQUAL(t_creator(1), NO); /* its creator left nothing */
	CU_ASSERT_EQUAL(t_creator(2), 0);
	CU_ASSERT_EQUAL(t_creator(3), 2);
	t_free();
}

static void test_left_out(void)
{
	t_full(t_made("a-1-1.done", "", false));
	t_made("a-2-2+.done", "a-1-1", false)->end.how = MEASURE_END_REPLACED;
	t_made("a-2-2+2.done", "a-2-2+", false)->end.how = MEASURE_END_REPLACED;
	const struct measure_part *last = t_made("a-2-2+3.done", "a-2-2+2", false);

	t_make();
	CU_ASSERT_EQUAL(job.processes.nr, 2);
	t_is(1, 1, last);
	CU_ASSERT_EQUAL(t_creator(1), 0);
	t_free();
}

static void test_steps(void)
{
	t_made("a-1-1.done", "", true);
	t_made("a-2-2+.done", "a-1-1", true);
	const struct measure_part *program = t_made("a-3-3+.done", "a-1-1", true);

	t_make(); /* nobody has anything: those that made nobody stay */
	CU_ASSERT_EQUAL(job.processes.nr, 2);
	measure_job_free(&job);
	t_full(&parts[2]);
	t_make();
	CU_ASSERT_EQUAL(job.processes.nr, 1);
	t_is(0, 0, program);
	CU_ASSERT_EQUAL(t_creator(0), NO);
	t_free();
}

static void test_circle(void)
{
	t_full(t_made("a-1-1.done", "", true));
	t_made("a-2-2+.done", "a-3-3+", true);
	t_made("a-3-3+.done", "a-2-2+", true);
	t_full(t_made("a-4-4+.done", "a-3-3+", true));
	t_make();
	CU_ASSERT_EQUAL(job.processes.nr, 2);
	CU_ASSERT_EQUAL(t_creator(1), NO);
	t_free();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"world", test_world},
		{"died early", test_died_early},
		{"spawned", test_spawned},
		{"spawned are last", test_spawned_are_last},
		{"absent", test_absent},
		{"taken twice", test_taken_twice},
		{"without MPI", test_without_mpi},
		{"made by others", test_made},
		{"became another program", test_left_out},
		{"steps to a program", test_steps},
		{"made by each other", test_circle},
		CU_TEST_INFO_NULL,
	};

	return t_suite("job", NULL, NULL, tests);
}
