/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Uses StarPU in ways that the trace must get right: the arguments name them. What was computed
 * goes to stdout; facts that the trace must agree with go to the file that T_FACTS names. */
#include <pthread.h>
#include <starpu.h>
#include <starpu_profiling.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR    64 /* elements of a vector */
#define PARTS 8

static FILE *facts;
static _Atomic uint64_t nr_calls; /* of functions of codelets, by workers */

static void spin(double us)
{
	const double begin = starpu_timing_now();

	while (starpu_timing_now() - begin < us)
		;
}

static void add(void *buffers[], void *argument)
{
	int *values = (int *)STARPU_VECTOR_GET_PTR(buffers[0]);

	(void)argument;
	for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
		values[i] += 1;
	spin(20);
	nr_calls++;
}

static void sum(void *buffers[], void *argument)
{
	const int *values = (const int *)STARPU_VECTOR_GET_PTR(buffers[0]);
	int *total = (int *)STARPU_VARIABLE_GET_PTR(buffers[1]);

	(void)argument;
	for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
		*total += values[i];
	nr_calls++;
}

static void nothing(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	nr_calls++;
}

static void zero(void *buffers[], void *argument)
{
	(void)argument;
	*(int *)STARPU_VARIABLE_GET_PTR(buffers[0]) = 0;
}

static void merge(void *buffers[], void *argument)
{
	(void)argument;
	*(int *)STARPU_VARIABLE_GET_PTR(buffers[0]) += *(int *)STARPU_VARIABLE_GET_PTR(buffers[1]);
}

static struct starpu_codelet add_codelet = {
	.cpu_funcs = {add}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "add"};
static struct starpu_codelet sum_codelet = {
	.cpu_funcs = {sum}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .name = "sum"};
static struct starpu_codelet commute_codelet = {.cpu_funcs = {sum},
	.nbuffers = 2,
	.modes = {STARPU_R, STARPU_RW | STARPU_COMMUTE},
	.name = "sum in any order"};
static struct starpu_codelet redux_codelet = {.cpu_funcs = {sum},
	.nbuffers = 2,
	.modes = {STARPU_R, STARPU_REDUX},
	.name = "partial sum"};
static struct starpu_codelet zero_codelet = {
	.cpu_funcs = {zero}, .nbuffers = 1, .modes = {STARPU_W}, .name = "zero"};
static struct starpu_codelet merge_codelet = {
	.cpu_funcs = {merge}, .nbuffers = 2, .modes = {STARPU_RW, STARPU_R}, .name = "merge"};
static struct starpu_codelet nothing_codelet = {.cpu_funcs = {nothing}, .name = "nothing"};
static struct starpu_codelet unnamed_codelet = {.cpu_funcs = {nothing}};

static void fact(const char *name, uint64_t value)
{
	if (facts)
		fprintf(facts, "%s %llu\n", name, (unsigned long long)value);
}

static void submit(struct starpu_task *task)
{
	if (starpu_task_submit(task) != 0)
		exit(2);
}

static struct starpu_task *task_of(struct starpu_codelet *codelet)
{
	struct starpu_task *task = starpu_task_create();

	task->cl = codelet;
	return task;
}

/* ------------------------------------------------------------------------------- programs --- */

static void data_in_parts(void)
{
	struct starpu_data_filter halves = {
		.filter_func = starpu_vector_filter_block, .nchildren = PARTS};
	starpu_data_handle_t whole, total;
	int vector[NR] = {0}, result = 0;

	starpu_vector_data_register(
		&whole, STARPU_MAIN_RAM, (uintptr_t)vector, NR, sizeof(vector[0]));
	starpu_variable_data_register(&total, STARPU_MAIN_RAM, (uintptr_t)&result, sizeof(result));
	starpu_data_set_name(whole, "vector");
	starpu_data_set_coordinates(whole, 2, 3, 4);
	starpu_data_partition(whole, &halves);
	for (unsigned long k = 0; k < 10; k++) {
		starpu_iteration_push(k);
		for (int i = 0; i < PARTS; i++) {
			starpu_iteration_push((unsigned long)i);
			if (starpu_task_insert(&add_codelet, STARPU_RW,
				    starpu_data_get_sub_data(whole, 1, i), STARPU_PRIORITY, i - 3,
				    STARPU_FLOPS, 1e3 * i, 0) != 0)
				exit(2);
			starpu_iteration_pop();
		}
		starpu_iteration_pop();
	}
	for (int i = 0; i < PARTS; i++)
		starpu_task_insert(&sum_codelet, STARPU_R, starpu_data_get_sub_data(whole, 1, i),
			STARPU_RW, total, 0);
	starpu_task_wait_for_all();
	starpu_data_unpartition(whole, STARPU_MAIN_RAM);
	starpu_task_insert(&sum_codelet, STARPU_R, whole, STARPU_RW, total, 0);
	starpu_data_unregister(whole);
	starpu_data_unregister(total);
	printf("data: %d\n", result);
	fact("type add", 10 * PARTS);
	fact("type sum", PARTS + 1);
	fact("handles", 2 + PARTS);
}

