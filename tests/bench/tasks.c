/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the tasks of an archive, infers their dependences and finds the critical path.
 * Usage: tasks ARCHIVE THREADS. Prints "tasks NR", "edges NR", "seconds TIME" and "processor TIME"
 * of all threads together, "path TICKS", "on_path NR", and "kib SIZE", the most memory that was
 * resident at a time. */
#include "config.h"

#include <sys/resource.h>

#include "analysis/tasks/tasks.h"
#include "bench.h"
#include "trace/common/trace_error.h"

static double processor_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void print_tasks(struct measure_trace *trace, unsigned nr_threads)
{
	const struct measure_tasks_options options = {.nr_threads = nr_threads};
	const struct measure_tasks_path_options all = {.process = MEASURE_NONE};
	const uint64_t start = bench_now();
	const double processor = processor_time();
	struct measure_tasks_path path;
	struct measure_tasks tasks;
	struct rusage usage;

	measure_tasks_read(trace, &options, &tasks);
	fprintf(stderr, "read: %.2f s\n", (double)(bench_now() - start) / 1e9);
	measure_tasks_critical_path(&tasks, &all, &path);
	getrusage(RUSAGE_SELF, &usage);
	printf("tasks %zu\nedges %llu\nseconds %f\nprocessor %f\npath %llu\non_path %zu\nkib %ld\n",
		tasks.nr_tasks, (unsigned long long)tasks.first_edges[tasks.nr_tasks],
		(double)(bench_now() - start) / 1e9, processor_time() - processor,
		(unsigned long long)path.length, path.nr_tasks, usage.ru_maxrss);
	measure_tasks_path_free(&path);
	measure_tasks_free(&tasks);
}

int main(int argc, char **argv)
{
	const unsigned nr_threads = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	struct measure_findings findings = {.nr_kept_per_check = 1};
	struct measure_trace *trace;

	if (nr_threads < 1)
		return 2;
	if (measure_trace_open(argv[1], &findings, &trace) != MEASURE_OK) {
		fprintf(stderr, "%s\n", measure_trace_error());
		return 2;
	}
	print_tasks(trace, nr_threads);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return 0;
}
