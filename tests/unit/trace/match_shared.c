/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the matcher follows windows and files: their lives, one-sided operations and what
 * completes them, fences, locks, posts and waits, operations on files, and what was moved. */
#include "config.h"

#include "t_match.h"
#include "../t_suite.h"

/* The life of a window, with a fence that synchronises and one that need not. */
static void test_window(void)
{
	static const enum measure_event_kind kinds[] = {
		MEASURE_EVENT_RMA_WIN_CREATE, MEASURE_EVENT_RMA_WIN_DESTROY};
	static const uint8_t operations[] = {
		OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE, OTF2_COLLECTIVE_OP_DESTROY_HANDLE};
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t location = i % 2 ? T_RANK1 : T_RANK0;
		const uint64_t time = i / 2 ? 290 : 280;
		struct measure_event *end;

		t_add(&archive, location, time + i % 2, MEASURE_EVENT_RMA_COLLECTIVE_BEGIN, 0);
		t_add(&archive, location, time + 3, kinds[i / 2], T_WINDOW);
		end = t_add(
			&archive, location, time + 3, MEASURE_EVENT_RMA_COLLECTIVE_END, T_WINDOW);
		end->op = operations[i / 2];
		end->tag = OTF2_RMA_SYNC_LEVEL_PROCESS;
		end->peer = OTF2_COLLECTIVE_ROOT_NONE;
	}
	t_fence(&archive, T_RANK0, 284, 286, OTF2_RMA_SYNC_LEVEL_PROCESS);
	t_fence(&archive, T_RANK1, 285, 286, OTF2_RMA_SYNC_LEVEL_PROCESS);
	t_fence(&archive, T_RANK0, 286, 287, OTF2_RMA_SYNC_LEVEL_NONE);
	t_fence(&archive, T_RANK1, 288, 289, OTF2_RMA_SYNC_LEVEL_NONE);
	run(&archive, &result);
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_RMA_WINDOW), 2);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_WINDOW, 290, 293));
	CU_ASSERT_EQUAL(count(&result, MEASURE_RELATION_RMA_FENCE), 1);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_FENCE, 284, 286));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* Two operations share a number and a completion, another thread's flush completes them; the
 * number comes again. */
static void test_operations(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_RMA_REQUEST_LOCK, T_WINDOW_BEFORE)->peer =
		UINT32_MAX;
	t_add(&archive, T_RANK0, 281, MEASURE_EVENT_RMA_PUT, T_WINDOW_BEFORE)->peer = 1;
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_RMA_GET, T_WINDOW_BEFORE)->peer = 1;
	t_add(&archive, T_THREAD, 283, MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_THREAD, 283, MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 284, MEASURE_EVENT_RMA_ATOMIC, T_WINDOW_BEFORE)->peer = 0;
	t_add(&archive, T_RANK0, 285, MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 286, MEASURE_EVENT_RMA_RELEASE_LOCK, T_WINDOW_BEFORE)->peer =
		UINT32_MAX;
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* What stands for an operation is used again when nothing of it is open, by one at a time. */
static void test_numbers(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint64_t i = 0; i < 4; i++) {
		const uint64_t numbers[] = {i, i + 10};

		for (int k = 0; k < 2; k++) {
			struct measure_event *put = t_add(
				&archive, T_RANK0, 280 + i, MEASURE_EVENT_RMA_PUT, T_WINDOW_BEFORE);
			put->peer = 1;
			put->number = numbers[k];
		}
		for (int k = 0; k < 2; k++) {
			t_add(&archive, T_RANK0, 280 + i,
				MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING, T_WINDOW_BEFORE)
				->number = numbers[k];
			t_add(&archive, T_RANK0, 280 + i, MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE,
				T_WINDOW_BEFORE)
				->number = numbers[k];
		}
	}
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* A window that is gone is not used any more. */
static void test_gone_window(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_RMA_WIN_CREATE, T_WINDOW);
	t_add(&archive, T_RANK0, 281, MEASURE_EVENT_RMA_WIN_DESTROY, T_WINDOW);
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_RMA_PUT, T_WINDOW)->peer = 1;
	t_add(&archive, T_RANK0, 283, MEASURE_EVENT_RMA_WIN_DESTROY, T_WINDOW);
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_RMA_LIFE], 2);
	finish(&archive, &result);
}

