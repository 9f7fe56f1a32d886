/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: lists of memory nodes are read, homes of chunks are kept where there are several
 * nodes, and memory can be made on one of choice. */
#include "config.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "memory/homes.h"
#include "../t_suite.h"

#define NR_CHUNKS 8
#define TWO_NODES UINT64_C(3)

static void lists_are_read(void)
{
	CU_ASSERT_EQUAL(measure_homes_parse("0\n"), 1);
	CU_ASSERT_EQUAL(measure_homes_parse("0-1\n"), 3);
	CU_ASSERT_EQUAL(measure_homes_parse("1,3-4,8"), 0x11a);
	CU_ASSERT_EQUAL(measure_homes_parse("63-65,200"), UINT64_C(1) << 63);
	CU_ASSERT_EQUAL(measure_homes_parse("0-18446744073709551615"), UINT64_MAX);
	CU_ASSERT_EQUAL(measure_homes_parse("64"), 0);
	CU_ASSERT_EQUAL(measure_homes_parse("3-1"), 0);
	CU_ASSERT_EQUAL(measure_homes_parse(""), 0);
	CU_ASSERT_EQUAL(measure_homes_parse("\n"), 0);
	CU_ASSERT_EQUAL(measure_homes_parse("0 1"), 0);
	CU_ASSERT_EQUAL(measure_homes_parse("-1"), 0);
	CU_ASSERT_EQUAL(measure_homes_parse("all"), 0);
}

static void one_node_needs_none(void)
{
	measure_homes_keep(0, NR_CHUNKS);
	measure_homes_keep(4, NR_CHUNKS);
	CU_ASSERT_EQUAL(measure_homes_mine(), MEASURE_HOME_UNKNOWN);
	measure_homes_set(1, 1);
	CU_ASSERT_EQUAL(measure_homes_get(1), MEASURE_HOME_UNKNOWN);
}

static void several_are_kept(void)
{
	unsigned cpu, node = MEASURE_HOMES;

	measure_homes_keep(TWO_NODES, NR_CHUNKS);
	CU_ASSERT_EQUAL(measure_homes_get(0), MEASURE_HOME_UNKNOWN);
	measure_homes_set(0, 2);
	measure_homes_set(NR_CHUNKS - 1, MEASURE_HOMES);
	CU_ASSERT_EQUAL(measure_homes_get(0), 2);
	CU_ASSERT_EQUAL(measure_homes_get(NR_CHUNKS - 1), MEASURE_HOMES);
	syscall(SYS_getcpu, &cpu, &node, NULL);
	if (node == 0) /* where there are more nodes, the thread may have moved meanwhile */
		CU_ASSERT_NOT_EQUAL(measure_homes_mine(), MEASURE_HOME_UNKNOWN);
	measure_homes_stop();
	CU_ASSERT_EQUAL(measure_homes_get(0), MEASURE_HOME_UNKNOWN);
	CU_ASSERT_EQUAL(measure_homes_mine(), MEASURE_HOME_UNKNOWN);
}

/* In a thread of its own, whose policy it changes. */
static void *make_on_first(void *unused)
{
	int node = -1;
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)unused;
	CU_ASSERT_NOT_EQUAL_FATAL(page, MAP_FAILED);
	if (!measure_homes_prefer(1)) {
		CU_ASSERT(errno == EPERM || errno == ENOSYS || errno == EINVAL);
		puts("memory policies cannot be set here, or there is no node 0");
		return NULL;
	}
	*page = 1;
	CU_ASSERT_EQUAL(
		syscall(SYS_get_mempolicy, &node, NULL, 0, page, MPOL_F_NODE | MPOL_F_ADDR), 0);
	CU_ASSERT_EQUAL(node, 0);
	munmap(page, 4096);
	return NULL;
}

static void memory_is_made_there(void)
{
	pthread_t thread;
	int mode = -1;

	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, make_on_first, NULL), 0);
	pthread_join(thread, NULL);
	if (syscall(SYS_get_mempolicy, &mode, NULL, 0, NULL, 0) == 0)
		CU_ASSERT_NOT_EQUAL(mode, MPOL_PREFERRED);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"lists are read", lists_are_read},
		{"one node needs none", one_node_needs_none},
		{"several are kept", several_are_kept},
		{"memory is made there", memory_is_made_there},
		CU_TEST_INFO_NULL,
	};

	return t_suite("homes", NULL, NULL, tests);
}
