/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: bins have the waiting time that fell into them, and each region is of the class that
 * its paradigm, role and name say */
#include "config.h"

#include <string.h>

#include "../t_suite.h"
#include "../waits/t_waits.h"
#include "analysis/pyramid/pyramid.h"

static struct measure_pyramid pyramid;

static void read_pyramid(void)
{
	const struct measure_pyramid_options options = {.nr_threads = 2, .waits = &t_waits};
	struct measure_trace *trace = (struct measure_trace *)(uintptr_t)t_waits.profile.trace;

	CU_ASSERT_EQUAL(
		measure_pyramid_read(trace, &t_waits.profile, &options, &pyramid), MEASURE_OK);
}

/* Waiting ticks of a location in each bin of 2^k; all are compared. */
static void compare_waiting(uint32_t location, unsigned k, const uint64_t *expected, size_t nr)
{
	const struct measure_pyramid_location *found = &pyramid.locations[location];
	struct measure_pyramid_cursor cursor;
	struct measure_pyramid_bin bin;
	uint64_t first, nr_bins;

	CU_ASSERT_TRUE_FATAL(k >= found->smallest && k < found->smallest + found->nr_levels);
	CU_ASSERT_EQUAL_FATAL(found->levels[k - found->smallest].nr_bins, nr);
	cursor = measure_pyramid_begin(&found->levels[k - found->smallest]);
	while ((nr_bins = measure_pyramid_next(&cursor, &first, &bin)) > 0)
		for (uint64_t b = first; b < first + nr_bins; b++)
			CU_ASSERT_EQUAL(bin.waiting, expected[b]);
}

static uint64_t group_waiting(const struct measure_pyramid_group *group)
{
	uint64_t sum = 0;

	for (uint64_t b = 0; b < group->nr_bins; b++)
		sum += group->ticks[b * MEASURE_PYRAMID_NR_COLUMNS + MEASURE_PYRAMID_WAITING];
	return sum;
}

/* A late sender from 100 to 200; 128 events, so that there are bins of 128 ticks. */
static void test_waiting(void)
{
	static const uint64_t expected[8] = {28, 72}, pairs[4] = {100}, all[1] = {100}, none[8];

	t_begin();
	for (uint32_t i = 0; i < 2; i++)
		T_ENTER(i, 0, T_MAIN);
	t_receive(0, 100, 299, 300, 1);
	t_send(1, 200, 210, 220, 0);
	for (uint32_t i = 0; i < 2; i++) {
		for (uint64_t time = 400; time < 520; time++) {
			T_ENTER(i, time, T_WORK);
			T_LEAVE(i, time, T_WORK);
		}
		T_LEAVE(i, 1000, T_MAIN);
	}
	t_read();
	CU_ASSERT_EQUAL(t_total(), 100);
	read_pyramid();
	compare_waiting(0, 7, expected, 8);
	compare_waiting(0, 8, pairs, 4);
	compare_waiting(0, 10, all, 1);
	compare_waiting(1, 7, none, 8);
	CU_ASSERT_EQUAL(group_waiting(&pyramid.all), 100);
	CU_ASSERT_EQUAL(group_waiting(&pyramid.processes[0]), 100);
	CU_ASSERT_EQUAL(group_waiting(&pyramid.processes[1]), 0);
	CU_ASSERT_EQUAL(
		pyramid.all.ticks[150 * MEASURE_PYRAMID_NR_COLUMNS + MEASURE_PYRAMID_WAITING], 1);
	measure_pyramid_free(&pyramid);
	t_end();
}

/* In a barrier a thread waits from 100 to 400 but for a task that runs from 200 to 300: the wait is
 * shared out over all of its time. */
static void test_interrupted_wait(void)
{
	uint64_t sum;

	t_begin();
	for (uint32_t i = T_A; i <= T_B; i++)
		T_EVENT(ThreadTeamBegin, i, 0, T_TEAM);
	T_ENTER(T_A, 100, T_BARRIER);
	T_EVENT(ThreadTaskSwitch, T_A, 200, T_TEAM, 0, 1);
	T_ENTER(T_A, 200, T_TASK);
	T_LEAVE(T_A, 300, T_TASK);
	T_EVENT(ThreadTaskComplete, T_A, 300, T_TEAM, 0, 1);
	T_EVENT(ThreadTaskSwitch, T_A, 300, T_TEAM, 0, 0);
	T_LEAVE(T_A, 410, T_BARRIER);
	T_ENTER(T_B, 400, T_BARRIER);
	T_LEAVE(T_B, 410, T_BARRIER);
	for (uint32_t i = T_A; i <= T_B; i++)
		T_EVENT(ThreadTeamEnd, i, 500, T_TEAM);
	t_read();
	sum = t_total();
	CU_ASSERT_TRUE(sum > 0);
	read_pyramid();
	CU_ASSERT_EQUAL(group_waiting(&pyramid.all), sum);
	measure_pyramid_free(&pyramid);
	t_end();
}

static const char *class_of(uint32_t region)
{
	return measure_state_classes[measure_state_class_of(pyramid.classes,
					     &t_waits.profile.trace->definitions, region)]
		.word;
}

static void test_classes(void)
{
	static const struct {
		uint32_t region;
		const char *word;
	} cases[] = {{T_MAIN, "computation"}, {T_PARALLEL, "computation"}, {T_TASK, "computation"},
		{T_INIT, "mpi-setup"}, {T_SEND, "mpi-p2p"}, {T_WAITSOME, "mpi-p2p"},
		{T_PROBE, "mpi-p2p"}, {T_TEST, "mpi-test"}, {T_MPI_BARRIER, "mpi-collective"},
		{T_BCAST, "mpi-collective"}, {T_SCAN, "mpi-collective"}, {T_FENCE, "mpi-rma"},
		{T_FILE_OPEN, "mpi-io"}, {T_WRITE_ALL, "mpi-io"}, {T_BARRIER, "openmp-sync"},
		{T_IMPLICIT, "openmp-sync"}, {T_CRITICAL, "openmp-sync"},
		{T_TASKWAIT, "openmp-sync"}, {T_READ, "io"}, {T_MUTEX_LOCK, "threads"},
		{T_SEM_WAIT, "threads"}, {T_JOIN, "threads"}, {MEASURE_PSEUDO_NO_REGION, "outside"},
		{MEASURE_PSEUDO_IDLE, "idle"}, {MEASURE_PSEUDO_TASKS, "computation"},
		{MEASURE_PSEUDO_UNDEFINED, "computation"},
		{MEASURE_PSEUDO_RECORDING_OFF, "measurement"},
		{MEASURE_PSEUDO_BUFFER_FLUSH, "measurement"}};

	t_begin();
	T_ENTER(0, 0, T_MAIN);
	t_read();
	read_pyramid();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CU_ASSERT_STRING_EQUAL(class_of(cases[i].region), cases[i].word);
	measure_pyramid_free(&pyramid);
	t_end();
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"waiting time in bins", test_waiting},
		{"a wait with a task in it", test_interrupted_wait},
		{"classes of regions", test_classes},
		CU_TEST_INFO_NULL,
	};

	return t_suite("pyramid_waits", NULL, NULL, tests);
}