/* Each way in which operations and locks do not come out even. */
static void test_wrong_operations(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 281, MEASURE_EVENT_RMA_PUT, T_WINDOW_BEFORE)->peer = 2;
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 283, MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 284, MEASURE_EVENT_RMA_ACQUIRE_LOCK, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 285, MEASURE_EVENT_RMA_ACQUIRE_LOCK, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 286, MEASURE_EVENT_RMA_RELEASE_LOCK, T_WINDOW_BEFORE);
	t_add(&archive, T_RANK0, 287, MEASURE_EVENT_RMA_RELEASE_LOCK, T_WINDOW_BEFORE);
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_COMM_RANK], 1);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_RMA_UNKNOWN], 1);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_RMA_LOCK], 2);
	finish(&archive, &result);
}

/* Rank 1 is the target of two epochs of rank 0; the call that is left out waits for nobody. */
static void test_epochs(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_epoch(&archive, T_RANK1, T_WIN_POST, 280, 281, T_ONLY_RANK0);
	t_epoch(&archive, T_RANK0, T_WIN_COMPLETE, 282, 283, T_ONLY_RANK1);
	t_epoch(&archive, T_RANK1, T_WIN_WAIT, 282, 284, T_ONLY_RANK0);
	t_epoch(&archive, T_RANK1, T_WIN_POST, 285, 286, T_ONLY_RANK0);
	t_epoch(&archive, T_RANK0, T_WIN_COMPLETE, 284, 287, T_ONLY_RANK1);
	t_epoch(&archive, T_RANK1, T_WIN_WAIT, 286, 288, T_ONLY_RANK0);
	run(&archive, &result);
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_POST, 280, 283));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_COMPLETE, 282, 284));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_POST, 285, 287));
	CU_ASSERT_TRUE(has(&result, MEASURE_RELATION_RMA_COMPLETE, 284, 288));
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

static void t_file_event(
	struct t_archive *archive, uint32_t location, uint64_t time, enum measure_event_kind kind)
{
	t_add(archive, location, time, kind, T_FILE);
}

/* Opened and closed twice; one thread begins an operation, another one completes it. */
static void test_file(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint64_t time = 280; time < 300; time += 10) {
		t_file_event(&archive, T_RANK0, time, MEASURE_EVENT_IO_CREATE_HANDLE);
		t_file_event(&archive, T_RANK0, time + 1, MEASURE_EVENT_IO_SEEK);
		t_add(&archive, T_RANK0, time + 2, MEASURE_EVENT_IO_OPERATION_BEGIN, T_FILE)->tag =
			OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
		t_file_event(&archive, T_RANK0, time + 3, MEASURE_EVENT_IO_OPERATION_ISSUED);
		t_file_event(&archive, T_THREAD, time + 4, MEASURE_EVENT_IO_OPERATION_COMPLETE);
		t_file_event(&archive, T_RANK0, time + 5, MEASURE_EVENT_IO_DESTROY_HANDLE);
	}
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

/* A duplicate of what was open before recording; twice, and used when it is closed. */
static void test_duplicate_file(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_add(&archive, T_RANK0, 280, MEASURE_EVENT_IO_DUPLICATE_HANDLE, T_STANDARD_FILE)->number =
		T_FILE;
	t_file_event(&archive, T_RANK0, 281, MEASURE_EVENT_IO_SEEK);
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_IO_DUPLICATE_HANDLE, T_STANDARD_FILE)->number =
		T_FILE;
	t_file_event(&archive, T_RANK0, 283, MEASURE_EVENT_IO_DESTROY_HANDLE);
	t_file_event(&archive, T_RANK0, 284, MEASURE_EVENT_IO_SEEK);
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_IO_HANDLE], 2);
	CU_ASSERT_EQUAL(nr_findings(&result), 2);
	finish(&archive, &result);
}

/* Both ranks open it; the second one leaves a collective operation out. */
static void test_file_together(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (int i = 0; i < 2; i++) {
		const uint32_t location = i ? T_RANK1 : T_RANK0;

		t_add(&archive, location, 280, MEASURE_EVENT_IO_CREATE_HANDLE, T_FILE_TOGETHER);
		for (uint64_t k = 0; k < 3; k++) {
			t_add(&archive, location, 281 + k, MEASURE_EVENT_IO_OPERATION_BEGIN,
				T_FILE_TOGETHER)
				->tag = k ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : 0;
			t_add(&archive, location, 281 + k, MEASURE_EVENT_IO_OPERATION_COMPLETE,
				T_FILE_TOGETHER);
		}
		t_add(&archive, location, 285, MEASURE_EVENT_IO_DESTROY_HANDLE, T_FILE_TOGETHER);
	}
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	measure_findings_free(&result.findings);
	t_find(&archive, T_RANK1, MEASURE_EVENT_IO_OPERATION_BEGIN, 2)->tag = 0;
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_IO_COLLECTIVE], 1);
	CU_ASSERT_EQUAL(nr_findings(&result), 1);
	finish(&archive, &result);
}

