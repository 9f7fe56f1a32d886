/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: panels, bounds and expectations of a few tasks, worked out by hand */
#include "config.h"

#include <math.h>
#include <string.h>

#include "../t_suite.h"
#include "analysis/task_panels/data_states.h"
#include "analysis/task_panels/task_panels.h"
#include "analysis/task_panels/task_summary.h"

#define NONE        MEASURE_TASK_NO_TIME
#define SIZE(array) (sizeof(array) / sizeof(*(array)))

/* One process, two CPUs with memory node 0 and a GPU with memory node 1; 10^6 ticks are a second.
 *
 *	CPU 0	gemm 100-200, and trsm 120-140 in it	gemm 220-320
 *	CPU 1	gemm 100-180	trsm 180-260
 *	GPU	gemm 100-120	gemm 120-140	gemm 300-340
 *
 * and a send 150-250, ready at 150, of 1000 bytes. */
enum { A, INNER, B, C, D, E, F, G, SEND, NR_TASKS };
enum { GEMM, TRSM, NR_TYPES };

static struct measure_task tasks_array[] = {
	[A] = {50, 60, 100, 200, 80, GEMM, 0, MEASURE_NONE, 0, 0, 0, 1, 0},
	[INNER] = {50, 60, 120, 140, 20, TRSM, 0, MEASURE_NONE, 0, 0, 0, 2, 0},
	[B] = {50, 200, 220, 320, 100, GEMM, 0, MEASURE_NONE, 0, 0, 0, 3, 1},
	[C] = {60, 60, 100, 180, 80, GEMM, 1, MEASURE_NONE, 0, 0, 0, 4, 0},
	[D] = {60, 180, 180, 260, 80, TRSM, 1, MEASURE_NONE, 0, 0, 0, 5, 1},
	[E] = {60, 60, 100, 120, 20, GEMM, 2, MEASURE_NONE, 0, 0, 0, 6, 0},
	[F] = {60, 60, 120, 140, 20, GEMM, 2, MEASURE_NONE, 0, 0, 0, 7, 1},
	[G] = {60, 290, 300, 340, 40, GEMM, 2, MEASURE_NONE, 0, 0, 0, 8, 2},
	[SEND] = {70, 150, NONE, 250, 0, MEASURE_NONE, MEASURE_NONE, MEASURE_NONE, 0, 0, 0, 9,
		MEASURE_NONE}};
static double flops[NR_TASKS] = {[A] = 8e6, [B] = 4e6, [E] = 2e6};
static uint32_t partners[NR_TASKS] = {[SEND] = MEASURE_TASK_SENDS};
static uint64_t first_edges[NR_TASKS + 1];

/* x is at home in node 0; it is read on the GPU by E, which gets it by a transfer, and written
 * there by G. y is unknown up to B, which writes it. */
static struct measure_task_data data_array[] = {
	{.handle = 1, .is_registered = true, .name = "x", .bytes = 1000, .from = 10, .until = 400},
	{.handle = 2, .bytes = 500, .home = MEASURE_NONE, .from = NONE, .until = NONE}};
static struct measure_task_access accesses[] = {{1, MEASURE_TASK_ACCESS_W},
	{0, MEASURE_TASK_ACCESS_R}, {0, MEASURE_TASK_ACCESS_RW}, {0, MEASURE_TASK_ACCESS_R}};
static uint64_t first_accesses[NR_TASKS + 1] = {
	[A] = 0, [INNER] = 0, [B] = 0, [C] = 1, [D] = 1, [E] = 1, [F] = 2, [G] = 2, [SEND] = 3, 4};
static struct measure_task_transfer transfers[] = {
	{.start = 80, .end = 100, .bytes = 1000, .data = 0, .from = 0, .to = 1}};
static struct measure_worker_interval intervals[] = {
	{.start = 200, .end = 220, .location = 1, .worker = 0, .state = MEASURE_WORKER_IDLE},
	{.start = 260, .end = 340, .location = 2, .worker = 1, .state = MEASURE_WORKER_SLEEPING},
	{.start = 50,
		.end = 130,
		.location = 0,
		.worker = MEASURE_NONE,
		.state = MEASURE_WORKER_SUBMITTING}};

