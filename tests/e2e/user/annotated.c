/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For user_api.sh: programs that say by measure.h what they do, rightly and wrongly. One mode each. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <measure.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

MEASURE_REGION_DEFINE(outer, "outer");
MEASURE_REGION_DEFINE(inner, "inner");
MEASURE_REGION_DEFINE(other, "other");
MEASURE_TASK_DEFINE(work, "work");
MEASURE_TASK_DEFINE(part, "part");

static void early(void) __attribute__((constructor));
static void early(void)
{
	measure_region_begin("at start");
	measure_region_end("at start");
}

static void plain(void)
{
	MEASURE_REGION("whole");
	MEASURE_REGION_BEGIN(outer);
	measure_region_begin("by name");
	measure_region_end("by name");
	MEASURE_REGION_END(outer);
}

/* Left in the wrong order, never left, and left without having been entered. */
static void unbalanced(void)
{
	MEASURE_REGION_BEGIN(outer);
	MEASURE_REGION_BEGIN(inner);
	MEASURE_REGION_END(outer);
	MEASURE_REGION_END(other);
	MEASURE_REGION_END(other);
	measure_region_begin("open");
}

/* --------------------------------------------------------------- recording off and on --- */

static void switched(void)
{
	MEASURE_REGION_BEGIN(outer);
	MEASURE_REGION_BEGIN(inner);
	measure_recording_off();
	measure_recording_off();
	MEASURE_REGION_END(inner);
	for (int i = 0; i < 100000; i++) {
		MEASURE_REGION_BEGIN(other);
		MEASURE_PARAMETER_INT64("lost", i);
		MEASURE_REGION_END(other);
	}
	MEASURE_REGION_BEGIN(other);
	measure_recording_on();
	measure_recording_on();
	MEASURE_PARAMETER_INT64("kept", 1);
	MEASURE_REGION_END(other);
	MEASURE_REGION_END(outer);
	for (int i = 0; i < 1000; i++) {
		measure_recording_off();
		MEASURE_REGION_BEGIN(other);
		measure_recording_on();
		MEASURE_REGION_END(other);
	}
}

static void die_switched(void)
{
	MEASURE_REGION_BEGIN(outer);
	MEASURE_REGION_BEGIN(inner);
	measure_recording_off();
	MEASURE_REGION_END(inner);
	MEASURE_REGION_END(outer);
	MEASURE_REGION_BEGIN(other);
	kill(getpid(), SIGKILL);
}

/* Regions within each other, deeper at times than a block of the region stack, values, and
 * recording off and on, at random: always the same. Dies in the middle of it, or not. */
static void any(int nr_steps)
{
	static struct measure_site *const sites[] = {&outer, &inner, &other};
	static int open[3000];
	uint64_t state = 7;
	int depth = 0;

	for (int i = 0; i < nr_steps; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		uint32_t number = (uint32_t)(state >> 33), what = number % 100;
		int most = number % 50000 == 0 ? 3000 : 1;

		if (what < 45) {
			for (; most > 0 && depth < 3000; most--) {
				open[depth] = (int)(number / 100 % 3);
				measure_site_begin(sites[open[depth++]]);
			}
		} else if (what < 88) {
			if (depth > 0)
				measure_site_end(sites[open[--depth]]);
		} else if (what < 94) {
			MEASURE_PARAMETER_INT64("step", i);
		} else if (what < 97) {
			measure_recording_off();
		} else {
			measure_recording_on();
		}
	}
	while (depth > 0)
		measure_site_end(sites[open[--depth]]);
}

static void at_random(void)
{
	any(300000);
}

static void die_at_random(void)
{
	any(123456);
	measure_recording_on();
	any(5);
	kill(getpid(), SIGKILL);
}

/* ------------------------------------------------------------------------- threads --- */

/* All define the same at once, and tasks go from one to another. */
static uint64_t handed[4];
static pthread_barrier_t together;

static void *thread(void *argument)
{
	int number = *(int *)argument;

	pthread_barrier_wait(&together);
	for (int i = 0; i < 1000; i++) {
		MEASURE_REGION_BEGIN(outer);
		MEASURE_METRIC_UINT64("count", "#", (uint64_t)i);
		MEASURE_PARAMETER_STRING("word", i % 2 ? "odd" : "even");
		measure_region_begin("by name");
		measure_region_end("by name");
		MEASURE_REGION_END(outer);
	}
	handed[number] = measure_task_create(&work, NULL);
	pthread_barrier_wait(&together);
	uint64_t task = handed[(number + 1) % 4];
	measure_task_begin(&work, task);
	uint64_t child = measure_task_create(&part, NULL);
	measure_task_begin(&part, child);
	measure_task_end(&part, child);
	measure_task_end(&work, task);
	if (number == 0)
		measure_recording_off(); /* to its end */
	return NULL;
}