/* Begun twice; a blocking one issued, a nonblocking one issued twice. */
static void test_wrong_files(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_file_begin(&archive, 280, OTF2_IO_OPERATION_FLAG_NONE);
	t_file_begin(&archive, 281, OTF2_IO_OPERATION_FLAG_NONE);
	t_add(&archive, T_RANK0, 282, MEASURE_EVENT_IO_OPERATION_ISSUED, T_STANDARD_FILE);
	t_add(&archive, T_RANK0, 283, MEASURE_EVENT_IO_OPERATION_COMPLETE, T_STANDARD_FILE);
	t_file_begin(&archive, 284, OTF2_IO_OPERATION_FLAG_NON_BLOCKING);
	t_add(&archive, T_RANK0, 285, MEASURE_EVENT_IO_OPERATION_ISSUED, T_STANDARD_FILE);
	t_add(&archive, T_RANK0, 286, MEASURE_EVENT_IO_OPERATION_ISSUED, T_STANDARD_FILE);
	t_add(&archive, T_RANK0, 287, MEASURE_EVENT_IO_OPERATION_COMPLETE, T_STANDARD_FILE);
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_IO_ORDER], 3);
	CU_ASSERT_EQUAL(nr_findings(&result), 3);
	finish(&archive, &result);
}

/* The thread waits for input when its process ends; an operation that nobody waits for is another
 * matter. */
static void test_file_at_the_end(void)
{
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	t_file_begin(&archive, 335, OTF2_IO_OPERATION_FLAG_NONE);
	run(&archive, &result);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	measure_findings_free(&result.findings);
	t_find(&archive, T_RANK0, MEASURE_EVENT_IO_OPERATION_BEGIN, 0)->tag =
		OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.findings.counts[MEASURE_CHECK_IO_OPEN], 1);
	finish(&archive, &result);
}

/* Bytes are counted where the operation is complete, by what it was begun as; all ones says that
 * nobody knows them. */
static void test_bytes(void)
{
	static const struct {
		uint8_t mode;
		uint64_t bytes;
	} operations[] = {{OTF2_IO_OPERATION_MODE_READ, 100}, {OTF2_IO_OPERATION_MODE_WRITE, 7},
		{OTF2_IO_OPERATION_MODE_FLUSH, 1000}, {OTF2_IO_OPERATION_MODE_READ, UINT64_MAX}};
	struct t_archive archive;
	struct t_result result;

	t_archive_make(&archive);
	for (uint64_t i = 0; i < 4; i++) {
		struct measure_event *end;

		t_file_begin(&archive, 280 + i, OTF2_IO_OPERATION_FLAG_NONE);
		t_find(&archive, T_RANK0, MEASURE_EVENT_IO_OPERATION_BEGIN, i)->op =
			operations[i].mode;
		end = t_add(&archive, T_RANK0, 280 + i, MEASURE_EVENT_IO_OPERATION_COMPLETE,
			T_STANDARD_FILE);
		end->received = operations[i].bytes;
	}
	run(&archive, &result);
	CU_ASSERT_EQUAL(result.files.nr_operations, 4);
	CU_ASSERT_EQUAL(result.files.bytes_read, 100);
	CU_ASSERT_EQUAL(result.files.bytes_written, 7);
	CU_ASSERT_EQUAL(nr_findings(&result), 0);
	finish(&archive, &result);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"a window and its fences", test_window},
		{"one-sided operations", test_operations},
		{"numbers of operations", test_numbers},
		{"a window that is gone", test_gone_window},
		{"operations and locks that are wrong", test_wrong_operations},
		{"post, complete and wait", test_epochs},
		{"a file", test_file},
		{"a duplicate of an open file", test_duplicate_file},
		{"a file opened together", test_file_together},
		{"operations on files that are wrong", test_wrong_files},
		{"an operation when the process ends", test_file_at_the_end},
		{"bytes of operations on files", test_bytes},
		CU_TEST_INFO_NULL,
	};
	int failed = t_suite("windows and files", NULL, NULL, tests);

	t_clean();
	return failed;
}