static struct measure_task_type types[] = {
	{.name = "gemm", .is_application = true, .nr_tasks = 6, .nr_executed = 6, .executed = 340},
	{.name = "trsm", .is_application = true, .nr_tasks = 2, .nr_executed = 2, .executed = 100}};
static struct measure_worker_class classes[] = {{"CPU", 2}, {"GPU", 1}};
static struct measure_worker workers[] = {{.location = 1, .class = 0, .memory_node = 0},
	{.location = 2, .class = 0, .memory_node = 0},
	{.location = 3, .class = 1, .memory_node = 1}};

static char texts[][8] = {"rank 0", "main", "CPU 0", "CPU 1", "GPU"};
static char *strings[] = {texts[0], texts[1], texts[2], texts[3], texts[4]};
static struct measure_location_group groups[] = {{.name = 0}};
static struct measure_location_definition locations[] = {
	{.name = 1}, {.name = 2}, {.name = 3}, {.name = 4}};
static struct measure_trace trace = {.definitions = {.strings = strings,
					     .nr_strings = SIZE(strings),
					     .location_groups = groups,
					     .nr_location_groups = 1,
					     .locations = locations,
					     .nr_locations = SIZE(locations),
					     .clock = {.resolution = 1000000}}};
static struct measure_tasks tasks = {.length = 400,
	.tasks = tasks_array,
	.nr_tasks = NR_TASKS,
	.nr_created = NR_TASKS,
	.flops = flops,
	.partners = partners,
	.first_edges = first_edges,
	.accesses = accesses,
	.first_accesses = first_accesses,
	.types = types,
	.nr_types = NR_TYPES,
	.classes = classes,
	.nr_classes = 2,
	.workers = workers,
	.nr_workers = 3,
	.data = data_array,
	.nr_data = 2,
	.transfers = transfers,
	.nr_transfers = 1,
	.intervals = intervals,
	.nr_intervals = SIZE(intervals)};
static struct measure_task_view view;

static int set_up(void)
{
	measure_task_view_make(&view, &trace, &tasks);
	return 0;
}

static int clear_up(void)
{
	measure_task_view_free(&view);
	return 0;
}

/* From 100 to 340 in slices of 100: the last one is 40 ticks long. */
static struct measure_task_panel panel_of(enum measure_task_panel_id id)
{
	const struct measure_task_panel_options options = {
		.step = 100, .process = MEASURE_NONE, .type = MEASURE_NONE};
	struct measure_task_panel panel;

	measure_task_panel_make(&view, id, &options, &panel);
	return panel;
}

static bool is_near(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * (1 + fabs(a));
}

/* All values, group by group. */
static void check_values(
	enum measure_task_panel_id id, size_t nr_groups, size_t nr_columns, const double *expected)
{
	struct measure_task_panel panel = panel_of(id);

	CU_ASSERT_EQUAL(panel.nr_groups, nr_groups);
	CU_ASSERT_EQUAL(panel.nr_columns, nr_columns);
	for (size_t i = 0; panel.values && panel.nr_groups == nr_groups &&
			   panel.nr_columns == nr_columns && i < nr_groups * nr_columns;
		i++)
		if (!is_near(expected[i], panel.values[i])) {
			CU_FAIL("value");
			printf("%s, value %zu: %.17g instead of %.17g\n",
				measure_task_panel_infos[id].id, i, panel.values[i], expected[i]);
		}
	measure_task_panel_free(&panel);
}

static void check_boxes(
	enum measure_task_panel_id id, size_t nr, const struct measure_task_box *expected)
{
	struct measure_task_panel panel = panel_of(id);

