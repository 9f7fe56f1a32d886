/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: lists of memory nodes are read, a thread has a home only where the keeper says that
 * there are several, and memory can be made on a node of choice. */
#include "config.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "format/numa_placement.h"
#include "../t_suite.h"

static void lists_are_read(void)
{
	CU_ASSERT_EQUAL(measure_numa_parse("0\n"), 1);
	CU_ASSERT_EQUAL(measure_numa_parse("0-1\n"), 3);
	CU_ASSERT_EQUAL(measure_numa_parse("1,3-4,8"), 0x11a);
	CU_ASSERT_EQUAL(measure_numa_parse("63-65,200"), UINT64_C(1) << 63);
	CU_ASSERT_EQUAL(measure_numa_parse("0-18446744073709551615"), UINT64_MAX);
	CU_ASSERT_EQUAL(measure_numa_parse("64"), 0);
	CU_ASSERT_EQUAL(measure_numa_parse("3-1"), 0);
	CU_ASSERT_EQUAL(measure_numa_parse(""), 0);
	CU_ASSERT_EQUAL(measure_numa_parse("\n"), 0);
	CU_ASSERT_EQUAL(measure_numa_parse("0 1"), 0);
	CU_ASSERT_EQUAL(measure_numa_parse("-1"), 0);
	CU_ASSERT_EQUAL(measure_numa_parse("all"), 0);
}

static void only_several_nodes_are_homes(void)
{
	static struct measure_segment_header header;
	unsigned cpu, node = MEASURE_HOMES;

	CU_ASSERT_EQUAL(measure_numa_mine(&header), MEASURE_HOME_UNKNOWN);
	atomic_store(&header.has_homes, 1);
	syscall(SYS_getcpu, &cpu, &node, NULL);
	if (node == 0) /* where there are more nodes, the thread may have moved meanwhile */
		CU_ASSERT_NOT_EQUAL(measure_numa_mine(&header), MEASURE_HOME_UNKNOWN);
}

/* In a thread of its own, whose policy it changes. */
static void *choose_a_policy(void *unused)
{
	const unsigned long node = 1;

	(void)unused;
	if (syscall(SYS_set_mempolicy, MPOL_BIND, &node, 2UL) != 0) {
		puts("memory policies cannot be set here");
		return NULL;
	}
	CU_ASSERT(!measure_numa_are_free());
	CU_ASSERT(!measure_numa_are_several());
	return NULL;
}

static void a_users_policy_holds(void)
{
	pthread_t thread;

	CU_ASSERT(measure_numa_are_free());
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, choose_a_policy, NULL), 0);
	pthread_join(thread, NULL);
}

/* In a thread of its own, whose policy it changes. */
static void *make_on_first(void *unused)
{
	int node = -1;
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)unused;
	CU_ASSERT_NOT_EQUAL_FATAL(page, MAP_FAILED);
	if (!measure_numa_prefer(1)) {
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
		{"only several nodes are homes", only_several_nodes_are_homes},
		{"a user's policy holds", a_users_policy_holds},
		{"memory is made there", memory_is_made_there},
		CU_TEST_INFO_NULL,
	};

	return t_suite("homes", NULL, NULL, tests);
}
