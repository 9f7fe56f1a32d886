/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a task of StarPU costs: processor time of the thread that submits it, and of the worker that
 * executes it, in nanoseconds each. The worker has all tasks before it begins, so that it does not
 * wait; each task uses two pieces of data, and depends on one or two others. */
#include <starpu.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LANES 8

static double first = -1, last; /* processor time of the worker, ns */

static double thread_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void note_time(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
	last = thread_time();
	if (first < 0)
		first = last;
}

static void nothing(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
}

static struct starpu_codelet codelet = {
	.cpu_funcs = {nothing}, .nbuffers = 2, .modes = {STARPU_RW, STARPU_R}, .name = "nothing"};
static struct starpu_codelet edge = {.cpu_funcs = {note_time}, .name = "edge"};

static void submit(struct starpu_codelet *which, starpu_data_handle_t *handles, int lane)
{
	struct starpu_task *task = starpu_task_create();

	task->cl = which;
	if (handles) {
		task->handles[0] = handles[lane];
		task->handles[1] = handles[LANES];
	}
	if (starpu_task_submit(task) != 0)
		exit(2);
}

static void run(int nr, starpu_data_handle_t *handles, bool is_told)
{
	double begin, end;

	first = -1;
	submit(&edge, NULL, 0);
	starpu_task_wait_for_all();
	starpu_pause();
	begin = thread_time();
	for (int i = 0; i < nr; i++)
		submit(&codelet, handles, i % LANES);
	end = thread_time();
	starpu_resume();
	starpu_task_wait_for_all();
	submit(&edge, NULL, 0);
	starpu_task_wait_for_all();
	if (is_told)
		printf("submit_ns %.1f\nexecute_ns %.1f\n", (end - begin) / nr,
			(last - first) / nr);
}

int main(int nr, char **words)
{
	static int values[LANES + 1];
	starpu_data_handle_t handles[LANES + 1];
	struct starpu_conf configuration;

	starpu_conf_init(&configuration);
	configuration.ncpus = 1;
	configuration.nopencl = configuration.ncuda = 0;
	if (starpu_init(&configuration) != 0)
		return 77;
	for (int i = 0; i <= LANES; i++)
		starpu_variable_data_register(
			&handles[i], STARPU_MAIN_RAM, (uintptr_t)&values[i], sizeof(values[i]));
	run(1000, handles, false);
	run(nr > 1 ? atoi(words[1]) : 20000, handles, true);
	for (int i = 0; i <= LANES; i++)
		starpu_data_unregister(handles[i]);
	starpu_shutdown();
	return 0;
}
