/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the memory limit of control groups of both versions, nested, in containers, and
 * none, in made-up trees. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cgroup.h"
#include "../t_suite.h"

#define V1 "35 31 0:32 / /cg/memory rw,relatime - cgroup cgroup rw,memory\n"
#define V2 "31 23 0:28 / /cg rw,relatime shared:9 - cgroup2 cgroup2 rw\n"

static char root[64];

/* A file below the root, with the directories above it. */
static void t_file(const char *path, const char *text)
{
	char command[1024];

	snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s%s')\" && printf '%s' >'%s%s'",
		root, path, text, root, path);
	CU_ASSERT_EQUAL(system(command), 0);
}

static void t_tree(const char *groups, const char *mounts)
{
	strcpy(root, "/tmp/measure-cgroup-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
	t_file("/proc/self/cgroup", groups);
	t_file("/proc/self/mountinfo", mounts);
}

static uint64_t t_limit(void)
{
	char command[128];
	uint64_t limit = measure_cgroup_memory(root);

	snprintf(command, sizeof(command), "rm -r %s", root);
	CU_ASSERT_EQUAL(system(command), 0);
	return limit;
}

static void version_2(void)
{
	t_tree("0::/job/step/task\n", V2);
	t_file("/cg/job/memory.max", "900\n");
	t_file("/cg/job/step/memory.max", "700\n");
	t_file("/cg/job/step/task/memory.max", "max\n");
	CU_ASSERT_EQUAL(t_limit(), 700);

	t_tree("0::/job/step\n", V2);
	t_file("/cg/job/memory.max", "600\n");
	t_file("/cg/job/step/memory.max", "700\n");
	CU_ASSERT_EQUAL(t_limit(), 600);

	/* above it the kernel takes memory away, and the group's time with it */
	t_tree("0::/job\n", V2);
	t_file("/cg/job/memory.max", "600\n");
	t_file("/cg/job/memory.high", "500\n");
	CU_ASSERT_EQUAL(t_limit(), 500);
}

static void version_1(void)
{
	t_tree("9:cpu,cpuacct:/other\n4:hugetlb,memory:/slurm/job\n1:name=systemd:/x\n0::/\n",
		"34 31 0:31 / /cg/cpu rw - cgroup cgroup rw,cpu\n" V1);
	t_file("/cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
	t_file("/cg/memory/slurm/memory.limit_in_bytes", "5000\n");
	t_file("/cg/memory/slurm/job/memory.limit_in_bytes", "4000\n");
	t_file("/cg/cpu/other/memory.limit_in_bytes", "1\n");
	CU_ASSERT_EQUAL(t_limit(), 4000);
}

/* Both are mounted; either may bound. */
static void hybrid(void)
{
	t_tree("4:memory:/a\n0::/b\n", V1 "41 31 0:38 / /cg/unified rw - cgroup2 cgroup2 rw\n");
	t_file("/cg/memory/a/memory.limit_in_bytes", "4000\n");
	t_file("/cg/unified/b/memory.max", "3000\n");
	CU_ASSERT_EQUAL(t_limit(), 3000);
}

/* The container's own group is what is mounted; its path may be that of outside, or unknown. */
static void containers(void)
{
	t_tree("4:memory:/docker/abc\n",
		"35 31 0:32 /docker/abc /cg/memory ro - cgroup cgroup rw,memory\n");
	t_file("/cg/memory/memory.limit_in_bytes", "2000\n");
	CU_ASSERT_EQUAL(t_limit(), 2000);

	t_tree("0::/docker/abc/inner\n", "31 23 0:28 /docker/abc /cg rw - cgroup2 cgroup2 rw\n");
	t_file("/cg/memory.max", "2000\n");
	t_file("/cg/inner/memory.max", "1500\n");
	CU_ASSERT_EQUAL(t_limit(), 1500);

	t_tree("0::/../outside\n", V2);
	t_file("/cg/memory.max", "2000\n");
	CU_ASSERT_EQUAL(t_limit(), 2000);

	t_tree("0::/\n", V2);
	t_file("/cg/memory.max", "2100\n");
	CU_ASSERT_EQUAL(t_limit(), 2100);
}

static void none(void)
{
	t_tree("0::/job\n", V2);
	t_file("/cg/job/memory.max", "max\n");
	CU_ASSERT_EQUAL(t_limit(), UINT64_MAX);

	t_tree("0::/job\n", "");
	CU_ASSERT_EQUAL(t_limit(), UINT64_MAX);

	t_tree("garbage\n::\n0::", "garbage - cgroup2\n31 23 0:28 - cgroup2 x y\n");
	CU_ASSERT_EQUAL(t_limit(), UINT64_MAX);

	CU_ASSERT_EQUAL(measure_cgroup_memory("/nowhere"), UINT64_MAX);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"version 2", version_2},
		{"version 1", version_1},
		{"hybrid", hybrid},
		{"containers", containers},
		{"none", none},
		CU_TEST_INFO_NULL,
	};

	return t_suite("cgroup", NULL, NULL, tests);
}
