/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rarer uses of StarPU, which the arguments name: what was computed goes to stdout, and how many
 * tasks StarPU has executed to the file that T_FACTS names. */
#include <pthread.h>
#include <signal.h>
#include <starpu.h>
#include <starpu_profiling.h>
#include <starpu_sched_ctx.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR 24

static _Atomic int nr_calls;

static void add(void *buffers[], void *argument)
{
	int *values = (int *)STARPU_VECTOR_GET_PTR(buffers[0]);

	(void)argument;
	for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
		values[i]++;
}

static void set(void *buffers[], void *argument)
{
	int *values = (int *)STARPU_VECTOR_GET_PTR(buffers[0]);

	(void)argument;
	for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
		values[i] = (int)i;
}

static void call(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	nr_calls++;
}

static void call_everywhere(void *argument)
{
	(void)argument;
	nr_calls++;
}

static struct starpu_codelet add_codelet = {
	.cpu_funcs = {add}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "add"};
static struct starpu_codelet set_codelet = {
	.cpu_funcs = {set}, .nbuffers = 1, .modes = {STARPU_W}, .name = "set"};
static struct starpu_codelet call_codelet = {.cpu_funcs = {call}, .name = "call"};

static void check(int result)
{
	if (result != 0)
		exit(2);
}

static struct starpu_task *task_of(struct starpu_codelet *codelet, starpu_data_handle_t handle)
{
	struct starpu_task *task = starpu_task_create();

	task->cl = codelet;
	if (handle)
		task->handles[0] = handle;
	return task;
}

static void submit(struct starpu_codelet *codelet, starpu_data_handle_t handle)
{
	check(starpu_task_submit(task_of(codelet, handle)));
}

/* ------------------------------------------------------------------------------ programs --- */

/* Tasks of StarPU's own, at the same addresses again and again. */
static void on_each_worker(void)
{
	unsigned first = 0;

	for (int i = 0; i < 5; i++) {
		starpu_execute_on_each_worker(call_everywhere, NULL, STARPU_CPU);
		starpu_execute_on_specific_workers(
			call_everywhere, NULL, 1, &first, "on one worker");
		submit(&call_codelet, NULL);
	}
	check(starpu_task_wait_for_all());
}

/* More than there can be at once. StarPU takes a context out of its workers' lists without their lock, so that a worker
   that begins a task of another context at that moment crashes: none is left when one is deleted. */
static void contexts(void)
{
	for (int i = 0; i < 2 * STARPU_NMAX_SCHED_CTXS; i++) {
		int worker = i % (int)starpu_worker_get_count();
		unsigned none = 0,
			 context = starpu_sched_ctx_create(&worker, 1, "own",
				 STARPU_SCHED_CTX_POLICY_NAME, i % 3 ? "eager" : "prio", 0);

		starpu_sched_ctx_set_context(&context);
		for (int k = 0; k < 5; k++)
			submit(&call_codelet, NULL);
		check(starpu_task_wait_for_all_in_ctx(context));
		starpu_sched_ctx_set_context(&none);
		starpu_sched_ctx_delete(context);
		submit(&call_codelet, NULL);
		check(starpu_task_wait_for_all());
	}
}

/* Contexts that leave their tasks to their worker. */
static void contexts_without_policy(void)
{
	for (int i = 0; i < 3; i++) {
		int worker = i % (int)starpu_worker_get_count();
		unsigned context = starpu_sched_ctx_create(&worker, 1, "own", 0);

		for (int k = 0; k < 5; k++) {
			struct starpu_task *task = task_of(&call_codelet, NULL);

			task->sched_ctx = context;
			check(starpu_task_submit(task));
		}
		check(starpu_task_wait_for_all_in_ctx(context));
		starpu_sched_ctx_delete(context);
	}
}

static void planned_parts(void)
{
	struct starpu_data_filter thirds = {
		.filter_func = starpu_vector_filter_block, .nchildren = 3};
	starpu_data_handle_t whole, parts[3];
	int values[NR] = {0}, total = 0;

	starpu_vector_data_register(
		&whole, STARPU_MAIN_RAM, (uintptr_t)values, NR, sizeof(values[0]));
	starpu_data_partition_plan(whole, &thirds, parts);
	for (int i = 0; i < 4; i++) {
		submit(&add_codelet, whole);
		starpu_data_partition_submit(whole, 3, parts);
		for (int k = 0; k < 3; k++)
			submit(&add_codelet, parts[k]);
		starpu_data_unpartition_submit(whole, 3, parts, STARPU_MAIN_RAM);
	}
	starpu_data_partition_clean(whole, 3, parts);
	starpu_data_unregister(whole);
	for (int i = 0; i < NR; i++)
		total += values[i];
	printf("%d\n", total);
}

