/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what is open on a window: operations that share a number and those that are
 * alone, completed here and there by flushes, requests and the refusal of MPI; by threads. */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "rma/rma_pending.h"
#include "core/requests.h"
#include "../t_suite.h"

#define NR_TARGETS  4
#define NR_THREADS  4
#define NR_PER_LOOP 2000

static char text[4096];
static _Atomic unsigned nr_local, nr_remote;

/* What is written, as text; counted where threads write. */
static void note(char kind, measure_window_t window, uint64_t number)
{
	const size_t length = strlen(text);

	atomic_fetch_add(kind == 'r' ? &nr_remote : &nr_local, 1);
	CU_ASSERT_EQUAL(window, 7);
	if (!measure_mpi_is_multiple)
		snprintf(text + length, sizeof(text) - length, "%c%llu ", kind,
			(unsigned long long)number);
}

void measure_write_rma_op_complete_blocking(
	struct measure_location *location, measure_window_t window, uint64_t number)
{
	(void)location;
	note('b', window, number);
}

void measure_write_rma_op_complete_non_blocking(
	struct measure_location *location, measure_window_t window, uint64_t number)
{
	(void)location;
	note('l', window, number);
}

void measure_write_rma_op_complete_remote(
	struct measure_location *location, measure_window_t window, uint64_t number)
{
	(void)location;
	note('r', window, number);
}

/* Completes, and expects that to be written; numbers count from `first`. */
static void expect(
	struct measure_pending *pending, uint32_t target, bool is_remote, const char *expected)
{
	text[0] = '\0';
	measure_pending_complete(
		pending, NULL, target, measure_pending_horizon(pending), is_remote);
	CU_ASSERT_STRING_EQUAL(text, expected);
}

/* The numbers of this process begin anew: the tests come in this order. */
static void test_shared(void)
{
	struct measure_pending *pending = measure_pending_new(7, NR_TARGETS);

	CU_ASSERT_EQUAL(measure_pending_number(pending, 2), 0);
	measure_pending_add(pending, 2, false);
	CU_ASSERT_EQUAL(measure_pending_number(pending, 2), 0);
	measure_pending_add(pending, 2, true);
	CU_ASSERT_EQUAL(measure_pending_number(pending, 1), 1);
	measure_pending_add(pending, 1, true);
	expect(pending, 0, true, "");
	expect(pending, 2, false, "l0 ");
	expect(pending, 2, false, "");
	measure_pending_add(pending, 2, true);
	expect(pending, MEASURE_ALL_TARGETS, false, "l1 r1 l0 ");
	expect(pending, 2, true, "r0 ");
	expect(pending, MEASURE_ALL_TARGETS, true, "");
	CU_ASSERT_EQUAL(measure_pending_number(pending, 2), 2);
	measure_pending_free(pending);
}

static void test_alone(void)
{
	struct measure_pending *pending = measure_pending_new(7, NR_TARGETS);
	const uint32_t put = measure_pending_add_alone(pending, 3, 100, false);
	const uint32_t get = measure_pending_add_alone(pending, 3, 101, true);
	const uint32_t other = measure_pending_add_alone(pending, 3, 102, false);

	text[0] = '\0';
	measure_pending_complete_alone(pending, NULL, put, 100);
	measure_pending_complete_alone(pending, NULL, get, 101);
	measure_pending_complete_alone(pending, NULL, get, 101); /* gone */
	CU_ASSERT_STRING_EQUAL(text, "l100 l101 r101 ");
	expect(pending, 3, true, "r100 l102 r102 ");
	text[0] = '\0';
	measure_pending_complete_alone(pending, NULL, other, 102);
	CU_ASSERT_STRING_EQUAL(text, "");
	/* The place of the first one is taken by another. */
	measure_pending_add_alone(pending, 0, 103, false);
	measure_pending_complete_alone(pending, NULL, put, 100);
	CU_ASSERT_STRING_EQUAL(text, "");
	expect(pending, MEASURE_ALL_TARGETS, true, "l103 r103 ");
	measure_pending_free(pending);
}

static void test_refused(void)
{
	struct measure_pending *pending = measure_pending_new(7, NR_TARGETS);
	const uint64_t number = measure_pending_number(pending, 0);
	char expected[64];

	text[0] = '\0';
	measure_pending_cancel(pending, NULL, 0, number);
	snprintf(expected, sizeof(expected), "b%llu ", (unsigned long long)number);
	CU_ASSERT_STRING_EQUAL(text, expected);
	expect(pending, MEASURE_ALL_TARGETS, true, "");
	/* With company it is complete when the others are. */
	CU_ASSERT_EQUAL(measure_pending_number(pending, 0), number + 1);
	measure_pending_add(pending, 0, false);
	text[0] = '\0';
	measure_pending_cancel(pending, NULL, 0, number + 1);
	CU_ASSERT_STRING_EQUAL(text, "");
	snprintf(expected, sizeof(expected), "l%llu r%llu ", (unsigned long long)number + 1,
		(unsigned long long)number + 1);
	expect(pending, MEASURE_ALL_TARGETS, true, expected);
	measure_pending_free(pending);
}

/* What comes after the horizon is not complete. */
static void test_horizon(void)
{
	struct measure_pending *pending = measure_pending_new(7, NR_TARGETS);
	uint64_t horizon;

	measure_pending_add_alone(pending, 1, 200, false);
	horizon = measure_pending_horizon(pending);
	measure_pending_add_alone(pending, 1, 201, false);
	text[0] = '\0';
	measure_pending_complete(pending, NULL, MEASURE_ALL_TARGETS, horizon, true);
	CU_ASSERT_STRING_EQUAL(text, "l200 r200 ");
	expect(pending, 1, true, "l201 r201 ");
	measure_pending_free(pending);
}

static void *operate(void *pending)
{
	for (uint64_t i = 0; i < NR_PER_LOOP; i++) {
		const uint32_t target = (uint32_t)i % NR_TARGETS;
		const uint64_t number = measure_request_new_id();
		const uint32_t place = measure_pending_add_alone(pending, target, number, i % 2);

		if (i % 3 == 0)
			measure_pending_complete_alone(pending, NULL, place, number);
		if (i % 5 == 0)
			measure_pending_complete(
				pending, NULL, target, measure_pending_horizon(pending), i % 2);
		if (i % 7 == 0)
			measure_pending_complete(pending, NULL, MEASURE_ALL_TARGETS,
				measure_pending_horizon(pending), true);
	}
	return NULL;
}

/* Each operation is completed once, whoever does it. */
static void test_threads(void)
{
	struct measure_pending *pending = measure_pending_new(7, NR_TARGETS);
	pthread_t threads[NR_THREADS];

	measure_mpi_is_multiple = true;
	nr_local = nr_remote = 0;
	for (int i = 0; i < NR_THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, operate, pending), 0);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	measure_pending_complete(pending, NULL, MEASURE_ALL_TARGETS, UINT64_MAX, true);
	CU_ASSERT_EQUAL(nr_local, NR_THREADS * NR_PER_LOOP);
	CU_ASSERT_EQUAL(nr_remote, NR_THREADS * NR_PER_LOOP);
	measure_pending_free(pending);
	measure_mpi_is_multiple = false;
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"operations that share a number", test_shared},
		{"operations that are alone", test_alone},
		{"refused operations", test_refused},
		{"the horizon", test_horizon},
		{"threads", test_threads},
		CU_TEST_INFO_NULL,
	};

	return t_suite("pending", NULL, NULL, tests);
}