static void threads(void)
{
	pthread_t others[4];
	int numbers[4];

	pthread_barrier_init(&together, NULL, 4);
	for (int i = 0; i < 4; i++) {
		numbers[i] = i;
		pthread_create(&others[i], NULL, thread, &numbers[i]);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(others[i], NULL);
}

/* -------------------------------------------------------------------------- limits --- */

static void many(void)
{
	char text[32], longer[10000];

	for (int i = 0; i < 10007; i++)
		measure_marker("count", "one", MEASURE_SEVERITY_NONE);
	for (int i = 0; i < 70000; i++) {
		snprintf(text, sizeof(text), "text %d", i);
		MEASURE_PARAMETER_STRING("text", text);
	}
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	MEASURE_PARAMETER_STRING("long", longer);
}

/* All that is said of tasks and data. */
MEASURE_TASK_DEFINE(message, "message");
MEASURE_WORKER_STATE_DEFINE(idle, "idle");

static void tasks(void)
{
	const uint64_t place[] = {3, 4};
	const struct measure_data_info tile = {
		MEASURE_DATA_HAS_BYTES | MEASURE_DATA_HAS_HOME, 1, 4096, 0, "tile", place, 2, 0};
	const struct measure_data_info tagged = {MEASURE_DATA_HAS_TAG, 0, 0, 77, NULL, NULL, 0, 0};
	const struct measure_worker_info worker = {
		MEASURE_WORKER_HAS_NUMBER | MEASURE_WORKER_HAS_MEMORY_NODE, 5, 1, 0, "Accelerator"};
	struct measure_task_info info = {.fields = MEASURE_TASK_HAS_ITERATION |
						   MEASURE_TASK_HAS_SUBITERATION |
						   MEASURE_TASK_HAS_PRIORITY,
		.iteration = 2,
		.subiteration = 9,
		.priority = -1};

	measure_worker(&worker);
	uint64_t data = measure_data_register(&tile), unknown = measure_data_register(NULL);
	uint64_t first = measure_task_create(&work, &info);
	measure_task_access(first, MEASURE_ACCESS_MUTEXINOUTSET, data);
	measure_task_access(first, MEASURE_ACCESS_INOUTSET, unknown);
	measure_data_describe(data, &tagged);
	info.fields = MEASURE_TASK_HAS_TAG;
	info.tag = 77;
	uint64_t sent = measure_task_create(&message, &info);
	measure_task_dependence(sent, first);
	measure_task_send(sent, 6);
	uint64_t received = measure_task_create(&message, &info);
	measure_task_receive(received, 7);
	uint64_t transfer = measure_transfer_begin(data, 0, 1, 4096);
	MEASURE_REGION_BEGIN(idle);
	MEASURE_REGION_END(idle);
	measure_transfer_end(transfer);
	measure_task_begin(&work, first);
	measure_task_end(&work, first);
	measure_task_ready(sent);
	measure_task_complete(sent);
	measure_task_complete(received);
	measure_data_unregister(data);
	measure_data_unregister(unknown);
}

/* What callers do wrong. */
static void wrong(void)
{
	const uint32_t sizes[] = {2, 2}, are_periodic[] = {0, 0}, outside[] = {0, 2};

	measure_region_begin(NULL);
	measure_region_end(NULL);
	measure_marker(NULL, NULL, (enum measure_severity)77);
	MEASURE_PARAMETER_STRING("none", NULL);
	measure_cartesian("grid", 2, sizes, are_periodic, outside);
	measure_cartesian(NULL, 0, NULL, NULL, NULL);
	measure_task_begin(&work, 0);
	measure_task_end(&work, 0);
	measure_task_access(0, MEASURE_ACCESS_R, 1);
	measure_task_send(0, 0);
	measure_task_complete(0);
	measure_worker(NULL);
	measure_data_describe(0, NULL);
	measure_data_unregister(0);
	measure_transfer_end(measure_transfer_begin(0, 0, 1, 1));
	MEASURE_PARAMETER_DOUBLE("infinite", 1e300 * 1e300);
	MEASURE_PARAMETER_DOUBLE("nan", 0.0 / 0.0 * (double)outside[0]);
	MEASURE_PARAMETER_DOUBLE("near", -2.5001);
}

static void forking(void)
{
	int status = 0;
	pid_t child;

	plain();
	child = fork();
	if (child == 0) {
		plain();
		measure_flush();
		measure_recording_off();
		_exit(42);
	}
	waitpid(child, &status, 0);
	plain();
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 42)
		exit(1);
}

static void plugin(void)
{
	for (int i = 0; i < 2; i++) {
		void *handle = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
		void (*run)(void) = handle ? (void (*)(void))dlsym(handle, "plugin_run") : NULL;

		if (!run)
			exit(1);
		run();
		dlclose(handle);
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {{"plain", plain}, {"unbalanced", unbalanced}, {"switched", switched},
		{"die", die_switched}, {"random", at_random}, {"die-at-random", die_at_random},
		{"threads", threads}, {"many", many}, {"wrong", wrong}, {"fork", forking},
		{"tasks", tasks}, {"plugin", plugin}};

	for (size_t i = 0; argc > 1 && i < sizeof(modes) / sizeof(*modes); i++)
		if (strcmp(argv[1], modes[i].name) == 0)
			modes[i].run();
	printf("%s done\n", argc > 1 ? argv[1] : "nothing");
	return 0;
}
