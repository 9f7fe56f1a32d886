/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: reads from a pipe wait for the write of their first byte, across processes, unless
 * bytes of it come from somebody else */
#include "config.h"

#include "../t_suite.h"
#include "t_waits.h"

static void pipe_call(
	uint32_t location, uint64_t enter, uint64_t leave, uint32_t region, uint64_t bytes)
{
	const bool is_read = region == T_READ;
	const uint32_t handle = is_read ? T_PIPE_READ : T_PIPE_WRITE;

	T_ENTER(location, enter, region);
	T_EVENT(IoOperationBegin, location, enter, handle,
		is_read ? OTF2_IO_OPERATION_MODE_READ : OTF2_IO_OPERATION_MODE_WRITE,
		OTF2_IO_OPERATION_FLAG_NONE, bytes, enter);
	T_EVENT(IoOperationComplete, location, leave, handle, bytes, enter);
	T_LEAVE(location, leave, region);
}

/* Rank 1 writes 100 bytes twice, and rank 0 reads 60, 40 and `last`. */
static void write_pipe(uint64_t last)
{
	t_begin();
	pipe_call(0, 10, 55, T_READ, 60);
	pipe_call(0, 60, 61, T_READ, 40);
	pipe_call(0, 100, 510, T_READ, last);
	pipe_call(1, 50, 52, T_WRITE, 100);
	pipe_call(1, 500, 502, T_WRITE, 100);
}

static void test_reads(void)
{
	const struct measure_wait_row *row;

	write_pipe(100);
	t_read();
	T_WAITED(PIPE, 0, 440);
	CU_ASSERT_EQUAL(t_count(MEASURE_WAIT_PIPE, 0), 2);
	row = t_row(MEASURE_WAIT_PIPE, 0);
	CU_ASSERT_EQUAL(row->max, 400);
	CU_ASSERT_EQUAL(row->worst.cause, 1);
	CU_ASSERT_EQUAL(row->worst.until, T_START + 500);
	CU_ASSERT_EQUAL(t_waits.profile.paths[row->worst.cause_path].region, T_WRITE);
	CU_ASSERT_EQUAL(t_total(), 440);
	t_read_with(3);
	T_WAITED(PIPE, 0, 440);
	t_end();
}

/* Who has written or read the rest, the archive does not know. */
static void test_unknown_end(void)
{
	write_pipe(101);
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
	write_pipe(99);
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	t_end();
}

/* It was over before its bytes were written: they were others. */
static void test_disproved(void)
{
	t_begin();
	pipe_call(0, 10, 20, T_READ, 8);
	pipe_call(1, 50, 52, T_WRITE, 8);
	t_read();
	CU_ASSERT_EQUAL(t_total(), 0);
	CU_ASSERT_EQUAL(t_waits.faults[MEASURE_RELATION_PIPE].disproved, 1);
	t_end();
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"reads", test_reads},
		{"an end that nobody knows", test_unknown_end},
		{"disproved", test_disproved},
		CU_TEST_INFO_NULL,
	};

	return t_suite("waits_pipes", NULL, NULL, tests);
}