	CU_ASSERT_EQUAL_FATAL(panel.nr_boxes, nr);
	for (size_t i = 0; i < nr; i++) {
		CU_ASSERT_EQUAL(panel.boxes[i].start, expected[i].start);
		CU_ASSERT_EQUAL(panel.boxes[i].end, expected[i].end);
		CU_ASSERT_EQUAL(panel.boxes[i].group, expected[i].group);
		CU_ASSERT_EQUAL(panel.boxes[i].what, expected[i].what);
		CU_ASSERT_EQUAL(panel.boxes[i].task, expected[i].task);
	}
	measure_task_panel_free(&panel);
}

static void test_view(void)
{
	CU_ASSERT_EQUAL(view.zero, 100);
	CU_ASSERT_EQUAL(view.end, 340);
	CU_ASSERT_EQUAL(view.nr_processes, 1);
	CU_ASSERT_EQUAL(measure_task_view_makespan(&view, MEASURE_NONE), 240);
	CU_ASSERT_DOUBLE_EQUAL(view.durations[GEMM * 2].mean, 260.0 / 3, 1e-12);
	CU_ASSERT_EQUAL(view.durations[GEMM * 2 + 1].nr, 3);
	/* 20, 20, 40: quartiles 20 and 30, the fence is 45 */
	CU_ASSERT_DOUBLE_EQUAL(view.durations[GEMM * 2 + 1].fence, 45, 1e-12);
	CU_ASSERT_FALSE(view.is_outlier[G]);
}

static void test_space_and_time(void)
{
	check_boxes(MEASURE_TASK_PANEL_SPACE_TIME, 9,
		(struct measure_task_box[]){{100, 120, 0, GEMM, A}, {120, 140, 0, TRSM, INNER},
			{140, 200, 0, GEMM, A}, {220, 320, 0, GEMM, B}, {100, 180, 1, GEMM, C},
			{180, 260, 1, TRSM, D}, {100, 120, 2, GEMM, E}, {120, 140, 2, GEMM, F},
			{300, 340, 2, GEMM, G}});
	check_values(MEASURE_TASK_PANEL_UTILISATION, 3, 3,
		(double[]){1, 0.8, 0.5, 1, 0.6, 0, 0.4, 0, 1});
	check_values(MEASURE_TASK_PANEL_SPACE_TIME_STATIC, 6, 3,
		(double[]){0.8, 0.8, 0.5, 0.2, 0, 0, 0.8, 0, 0, 0.2, 0.6, 0, 0.4, 0, 1, 0, 0, 0});
	/* means of two CPUs, and of one GPU */
	check_values(MEASURE_TASK_PANEL_SPACE_TIME_NODES, 4, 3,
		(double[]){0.8, 0.4, 0.25, 0.2, 0.3, 0, 0.4, 0, 1, 0, 0, 0});
	check_values(MEASURE_TASK_PANEL_IDLENESS, 3, 1,
		(double[]){100 - 200 / 2.4, 100 - 160 / 2.4, 100 - 80 / 2.4});
	check_boxes(MEASURE_TASK_PANEL_ITERATION, 8,
		(struct measure_task_box[]){{100, 200, 0, GEMM, A}, {100, 180, 0, GEMM, C},
			{100, 120, 0, GEMM, E}, {120, 140, 0, TRSM, INNER}, {120, 140, 1, GEMM, F},
			{180, 260, 1, TRSM, D}, {220, 320, 1, GEMM, B}, {300, 340, 2, GEMM, G}});
}

