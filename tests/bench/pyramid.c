/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the level-of-detail pyramid of an archive whose profile has been read before.
 * Usage: pyramid ARCHIVE THREADS. Prints "events NR", "seconds TIME" and "processor TIME" of all
 * threads together, both without the profile; "bytes SIZE" of all levels; and "kib SIZE", the most
 * memory that was resident at a time. */
#include "config.h"

#include <sys/resource.h>

#include "analysis/pyramid/pyramid.h"
#include "bench.h"
#include "trace/archive/trace.h"

static double processor_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t size_of(const struct measure_pyramid *pyramid)
{
	uint64_t size = 0;

	for (size_t i = 0; i < pyramid->nr_locations; i++)
		for (uint32_t k = 0; k < pyramid->locations[i].nr_levels; k++)
			size += pyramid->locations[i].levels[k].runs.nr;
	return size;
}

static void print_pyramid(
	struct measure_trace *trace, const struct measure_profile *profile, unsigned nr_threads)
{
	const struct measure_pyramid_options options = {.nr_threads = nr_threads};
	const uint64_t start = bench_now();
	const double processor = processor_time();
	struct measure_pyramid pyramid;
	struct rusage usage;
	uint64_t nr_events = 0;

	measure_pyramid_read(trace, profile, &options, &pyramid);
	for (size_t i = 0; i < pyramid.nr_locations; i++)
		nr_events += pyramid.locations[i].nr_events;
	getrusage(RUSAGE_SELF, &usage);
	printf("events %llu\nseconds %f\nprocessor %f\nbytes %llu\nkib %ld\n",
		(unsigned long long)nr_events, (double)(bench_now() - start) / 1e9,
		processor_time() - processor, (unsigned long long)size_of(&pyramid),
		usage.ru_maxrss);
	measure_pyramid_free(&pyramid);
}

int main(int argc, char **argv)
{
	const unsigned nr_threads = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	const struct measure_profile_options options = {.nr_threads = nr_threads};
	struct measure_findings findings = {.nr_kept_per_check = 1};
	struct measure_profile profile;
	struct measure_trace *trace;

	if (nr_threads < 1)
		return 2;
	if (measure_trace_open(argv[1], &findings, &trace) != MEASURE_OK) {
		fprintf(stderr, "%s\n", measure_trace_error());
		return 2;
	}
	if (measure_profile_read(trace, &options, &profile) == MEASURE_OK)
		print_pyramid(trace, &profile, nr_threads);
	measure_profile_free(&profile);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return 0;
}
