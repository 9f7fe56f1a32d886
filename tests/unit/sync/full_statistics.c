/* SPDX-License-Identifier: BSD-3-Clause
 * Description: full statistics find it when an output is not what was computed, or is wrong */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "../t_suite.h"
#include "../trace/made_archive.h"
#include "sync/statistics/stats.h"
#include "trace/common/containers.h"

static const struct measure_sync_window everything = {-HUGE_VAL, HUGE_VAL};

/* An archive, and the graph and the corrections of somebody who did not look at events: each
 * location has a clock of its own, which is right. */
struct subject {
	const char *directory;
	struct measure_findings findings;
	struct measure_trace *trace;
	struct measure_sync_graph graph;
	struct measure_sync_correction *corrections;
};

static struct subject make(const struct t_archive *archive)
{
	struct subject subject = {.directory = t_directory()};
	struct measure_sync_graph *graph = &subject.graph;
	size_t nr;

	CU_ASSERT_TRUE_FATAL(t_archive_write(archive, subject.directory));
	CU_ASSERT_EQUAL_FATAL(
		measure_trace_open(subject.directory, &subject.findings, &subject.trace),
		MEASURE_OK);
	nr = subject.trace->definitions.nr_locations;
	graph->trace = subject.trace;
	graph->presync = subject.trace->offsets;
	graph->nr_domains = (uint32_t)nr;
	graph->domains = measure_zeroed(nr, sizeof(*graph->domains));
	graph->processes = measure_zeroed(nr, sizeof(*graph->processes));
	graph->hosts = measure_zeroed(nr, sizeof(*graph->hosts));
	subject.corrections = measure_zeroed(nr, sizeof(*subject.corrections));
	for (uint32_t i = 0; i < nr; i++) {
		struct measure_sync_correction *correction = &subject.corrections[i];

		graph->domains[i] = graph->processes[i] = i;
		correction->nr = 1;
		correction->pieces = measure_zeroed(1, sizeof(*correction->pieces));
		correction->pieces->offsets = subject.trace->offsets[i];
	}
	return subject;
}

static void release(struct subject *subject)
{
	for (uint32_t i = 0; i < subject->graph.nr_domains; i++)
		measure_free(subject->corrections[i].pieces);
	measure_free(subject->corrections);
	measure_free(subject->graph.domains);
	measure_free(subject->graph.processes);
	measure_free(subject->graph.hosts);
	measure_trace_close(subject->trace);
	measure_findings_free(&subject->findings);
}

static struct measure_sync_stats stats_of(struct subject *subject)
{
	struct measure_sync_stats stats;

	CU_ASSERT_EQUAL_FATAL(measure_sync_stats_make(&subject->graph, subject->corrections,
				      &everything, subject->directory, NULL, &stats),
		MEASURE_OK);
	return stats;
}

static void test_nothing_to_do(void)
{
	struct t_archive archive;
	struct measure_sync_stats stats;
	struct subject subject;

	t_archive_make(&archive);
	subject = make(&archive);
	stats = stats_of(&subject);
	CU_ASSERT_TRUE(measure_sync_stats_are_good(&stats));
	CU_ASSERT_TRUE(stats.events.nr > 0);
	CU_ASSERT_EQUAL(stats.events.nr_moved, 0);
	CU_ASSERT_EQUAL(
		stats.events.distances[MEASURE_SYNC_DISTANCE_SAME].nr, stats.events.nr_positions);
	measure_sync_stats_free(&stats);
	release(&subject);
	t_archive_free(&archive);
}

/* The correction says one tick later; what was written does not. */
static void test_other_times(void)
{
	struct t_archive archive;
	struct measure_sync_stats stats;
	struct subject subject;
	struct measure_clock_knot later[] = {{0, 1, 0}, {1, 1, 0}};

	t_archive_make(&archive);
	subject = make(&archive);
	subject.corrections[1].pieces->offsets = (struct measure_clock_function){later, 2, 2};
	stats = stats_of(&subject);
	CU_ASSERT_FALSE(measure_sync_stats_are_good(&stats));
	CU_ASSERT_EQUAL(stats.nr_different, 1);
	CU_ASSERT_EQUAL(stats.different, 1);
	CU_ASSERT_EQUAL(stats.events.largest, 1);
	CU_ASSERT_EQUAL(stats.events.largest_position, 0);
	measure_sync_stats_free(&stats);
	release(&subject);
	t_archive_free(&archive);
}

/* Rank 0 is late by clock offsets, so that a message of its arrives before it is sent, and nobody
 * has done anything about it. */
static void test_reversed(void)
{
	struct t_archive archive;
	struct measure_sync_stats stats;
	struct subject subject;
	const struct measure_sync_edges *edges;

	t_archive_make(&archive);
	for (int i = 0; i < 4; i++)
		archive.offsets[archive.nr_offsets++] =
			(struct t_offset){i < 2 ? T_RANK0 : T_THREAD, i % 2 ? 400 : 100, 20};
	subject = make(&archive);
	stats = stats_of(&subject);
	edges = &stats.relations[MEASURE_RELATION_MESSAGE];
	CU_ASSERT_FALSE(measure_sync_stats_are_good(&stats));
	CU_ASSERT_EQUAL(stats.nr_different, 0);
	CU_ASSERT_EQUAL(edges->at[MEASURE_SYNC_WHEN_INPUT].nr_reversed, 0);
	CU_ASSERT_EQUAL(edges->at[MEASURE_SYNC_WHEN_PRESYNC].nr_reversed, 1);
	CU_ASSERT_EQUAL(edges->at[MEASURE_SYNC_WHEN_RESULT].nr_reversed, 1);
	CU_ASSERT_EQUAL((int64_t)edges->at[MEASURE_SYNC_WHEN_RESULT].sum,
		edges->at[MEASURE_SYNC_WHEN_RESULT].worst);
	measure_sync_stats_free(&stats);
	release(&subject);
	t_archive_free(&archive);
}

int main(void)
{
	CU_TestInfo tests[] = {
		{"nothing to do", test_nothing_to_do},
		{"other times than computed", test_other_times},
		{"reversed in the result", test_reversed},
		CU_TEST_INFO_NULL,
	};
	int status = t_suite("stats", NULL, NULL, tests);

	t_clean();
	return status;
}