/* Chunks of what is at most 30 ticks long. */
static void test_merged(void)
{
	const struct measure_task_panel_options options = {
		.step = 100, .process = MEASURE_NONE, .type = MEASURE_NONE, .least_pure = 30};
	struct measure_task_panel panel;

	measure_task_panel_make(&view, MEASURE_TASK_PANEL_SPACE_TIME_DYNAMIC, &options, &panel);
	/* CPU 0: gemm and trsm 100-140, gemm 140-200, 220-320; CPU 1: two; GPU: 100-140 and 300-340
	 */
	CU_ASSERT_EQUAL_FATAL(panel.nr_boxes, 8);
	CU_ASSERT_EQUAL(panel.boxes[0].end, 140);
	CU_ASSERT_EQUAL(panel.boxes[0].task, MEASURE_NONE);
	CU_ASSERT_DOUBLE_EQUAL(panel.boxes[0].share, 0.5, 1e-6);
	CU_ASSERT_EQUAL(panel.boxes[1].what, TRSM);
	CU_ASSERT_EQUAL(panel.boxes[1].start, 100);
	CU_ASSERT_EQUAL(panel.boxes[2].task, A);
	CU_ASSERT_EQUAL(panel.boxes[6].start, 100);
	CU_ASSERT_EQUAL(panel.boxes[6].end, 140);
	CU_ASSERT_EQUAL(panel.boxes[6].task, MEASURE_NONE);
	measure_task_panel_free(&panel);
}

static void test_counts(void)
{
	/* 8 tasks up to 120, 7 to 140, 5 to 180, 4 to 200, 3; 2 from 260, 1 from 320 */
	check_values(MEASURE_TASK_PANEL_SUBMITTED, 1, 3,
		(double[]){(20 * 8 + 20 * 7 + 40 * 5 + 20 * 4) / 100.0, (60 * 3 + 40 * 2) / 100.0,
			(20 * 2 + 20) / 40.0});
	/* INNER and F wait 20 ticks, B from 200 to 220, G from 290 to 300 */
	check_values(MEASURE_TASK_PANEL_READY, 1, 3, (double[]){0.4, 0.3, 0});
	check_values(MEASURE_TASK_PANEL_LACK_OF_READY, 1, 3, (double[]){1, 1, 1});
	/* operations in a tick are 10^6 in a second */
	check_values(MEASURE_TASK_PANEL_GFLOPS, 2, 3, (double[]){80, 32, 20, 20, 0, 0});
	check_values(MEASURE_TASK_PANEL_MPI_BANDWIDTH, 1, 3, (double[]){5, 5, 0});
	check_values(MEASURE_TASK_PANEL_SENDS, 1, 3, (double[]){0.5, 0.5, 0});
	check_values(MEASURE_TASK_PANEL_RECEIVES, 1, 3, (double[]){0, 0, 0});
	/* it was over before the first task */
	check_values(MEASURE_TASK_PANEL_TRANSFER_BANDWIDTH, 1, 3, (double[]){0, 0, 0});
}

