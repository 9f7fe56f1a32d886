/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests; see t_run.h. */
#include "config.h"

#include "t_run.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adapter.h"

const struct measure_def_end t_exited = {2000, MEASURE_END_EXITED, 0, ""};
const struct measure_def_end t_killed = {5000000, MEASURE_END_SIGNALLED, 9, ""};
char t_directory[64];

void t_begin(void)
{
	strcpy(t_directory, "/tmp/measure-assemble-XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(t_directory));
}

/* Its callers are all tests. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
int t_run(const char *format)
{
	char command[512];

	snprintf(command, sizeof(command), format, t_directory);
	int status = system(command);
	return WEXITSTATUS(status);
}

void t_finish(void)
{
	CU_ASSERT_EQUAL(t_run("rm -r %s"), 0);
}

bool t_has(const char *name)
{
	char path[256];
	struct stat stat_;

	snprintf(path, sizeof(path), "%s/%s", t_directory, name);
	return stat(path, &stat_) == 0;
}

measure_status_t t_assemble(struct measure_assemble_report *report)
{
	measure_status_t status = measure_assemble(t_directory, report);

	if (status != MEASURE_OK)
		fprintf(stderr, "%s\n", report->trouble);
	return status;
}

void t_check_archive(void)
{
	CU_ASSERT_EQUAL(t_run("otf2-print --silent -Werror %s/traces.otf2 2>&1 >/dev/null |"
			      "tee /dev/stderr | wc -c | grep -qx 0"),
		0);
	CU_ASSERT_EQUAL(t_run("otf2-print --silent -Werror %s/traces.otf2 >/dev/null"), 0);
}

struct measure_def_process t_process(uint32_t rank, uint64_t domain, uint64_t begin)
{
	static char host[32];

	snprintf(host, sizeof(host), "node%llu", (unsigned long long)domain);
	return (struct measure_def_process){host, host, 100 + rank, 1000 + rank, "/bin/demo",
		"-n 3", domain, "tsc", 1e9, 1, begin};
}

void t_regions(struct t_part *part)
{
	T_JOURNAL(part, region, 0, "main", "main", "demo.c", 10, 20, 1, COMPILER, 0);
	T_JOURNAL(part, region, 1, "work", "work", "demo.c", 1, 9, 1, COMPILER, 0);
}

void t_begin_one(struct t_part *part)
{
	struct measure_def_process process = t_process(0, 1, 1000);

	process.nr_arguments = 2;
	t_begin();
	t_part_begin(part, t_directory, "a.done", &process);
	T_JOURNAL(part, string, 1, "-n");
	T_JOURNAL(part, string, 2, "3");
	t_regions(part);
}

void t_world(struct t_part *part, uint32_t rank, uint32_t size)
{
	T_JOURNAL(part, launch, "job", rank, size, rank, size);
	T_JOURNAL(part, world, rank, size, 5, 6);
	T_JOURNAL(part, comm, 0, MEASURE_COMM_WORLD, "", 5, 6, UINT32_MAX, MPI, {0, NULL});
	T_JOURNAL(part, comm, 1, MEASURE_COMM_SELF, "", 5, 7, UINT32_MAX, MPI, {0, NULL});
}

void t_rank(uint32_t rank, uint32_t size, uint64_t domain, int64_t shift, bool has_samples)
{
	struct measure_def_process process = t_process(rank, domain, (uint64_t)(10000 + shift));
	struct measure_def_end end = t_exited;
	struct t_part part;
	char name[32];
	uint64_t time = (uint64_t)(10000 + shift);

	snprintf(name, sizeof(name), "rank%u.done", rank);
	t_part_begin(&part, t_directory, name, &process);
	T_KEEPER_JOURNAL(&part, clock_triple, time, 10, 1000000, 5000000000000);
	T_KEEPER_JOURNAL(&part, clock_triple, time + 100000000, 10, 101000000, 5000100000000);
	if (rank == 1)
		T_JOURNAL(&part, region, 0, "other", "other", "", 0, 0, 1, COMPILER, 0);
	T_JOURNAL(
		&part, region, rank == 1 ? 1 : 0, "main", "main", "demo.c", 10, 20, 1, COMPILER, 0);
	t_world(&part, rank, size);
	if (has_samples) {
		T_JOURNAL(&part, clock_sample, time + 10, -shift, 3);
		T_JOURNAL(&part, clock_sample, time + 90, -shift, 4);
	}
	t_location(&part, time);
	t_location(&part, time);
	T_JOURNAL(&part, comm, 2, MEASURE_COMM_TEAM, "", 0, 0, UINT32_MAX, OPENMP,
		{2, (const uint32_t[]){0, 1}});
	t_enter(&part, 0, time + 1, rank == 1 ? 1 : 0);
	t_team(&part, 0, time + 2, 2, true);
	t_team(&part, 1, time + 2, 2, true);
	t_team(&part, 1, time + 5, 2, false);
	t_team(&part, 0, time + 5, 2, false);
	t_send(&part, 0, time + 10, (rank + 1) % size, 0);
	t_recv(&part, 0, time + 20, (rank + size - 1) % size, 0);
	t_leave(&part, 0, time + 30, rank == 1 ? 1 : 0);
	end.ticks = time + 50;
	t_part_end(&part, &end);
}
