/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: of 1,000 random programs, dependences reach what they do by definition, and critical
 * paths and chains are those found by trying; any number of threads makes the same */
#include "config.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../t_suite.h"
#include "t_model.h"

#define NR_PROGRAMS 1000
#define BIT(task)   (UINT64_C(1) << (task))
#define LEVELS      100

/* Between tasks of the model and of the product. */
static uint32_t indices[T_MOST_TASKS], models[4 * T_MOST_TASKS];

static void find_indices(void)
{
	CU_ASSERT_FATAL(t_tasks.nr_tasks < sizeof(models) / sizeof(*models));
	CU_ASSERT_EQUAL(t_tasks.nr_created, t_nr_model);
	CU_ASSERT_EQUAL(t_tasks.nr_tasks, t_nr_model + t_tasks.nr_joins);
	for (size_t i = 0; i < t_tasks.nr_tasks; i++)
		models[i] = T_MOST_TASKS;
	for (uint32_t i = 0; i < t_nr_model; i++) {
		indices[i] = t_task(t_model[i].process ? T_TEAM1 : T_TEAM, t_model[i].number);
		models[indices[i]] = i;
	}
}

static void check_reach(void)
{
	static uint64_t reach[4 * T_MOST_TASKS];

	for (size_t i = 0; i < t_tasks.nr_tasks; i++) {
		const uint32_t task = t_tasks.order ? t_tasks.order[i] : (uint32_t)i;

		reach[task] = 0;
		for (uint64_t e = t_tasks.first_edges[task]; e < t_tasks.first_edges[task + 1];
			e++) {
			const uint32_t before = t_tasks.edges[e].task;

			reach[task] |= reach[before];
			if (models[before] != T_MOST_TASKS)
				reach[task] |= BIT(models[before]);
		}
	}
	for (uint32_t i = 0; i < t_nr_model; i++)
		CU_ASSERT_EQUAL(reach[indices[i]], t_model[i].reach);
}

/* What is said is declared, and nothing else. */
static void check_flags(void)
{
	for (uint32_t i = 0; i < t_nr_model; i++)
		for (uint32_t j = 0; j < i; j++) {
			const struct measure_task_edge *edge = t_edge(indices[i], indices[j]);

			CU_ASSERT_EQUAL(
				edge && edge->is_declared, !!(t_model[i].declared & BIT(j)));
			if (edge)
				CU_ASSERT_TRUE((t_model[i].direct & BIT(j)) != 0);
		}
	CU_ASSERT_EQUAL(t_tasks.troubles.nr_cyclic, 0);
	CU_ASSERT_EQUAL(t_tasks.troubles.nr_unmatched, 0);
}

/* Of its length, and each task of it has to wait for the one before. */
static void check_path(enum measure_task_durations durations, bool has_messages)
{
	const struct measure_tasks_path_options options = {durations, has_messages, MEASURE_NONE};
	struct measure_tasks_path path;
	uint64_t sum = 0, messages = 0;

	measure_tasks_critical_path(&t_tasks, &options, &path);
	CU_ASSERT_EQUAL(path.length, t_model_path(durations, has_messages));
	for (size_t i = 0; i < path.nr_tasks; i++) {
		const uint32_t task = models[path.tasks[i]];

		sum += t_model_duration(task, durations);
		if (i == 0)
			continue;
		CU_ASSERT_TRUE((t_model[task].reach & BIT(models[path.tasks[i - 1]])) != 0);
		if (has_messages && t_model[task].exchange == MEASURE_TASK_RECEIVES &&
			t_model[task].partner == models[path.tasks[i - 1]])
			messages += t_model_message(t_model[task].partner, task);
	}
	CU_ASSERT_EQUAL(sum + messages, path.length);
	CU_ASSERT_EQUAL(messages, path.messages);
	measure_tasks_path_free(&path);
}

static void check_chains(void)
{
	uint32_t chain[LEVELS + 1];

	for (uint32_t i = 0; i < t_nr_model; i++) {
		const size_t levels = t_random(LEVELS);
		const size_t nr = measure_tasks_chain(&t_tasks, indices[i], levels, chain);
		uint32_t task = i;
		size_t n = 0;

		for (; task != T_MOST_TASKS && n <= levels; n++) {
			if (n < nr)
				CU_ASSERT_EQUAL(t_model[models[chain[n]]].end, t_model[task].end);
			task = t_model_last_before(
				n < nr ? models[chain[n]] : task); /* of several that ended then */
		}
		CU_ASSERT_EQUAL(n, nr);
	}
}

static void test_programs(void)
{
	uint64_t nr_joins = 0, nr_hops = 0;

	for (uint64_t seed = 1; seed <= NR_PROGRAMS; seed++) {
		t_model_make(seed);
		CU_ASSERT_EQUAL(t_read_with(1 + seed % 3, false), MEASURE_OK);
		find_indices();
		check_reach();
		check_flags();
		for (int i = 0; i < 4; i++)
			check_path((enum measure_task_durations)(i & 1), i >> 1);
		check_chains();
		nr_joins += t_tasks.nr_joins;
		nr_hops += t_tasks.nr_hops;
		t_end();
	}
	CU_ASSERT_TRUE(nr_joins > 100 && nr_hops > 1000); /* there were some */
}

/* ------------------------------------------------------------------------ threads --- */

#define T_SAME(array, nr)                                                                          \
	CU_ASSERT_TRUE((nr) == 0 ||                                                                \
		       memcmp(before.array, t_tasks.array, (nr) * sizeof(*before.array)) == 0)

/* By their fields: between them there are bytes that nobody sets. */
static bool are_same_workers(
	const struct measure_worker *some, const struct measure_worker *others, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct measure_worker *a = &some[i], *b = &others[i];

		if (a->location != b->location || a->class != b->class || a->process != b->process ||
			a->host != b->host || a->number != b->number ||
			a->memory_node != b->memory_node || a->core != b->core ||
			a->first != b->first || a->last != b->last)
			return false;
	}
	return true;
}

/* Data and names point into the trace, which is another one. */
static void test_threads(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct measure_tasks before;

		t_model_make(seed);
		t_read();
		before = t_tasks;
		t_tasks = (struct measure_tasks){.nr_tasks = 0};
		for (unsigned threads = 2; threads <= 5; threads++) {
			CU_ASSERT_EQUAL(t_read_with(threads, false), MEASURE_OK);
			CU_ASSERT_EQUAL_FATAL(before.nr_tasks, t_tasks.nr_tasks);
			T_SAME(tasks, before.nr_tasks);
			T_SAME(first_edges, before.nr_tasks + 1);
			T_SAME(edges, before.first_edges[before.nr_tasks]);
			T_SAME(first_accesses, before.nr_tasks + 1);
			T_SAME(accesses, before.first_accesses[before.nr_tasks]);
			CU_ASSERT_EQUAL_FATAL(before.nr_workers, t_tasks.nr_workers);
			CU_ASSERT_TRUE(are_same_workers(
				before.workers, t_tasks.workers, before.nr_workers));
			T_SAME(hops, before.nr_hops);
			CU_ASSERT_EQUAL(!before.order, !t_tasks.order);
			if (before.order)
				T_SAME(order, before.nr_tasks);
		}
		measure_tasks_free(&before);
		t_end();
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"programs", test_programs},
		{"any number of threads", test_threads},
		CU_TEST_INFO_NULL,
	};

	return t_suite("tasks_random", NULL, NULL, tests);
}