static void test_states(void)
{
	struct measure_task_panel panel = panel_of(MEASURE_TASK_PANEL_STATE_SHARES);

	CU_ASSERT_EQUAL(panel.nr_groups, MEASURE_NR_WORKER_STATES);
	CU_ASSERT_DOUBLE_EQUAL(panel.values[MEASURE_WORKER_IDLE * 3 + 1], 0.2 / 3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(panel.values[MEASURE_WORKER_SLEEPING * 3 + 1], 0.4 / 3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(panel.values[MEASURE_WORKER_SLEEPING * 3 + 2], 1 / 3.0, 1e-12);
	measure_task_panel_free(&panel);
	check_boxes(MEASURE_TASK_PANEL_STATES, 2,
		(struct measure_task_box[]){{200, 220, 0, MEASURE_WORKER_IDLE, MEASURE_NONE},
			{260, 340, 1, MEASURE_WORKER_SLEEPING, MEASURE_NONE}});
	check_boxes(MEASURE_TASK_PANEL_OTHER_STATES, 1,
		(struct measure_task_box[]){
			{100, 130, 0, MEASURE_WORKER_SUBMITTING, MEASURE_NONE}});
}

static void test_memory(void)
{
	/* x: home 10-100 alone, both share it from 100 on, the GPU alone from 300; y from 220 on */
	static const struct measure_data_interval expected[] = {{10, 100, 0, 0, MEASURE_DATA_OWNED},
		{100, 300, 0, 0, MEASURE_DATA_SHARED}, {100, 300, 0, 1, MEASURE_DATA_SHARED},
		{300, 400, 0, 1, MEASURE_DATA_OWNED}, {220, 400, 1, 0, MEASURE_DATA_OWNED}};
	struct measure_data_intervals found;

	measure_data_intervals_make(&view, &found);
	CU_ASSERT_EQUAL_FATAL(found.nr_items, SIZE(expected));
	for (size_t i = 0; i < SIZE(expected); i++) {
		CU_ASSERT_EQUAL(found.items[i].start, expected[i].start);
		CU_ASSERT_EQUAL(found.items[i].end, expected[i].end);
		CU_ASSERT_EQUAL(found.items[i].data, expected[i].data);
		CU_ASSERT_EQUAL(found.items[i].node, expected[i].node);
		CU_ASSERT_EQUAL(found.items[i].state, expected[i].state);
	}
	measure_data_intervals_free(&found);
	check_values(MEASURE_TASK_PANEL_USED_MEMORY, 2, 3,
		(double[]){0.001, 0.001 + 0.0004, 0.0005, 0.001, 0.001, 0.001});
}

/* Counts of gemm 6, trsm 2; trsm never on a GPU: 100 ticks of the CPUs. Of gemm n are on CPUs, 260
 * / 3 ticks each, 80 / 3 on the GPU: (100 + n 260 / 3) / 2 = (6 - n) 80 / 3, so that n = 1.5714 and
 * the bound is 118.095. */
static void test_bounds(void)
{
	const double n = (160 - 50) / (130 / 3.0 + 80 / 3.0), bound = (6 - n) * 80 / 3;
	struct measure_task_bounds bounds;

	measure_task_bounds_find(&view, MEASURE_NONE, &bounds);
	CU_ASSERT_EQUAL(bounds.makespan, 240);
	CU_ASSERT_EQUAL(bounds.critical_path, 100); /* no task depends on another one */
	if (isnan(bounds.area))
		return;
	CU_ASSERT_DOUBLE_EQUAL(bounds.area, bound, 1e-6);
	check_values(MEASURE_TASK_PANEL_BOUNDS, 1, 2, (double[]){bound / 1e6, 240e-6});
	check_values(
		MEASURE_TASK_PANEL_SUMMARY, 1, 2, (double[]){bound / 1e6, (240 - bound) / 1e6});
	check_values(MEASURE_TASK_PANEL_BOUND_SHARES, 3, 2, (double[]){3, n, 3, 6 - n, 2, 2});
}

static void test_imbalance(void)
{
	/* utilisations 1, 1, 0.4; 0.8, 0.6, 0; 0.5, 0, 1 */
	const double u[3][3] = {{1, 1, 0.4}, {0.8, 0.6, 0}, {0.5, 0, 1}};
	double expected[5][3];

	for (int i = 0; i < 3; i++) {
		const double mean = (u[i][0] + u[i][1] + u[i][2]) / 3;
		const double most = fmax(u[i][0], fmax(u[i][1], u[i][2]));
		double squares = 0;

		for (int j = 0; j < 3; j++)
			squares += (u[i][j] - mean) * (u[i][j] - mean);
		expected[0][i] = most / mean - 1;
		expected[1][i] = (most - mean) / most * 3 / 2;
		expected[2][i] = most - mean;
		expected[3][i] = sqrt(squares / 2);
		expected[4][i] = mean;
	}
	check_values(MEASURE_TASK_PANEL_IMBALANCE, 5, 3, &expected[0][0]);
	/* powers of gemm: 1 / 90, 1 / 80, 3 / 80 */
	struct measure_task_panel panel = panel_of(MEASURE_TASK_PANEL_POWER_IMBALANCE);
	const double all = 1 / 90.0 + 1 / 80.0 + 3 / 80.0;
	const double used = (1 / 90.0 + 1 / 80.0 + 0.4 * 3 / 80.0) / all;

	CU_ASSERT_EQUAL_FATAL(panel.nr_groups, 5);
	CU_ASSERT_DOUBLE_EQUAL(panel.values[2 * 3], 1 - used, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(panel.values[4 * 3], used, 1e-12);
	/* the first one of those that are used most */
	CU_ASSERT_DOUBLE_EQUAL(panel.values[1 * 3], (1 - used) * all / (all - 1 / 90.0), 1e-12);
	measure_task_panel_free(&panel);
}

static void test_names(void)
{
	CU_ASSERT_EQUAL(measure_task_panel_find("st"), MEASURE_TASK_PANEL_SPACE_TIME);
	CU_ASSERT_EQUAL(measure_task_panel_find("starpu"), MEASURE_TASK_PANEL_STATES);
	CU_ASSERT_EQUAL(measure_task_panel_find("mpiconcurrentout"), MEASURE_TASK_PANEL_RECEIVES);
	CU_ASSERT_EQUAL(measure_task_panel_find("memory.state"), MEASURE_TASK_PANEL_MEMORY_STATES);
	CU_ASSERT_EQUAL(measure_task_panel_find("memory"), MEASURE_TASK_PANEL_MEMORY_STATES);
	CU_ASSERT_EQUAL(measure_task_panel_find("state"), MEASURE_TASK_PANEL_SPACE_TIME);
	CU_ASSERT_EQUAL(measure_task_panel_find("no panel"), MEASURE_NR_TASK_PANELS);
	CU_ASSERT_EQUAL(measure_task_panel_find(""), MEASURE_NR_TASK_PANELS);
	for (int i = 0; i < MEASURE_NR_TASK_PANELS; i++)
		CU_ASSERT_EQUAL((int)measure_task_panel_find(measure_task_panel_infos[i].id), i);
}

static void test_expectations(void)
{
	struct measure_expectation found[MEASURE_NR_EXPECTATIONS];

	measure_expectations_check(&view, found);
	CU_ASSERT_FALSE(found[MEASURE_EXPECT_UNIFORM].is_known); /* fewer than four of each */
	CU_ASSERT_TRUE(found[MEASURE_EXPECT_READY].is_known);
	CU_ASSERT_FALSE(found[MEASURE_EXPECT_READY].is_met);
	/* 100 + 200 + 40 ticks of 240 */
	CU_ASSERT_DOUBLE_EQUAL(found[MEASURE_EXPECT_ITERATIONS].value, 340 / 240.0, 1e-12);
	CU_ASSERT_FALSE(found[MEASURE_EXPECT_ITERATIONS].is_met);
	/* workers are busy for 200, 160 and 80 ticks */
	CU_ASSERT_DOUBLE_EQUAL(found[MEASURE_EXPECT_LOADS].value, 200 / (440 / 3.0) - 1, 1e-12);
	CU_ASSERT_PTR_NOT_NULL(strstr(found[MEASURE_EXPECT_LOADS].text, "CPU 0"));
	CU_ASSERT_FALSE(found[MEASURE_EXPECT_BOUNDS].is_met);
}

/* Nothing to show, nowhere. */
static void test_no_tasks(void)
{
	struct measure_tasks none = {.length = 10, .first_edges = first_edges};
	struct measure_task_view empty;

	measure_task_view_make(&empty, &trace, &none);
	for (int i = 0; i < MEASURE_NR_TASK_PANELS; i++) {
		const struct measure_task_panel_options options = {
			.until = 10, .process = MEASURE_NONE, .type = MEASURE_NONE};
		struct measure_task_panel panel;

		measure_task_panel_make(&empty, (enum measure_task_panel_id)i, &options, &panel);
		CU_ASSERT_EQUAL(panel.nr_boxes, 0);
		measure_task_panel_free(&panel);
	}
	measure_task_view_free(&empty);
}

int main(void)
{
	CU_TestInfo cases[] = {{"view", test_view}, {"space and time", test_space_and_time},
		{"merged", test_merged}, {"counts", test_counts}, {"states", test_states},
		{"memory", test_memory}, {"bounds", test_bounds}, {"imbalance", test_imbalance},
		{"names", test_names}, {"expectations", test_expectations},
		{"no tasks", test_no_tasks}, CU_TEST_INFO_NULL};

	return t_suite("panels of tasks", set_up, clear_up, cases);
}
