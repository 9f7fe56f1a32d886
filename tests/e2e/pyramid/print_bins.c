/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the level-of-detail pyramid of an archive, bin by bin: for bins.py.
 * Usage: print_bins ARCHIVE THREADS MOST-BINS [MODULE]; with the module of sync_ranks.h the
 *processes of a job read it together, and the first one prints. Lines of
 *
 *	start TICKS
 *	location ID FIRST LAST EVENTS SMALLEST
 *	waited TICKS
 *	bin ID LEVEL NUMBER WAITING EVENTS SENDS RECEIVES BYTES REST REGION TICKS ...
 *	group NAME LEVEL NUMBER TICKS ...	of each class
 *	class REGION NUMBER
 *
 * REGION is an id, or the name of a pseudo region without blanks. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/pyramid/pyramid.h"
#include "sync/parallel/sync_ranks.h"

static const struct measure_profile *profile;
static const struct measure_definitions *definitions;

static void print_region(uint32_t region)
{
	if (region < definitions->nr_regions) {
		printf(" %" PRIu32, definitions->regions[region].id);
		return;
	}
	putchar(' ');
	for (const char *c = measure_profile_region_name(profile, region); *c; c++)
		putchar(*c == ' ' ? '_' : *c);
}

static void print_bin(
	uint64_t id, unsigned level, uint64_t number, const struct measure_pyramid_bin *bin)
{
	printf("bin %" PRIu64 " %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %" PRIu64 " %" PRIu64,
		id, level, number, bin->waiting, bin->events, bin->sends, bin->receives,
		bin->bytes_sent, bin->rest);
	for (uint32_t i = 0; i < bin->nr_entries; i++) {
		print_region(bin->entries[i].region);
		printf(" %" PRIu64, bin->entries[i].ticks);
	}
	putchar('\n');
}

static void print_location(uint64_t id, const struct measure_pyramid_location *location)
{
	struct measure_pyramid_bin bin;
	uint64_t first, nr;

	printf("location %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 "\n", id,
		location->first, location->last, location->nr_events, location->smallest);
	for (uint32_t i = 0; i < location->nr_levels; i++) {
		struct measure_pyramid_cursor cursor = measure_pyramid_begin(&location->levels[i]);

		while ((nr = measure_pyramid_next(&cursor, &first, &bin)) > 0)
			for (uint64_t b = first; b < first + nr; b++)
				print_bin(id, location->smallest + i, b, &bin);
	}
}

static void print_group(const char *name, const struct measure_pyramid_group *group)
{
	for (uint64_t b = 0; b < group->nr_bins; b++) {
		printf("group %s %" PRIu32 " %" PRIu64, name, group->level, b);
		for (int i = 0; i < MEASURE_NR_STATE_CLASSES; i++)
			printf(" %" PRIu64, group->ticks[b * MEASURE_PYRAMID_NR_COLUMNS + i]);
		putchar('\n');
	}
}

static void print_class(const struct measure_pyramid *pyramid, uint32_t region)
{
	printf("class");
	print_region(region);
	printf(" %d\n", (int)measure_state_class_of(pyramid->classes, definitions, region));
}

static void print_pyramid(const struct measure_pyramid *pyramid)
{
	char name[32];

	printf("start %" PRIu64 "\n", pyramid->start);
	for (size_t i = 0; i < pyramid->nr_locations; i++)
		print_location(definitions->locations[i].id, &pyramid->locations[i]);
	for (uint32_t i = 0; i < definitions->nr_regions; i++)
		print_class(pyramid, i);
	for (uint32_t i = MEASURE_PSEUDO_BEFORE + 1; i < MEASURE_PSEUDO_END; i++)
		print_class(pyramid, i);
	print_group("all", &pyramid->all);
	for (size_t i = 0; i < pyramid->nr_processes; i++) {
		snprintf(name, sizeof(name), "%" PRIu32, definitions->location_groups[i].id);
		print_group(name, &pyramid->processes[i]);
	}
}

static void read_and_print(struct measure_trace *trace, unsigned nr_threads, uint64_t most_bins,
	const struct measure_sync_job *job)
{
	const struct measure_waits_options waits_options = {.nr_threads = nr_threads, .job = job};
	struct measure_pyramid_options options = {.nr_threads = nr_threads,
		.most_bins = most_bins,
		.most_group_bins = 1000,
		.job = job};
	struct measure_pyramid pyramid;
	struct measure_waits waits;

	measure_waits_read(trace, &waits_options, &waits);
	profile = &waits.profile;
	definitions = &trace->definitions;
	if (job->rank == 0)
		options.waits = &waits;
	measure_pyramid_read(trace, profile, &options, &pyramid);
	if (job->rank == 0) {
		printf("waited %" PRIu64 "\n", measure_waits_total(&waits));
		print_pyramid(&pyramid);
	}
	measure_pyramid_free(&pyramid);
	measure_waits_free(&waits);
}

int main(int argc, char **argv)
{
	struct measure_findings findings = {.nr_kept_per_check = 1};
	struct measure_sync_job job = measure_sync_job_of_one;
	struct measure_trace *trace;
	const char *problem;

	if (argc < 4)
		return 2;
	problem = argc > 4 ? measure_sync_job_open(&job, argv[4]) : NULL;
	if (!problem && measure_trace_open(argv[1], &findings, &trace) != MEASURE_OK)
		problem = measure_trace_error();
	if (problem) {
		fprintf(stderr, "%s\n", problem);
		return 2;
	}
	read_and_print(trace, (unsigned)atoi(argv[2]), strtoull(argv[3], NULL, 10), &job);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	if (argc > 4)
		measure_sync_job_close(&job);
	return 0;
}