static void many_readers(void)
{
	starpu_data_handle_t vectors[4], total;
	int values[4][NR] = {{0}}, result = 0;

	starpu_variable_data_register(&total, STARPU_MAIN_RAM, (uintptr_t)&result, sizeof(result));
	starpu_data_set_reduction_methods(total, &merge_codelet, &zero_codelet);
	for (int i = 0; i < 4; i++)
		starpu_vector_data_register(&vectors[i], STARPU_MAIN_RAM, (uintptr_t)values[i], NR,
			sizeof(values[i][0]));
	for (int k = 0; k < 20; k++) {
		for (int i = 0; i < 4; i++)
			starpu_task_insert(&add_codelet, STARPU_RW, vectors[i], 0);
		for (int i = 0; i < 4; i++)
			starpu_task_insert(&commute_codelet, STARPU_R, vectors[i],
				STARPU_RW | STARPU_COMMUTE, total, 0);
		for (int i = 0; i < 4; i++)
			starpu_task_insert(
				&redux_codelet, STARPU_R, vectors[i], STARPU_REDUX, total, 0);
		starpu_task_insert(&sum_codelet, STARPU_R, vectors[0], STARPU_RW, total, 0);
	}
	starpu_data_acquire(total, STARPU_R);
	printf("readers: %d\n", result);
	starpu_data_release(total);
	for (int i = 0; i < 4; i++)
		starpu_data_unregister(vectors[i]);
	starpu_data_unregister(total);
	fact("type add", 80);
	fact("type sum", 20);
	fact("type sum in any order", 80);
	fact("type partial sum", 80);
}

/* A tree from below, whose tags are declared before any task is there, and a chain by tasks. */
static void tags_and_dependences(void)
{
	struct starpu_task *tasks[16];

	for (starpu_tag_t i = 2; i < 16; i += 2)
		starpu_tag_declare_deps(i / 2, 2, i, i + 1);
	for (starpu_tag_t i = 1; i < 16; i++) {
		struct starpu_task *task = task_of(&nothing_codelet);

		task->use_tag = 1;
		task->tag_id = i;
		submit(task);
	}
	starpu_tag_wait(1);
	for (int i = 0; i < 16; i++)
		tasks[i] = task_of(&unnamed_codelet);
	for (int i = 15; i > 0; i--)
		starpu_task_declare_deps_array(tasks[i], 1, &tasks[i - 1]);
	for (int i = 15; i >= 0; i--)
		submit(tasks[i]);
	starpu_task_wait_for_all();
	puts("tags: 31");
	fact("dependences", 14 + 15);
	fact("type nothing", 15 + 16);
}

static struct starpu_task again; /* in the same place each time */

static void same_task_again(void)
{
	for (int i = 0; i < 50; i++) {
		starpu_task_init(&again);
		again.cl = &nothing_codelet;
		again.detach = 0;
		submit(&again);
		if (starpu_task_wait(&again) != 0)
			exit(2);
		starpu_task_clean(&again);
	}
	puts("again: 50");
	fact("type nothing", 50);
}

static _Atomic int nr_rounds;

static void round_over(void *argument)
{
	struct starpu_task *task = argument;

	if (++nr_rounds == 25)
		task->regenerate = 0;
}

/* It submits itself. */
static void regenerated_task(void)
{
	struct starpu_task *task = task_of(&nothing_codelet);

	nr_rounds = 0;
	task->destroy = 0;
	task->regenerate = 1;
	task->callback_func = round_over;
	task->callback_arg = task;
	submit(task);
	starpu_task_wait_for_all();
	starpu_task_destroy(task);
	puts("regenerated: 25");
	fact("type nothing", 25);
}

static void synchronous_tasks(void)
{
	for (int i = 0; i < 20; i++) {
		struct starpu_task *task = task_of(&nothing_codelet);

		task->synchronous = 1;
		submit(task);
	}
	puts("synchronous: 20");
	fact("type nothing", 20);
}

static void callback_submits(void *argument)
{
	(void)argument;
	submit(task_of(&nothing_codelet));
}

static void submit_more(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	for (int i = 0; i < 5; i++)
		submit(task_of(&nothing_codelet));
	nr_calls++;
}

static struct starpu_codelet parent_codelet = {.cpu_funcs = {submit_more}, .name = "parent"};