/* Data without a home, whose contents are thrown away. */
static void invalidated(void)
{
	for (int i = 0; i < 10; i++) {
		starpu_data_handle_t data;

		starpu_vector_data_register(&data, -1, 0, NR, sizeof(int));
		submit(&set_codelet, data);
		starpu_data_invalidate_submit(data);
		submit(&set_codelet, data);
		submit(&add_codelet, data);
		starpu_data_unregister_submit(data);
	}
	check(starpu_task_wait_for_all());
}

static void limited(void)
{
	for (int i = 0; i < 200; i++) {
		submit(&call_codelet, NULL);
		check(starpu_task_wait_for_n_submitted(3));
	}
	check(starpu_task_wait_for_all());
}

static struct starpu_codelet together_codelet = {.cpu_funcs = {call},
	.type = STARPU_SPMD,
	.max_parallelism = STARPU_MAXCPUS,
	.name = "together"};

/* By several workers, if the policy has tasks for them. */
static void parallel(void)
{
	for (int i = 0; i < 10; i++)
		submit(&together_codelet, NULL);
	check(starpu_task_wait_for_all());
	nr_calls = 0; /* as many as there were workers */
}

static void unpack(void *buffers[], void *argument)
{
	int first, last;
	char text[8];

	(void)buffers;
	starpu_codelet_unpack_args(argument, &first, text, &last);
	nr_calls += first + last + (int)strlen(text);
}

#define MANY (2 * STARPU_NMAXBUFS)

static void arguments(void)
{
	static struct starpu_codelet unpack_codelet = {
		.cpu_funcs = {unpack}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .name = "unpack"};
	starpu_data_handle_t data[MANY];
	struct starpu_data_descr accesses[MANY];
	int values[MANY], first = 1, last = 2;
	char text[8] = "four";

	for (int i = 0; i < MANY; i++) {
		starpu_variable_data_register(
			&data[i], STARPU_MAIN_RAM, (uintptr_t)&values[i], sizeof(values[i]));
		accesses[i] = (struct starpu_data_descr){data[i], i % 2 ? STARPU_R : STARPU_RW};
	}
	for (int i = 0; i < 20; i++)
		check(starpu_task_insert(&unpack_codelet, STARPU_VALUE, &first, sizeof(first),
			STARPU_VALUE, text, sizeof(text), STARPU_VALUE, &last, sizeof(last),
			STARPU_DATA_MODE_ARRAY, accesses, MANY, STARPU_PRIORITY, i % 3,
			STARPU_FLOPS, 1e3, STARPU_NAME, "a name of its own", 0));
	for (int i = 0; i < MANY; i++)
		starpu_data_unregister(data[i]);
}

static void bundled(void)
{
	starpu_task_bundle_t bundle;

	starpu_task_bundle_create(&bundle);
	for (int i = 0; i < 10; i++) {
		struct starpu_task *task = task_of(&call_codelet, NULL);

		check(starpu_task_bundle_insert(bundle, task));
		check(starpu_task_submit(task));
	}
	starpu_task_bundle_close(bundle);
	check(starpu_task_wait_for_all());
}

/* A task that is over when others are, and ones on the stack. */
static void late_ends(void)
{
	struct starpu_task last, *first = task_of(&call_codelet, NULL);

	starpu_task_init(&last);
	last.cl = &call_codelet;
	last.detach = 0;
	last.destroy = 0;
	starpu_task_declare_deps(&last, 1, first);
	starpu_task_end_dep_add(first, 2);
	check(starpu_task_submit(&last));
	check(starpu_task_submit(first));
	starpu_task_end_dep_release(first);
	starpu_task_end_dep_release(first);
	check(starpu_task_wait(&last));
	starpu_task_clean(&last);
}

static void acquired(void *argument)
{
	submit(&call_codelet, NULL);
	starpu_data_release(*(starpu_data_handle_t *)argument);
}

