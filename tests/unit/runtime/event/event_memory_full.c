/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: threads that come when event memory was full and recording stopped for good, or
 * while it stops: what they lack is counted once, as events after that, and not as too many
 * threads. */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapter.h"
#include "t_recording.h"
#include "../../t_suite.h"

#define CHUNK (256 * 1024)

static measure_region_t region;
static measure_comm_t contingent;
static _Atomic pid_t came;

static int t_start(void)
{
	struct measure_segment_size size = {.buffer_size = 2 * CHUNK,
		.chunk_size = CHUNK,
		.max_locations = 4,
		.journal_size = 1 << 20};
	const struct measure_comm_info comm = {
		.kind = MEASURE_COMM_THREADS, .parent = MEASURE_UNDEFINED};
	const struct measure_region_info info = {.name = "region"};

	if (!t_make_segment(&size) || !t_record() || measure_location_index() != 0)
		return 1;
	region = measure_region_define(&info);
	contingent = measure_comm_define(&comm);
	return 0;
}

static void *enter(void *unused)
{
	atomic_store(&came, (pid_t)syscall(SYS_gettid));
	measure_region_enter(region);
	return unused;
}

static void *begin(void *unused)
{
	CU_ASSERT_FALSE(measure_thread_begin(contingent, 0));
	return unused;
}

static void t_run(void *(*work)(void *))
{
	pthread_t thread;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, work, NULL), 0);
	pthread_join(thread, NULL);
}

/* Whether that thread sleeps. */
static bool t_sleeps(pid_t thread)
{
	char name[64], state = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/self/task/%d/stat", (int)thread);
	file = fopen(name, "r");
	if (!file)
		return false;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(file);
	return state == 'S';
}

/* A thread has seen that recording goes on, and waits for its turn to be given a location. */
static void recording_stops_while_a_thread_comes(void)
{
	uint64_t stopped = t_count(MEASURE_COUNT_LOST_AFTER_STOP);
	struct measure_signals saved;
	pthread_t thread;

	measure_define_lock(&saved);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, enter, NULL), 0);
	while (!atomic_load(&came) || !t_sleeps(atomic_load(&came)))
		sched_yield();
	atomic_store(&segment.header->is_over, 1);
	measure_define_unlock(&saved);
	pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_AFTER_STOP), stopped + 1);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_LOCATIONS), 0);
}

static void a_thread_comes_afterwards(void)
{
	uint64_t stopped = t_count(MEASURE_COUNT_LOST_AFTER_STOP);

	t_run(enter);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_AFTER_STOP), stopped + 1);
	t_run(begin);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_AFTER_STOP), stopped + 2);
	CU_ASSERT_EQUAL(t_count(MEASURE_COUNT_LOST_LOCATIONS), 0);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"recording stops while a thread comes", recording_stops_while_a_thread_comes},
		{"a thread comes afterwards", a_thread_comes_afterwards},
		CU_TEST_INFO_NULL,
	};

	return t_suite("over", t_start, NULL, tests);
}