static void tasks_of_tasks(void)
{
	for (int i = 0; i < 10; i++) {
		struct starpu_task *task = task_of(&parent_codelet);

		task->callback_func = callback_submits;
		submit(task);
	}
	starpu_task_wait_for_all();
	puts("tasks of tasks: 70");
	fact("type parent", 10);
	fact("type nothing", 60);
	fact("children", 50);
}

/* Tasks without a codelet, which nobody executes. */
static void empty_tasks(void)
{
	struct starpu_task *end = starpu_task_create(), *begin[10];

	for (int i = 0; i < 10; i++)
		begin[i] = task_of(&nothing_codelet);
	starpu_task_declare_deps_array(end, 10, begin);
	end->destroy = 0;
	end->detach = 0;
	for (int i = 0; i < 10; i++)
		submit(begin[i]);
	submit(end);
	if (starpu_task_wait(end) != 0)
		exit(2);
	starpu_task_destroy(end);
	puts("empty: 11");
	fact("type nothing", 10);
}

static void *submit_many(void *argument)
{
	for (int i = 0; i < 500; i++)
		submit(task_of(&nothing_codelet));
	return argument;
}

static void several_threads(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, submit_many, NULL);
	submit_many(NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	starpu_task_wait_for_all();
	puts("threads: 2000");
	fact("type nothing", 2000);
}

static void paused(void)
{
	starpu_pause();
	for (int i = 0; i < 10; i++)
		submit(task_of(&nothing_codelet));
	starpu_resume();
	starpu_task_wait_for_all();
	puts("paused: 10");
	fact("type nothing", 10);
}

/* Tasks that nobody can execute. */
static void refused(void)
{
	static struct starpu_codelet codelet = {.where = STARPU_CUDA, .name = "for no worker"};
	struct starpu_task *task = task_of(&codelet);

	codelet.cuda_funcs[0] = nothing;
	task->destroy = 0;
	printf("refused: %d\n", starpu_task_submit(task));
	starpu_task_destroy(task);
}

/* Times that StarPU has itself, of tasks with tags. */
static void profiled(void)
{
	struct starpu_task *tasks[200];

	starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
	for (int i = 0; i < 200; i++) {
		static int value;
		static starpu_data_handle_t handle;

		if (i == 0)
			starpu_vector_data_register(
				&handle, STARPU_MAIN_RAM, (uintptr_t)&value, 1, sizeof(value));
		tasks[i] = task_of(&add_codelet);
		tasks[i]->handles[0] = handle;
		tasks[i]->destroy = 0;
		tasks[i]->use_tag = 1;
		tasks[i]->tag_id = 1000 + (starpu_tag_t)i;
		submit(tasks[i]);
		if (i == 199)
			starpu_data_unregister(handle);
	}
	starpu_task_wait_for_all();
	for (int i = 0; i < 200; i++) {
		const struct starpu_profiling_task_info *info = tasks[i]->profiling_info;

		if (facts)
			fprintf(facts, "times %d %.3f %.3f\n", 1000 + i,
				starpu_timing_timespec_to_us(
					(struct timespec *)(uintptr_t)&info->start_time),
				starpu_timing_timespec_to_us(
					(struct timespec *)(uintptr_t)&info->end_time));
		starpu_task_destroy(tasks[i]);
	}
	puts("profiled: 200");
	fact("type add", 200);
}

static const struct {
	const char *name;
	void (*run)(void);
} programs[] = {
	{"data", data_in_parts},
	{"readers", many_readers},
	{"tags", tags_and_dependences},
	{"again", same_task_again},
	{"regenerated", regenerated_task},
	{"synchronous", synchronous_tasks},
	{"nested", tasks_of_tasks},
	{"empty", empty_tasks},
	{"threads", several_threads},
	{"paused", paused},
	{"refused", refused},
	{"profiled", profiled},
};

static void run(const char *name)
{
	int nr_executed = 0;

	if (starpu_init(NULL) != 0)
		exit(77);
	starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
	for (unsigned i = 0; i < starpu_worker_get_count(); i++)
		starpu_profiling_worker_get_info((int)i, NULL);
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (strcmp(programs[i].name, name) == 0)
			programs[i].run();
	for (unsigned i = 0; i < starpu_worker_get_count(); i++) {
		struct starpu_profiling_worker_info info;

		starpu_profiling_worker_get_info((int)i, &info);
		nr_executed += info.executed_tasks;
	}
	fact("executed", (uint64_t)nr_executed);
	fact("workers", starpu_worker_get_count());
	starpu_shutdown();
}

/* Each with a StarPU of its own. */
int main(int nr, char **names)
{
	facts = getenv("T_FACTS") ? fopen(getenv("T_FACTS"), "w") : NULL;
	for (int i = 1; i < nr; i++)
		run(names[i]);
	fact("calls", nr_calls);
	if (facts)
		fclose(facts);
	return 3;
}