static void acquired_by_callback(void)
{
	starpu_data_handle_t data;
	int values[NR] = {0};

	starpu_vector_data_register(
		&data, STARPU_MAIN_RAM, (uintptr_t)values, NR, sizeof(values[0]));
	for (int i = 0; i < 10; i++) {
		submit(&add_codelet, data);
		check(starpu_data_acquire_cb(data, STARPU_RW, acquired, &data));
	}
	check(starpu_task_wait_for_all());
	starpu_data_unregister(data);
	printf("%d\n", values[NR - 1]);
}

/* A tag without a task. */
static void notified(void)
{
	for (int i = 0; i < 10; i++) {
		struct starpu_task *task = task_of(&call_codelet, NULL);

		starpu_tag_declare_deps((starpu_tag_t)1, 1, (starpu_tag_t)2);
		task->use_tag = 1;
		task->tag_id = 1;
		check(starpu_task_submit(task));
		starpu_tag_notify_from_apps((starpu_tag_t)2);
		check(starpu_tag_wait((starpu_tag_t)1));
		starpu_tag_remove((starpu_tag_t)1);
		starpu_tag_remove((starpu_tag_t)2);
	}
}

static void *submit_all(void *argument)
{
	for (int i = 0; i < 50; i++)
		submit(&call_codelet, NULL);
	return argument;
}

static void forks(void)
{
	pthread_t thread;

	check(pthread_create(&thread, NULL, submit_all, NULL));
	for (int i = 0; i < 4; i++) {
		const pid_t child = fork();
		int status;

		if (child == 0 && i % 2)
			_exit(3);
		if (child == 0)
			execl("/bin/sh", "sh", "-c", "exit 4", (char *)NULL);
		if (child < 0 || waitpid(child, &status, 0) != child)
			exit(2);
		printf("%d\n", WEXITSTATUS(status));
	}
	pthread_join(thread, NULL);
	check(starpu_task_wait_for_all());
}

static const struct {
	const char *name;
	void (*run)(void);
} programs[] = {
	{"each", on_each_worker},
	{"contexts", contexts},
	{"policyless", contexts_without_policy},
	{"planned", planned_parts},
	{"invalidated", invalidated},
	{"limited", limited},
	{"parallel", parallel},
	{"arguments", arguments},
	{"bundled", bundled},
	{"late", late_ends},
	{"acquired", acquired_by_callback},
	{"notified", notified},
	{"forks", forks},
};

/* ------------------------------------------------------------------------------ StarPU --- */

static void *begin(void *argument)
{
	if (starpu_init(NULL) != 0)
		exit(77);
	starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
	return argument;
}

static void write_executed(void)
{
	FILE *facts = getenv("T_FACTS") ? fopen(getenv("T_FACTS"), "a") : NULL;
	int nr_executed = 0;

	for (unsigned i = 0; i < starpu_worker_get_count(); i++) {
		struct starpu_profiling_worker_info info;

		starpu_profiling_worker_get_info((int)i, &info);
		nr_executed += info.executed_tasks;
	}
	if (facts) {
		fprintf(facts, "executed %d\n", nr_executed);
		fclose(facts);
	}
}

/* The names of programs; "thread" before them: a thread starts StarPU, "exit" behind them: it is
 * never shut down, "kill": nor can anything else be done at the end. */
int main(int nr, char **names)
{
	const bool is_in_thread = nr > 1 && strcmp(names[1], "thread") == 0;
	const bool is_left = nr > 1 && strcmp(names[nr - 1], "exit") == 0;
	const bool is_killed = nr > 1 && strcmp(names[nr - 1], "kill") == 0;
	pthread_t thread;

	setvbuf(stdout, NULL, _IONBF, 0);
	if (is_in_thread && pthread_create(&thread, NULL, begin, NULL) == 0)
		pthread_join(thread, NULL);
	else
		begin(NULL);
	for (int i = 1; i < nr; i++)
		for (size_t k = 0; k < sizeof(programs) / sizeof(programs[0]); k++)
			if (strcmp(programs[k].name, names[i]) == 0)
				programs[k].run();
	write_executed();
	printf("%d calls\n", nr_calls);
	if (is_killed)
		raise(SIGKILL);
	if (!is_left)
		starpu_shutdown();
	return 5;
}
