/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of the tests of the matcher: matches an archive, and keeps what it hands out. */
#ifndef TESTS_UNIT_TRACE_T_MATCH_H
#define TESTS_UNIT_TRACE_T_MATCH_H

#include <CUnit/CUnit.h>

#include "made_archive.h"
#include "trace/match/match.h"
#include "trace/relations/relation_selection.h"

#define MAX_INSTANCES 64

/* Instances of one relation, as (time of the first send, time of the first receive). */
struct t_result {
	struct measure_findings findings;
	struct {
		enum measure_relation relation;
		uint64_t send, receive, ordinal;
		size_t nr_sends, nr_receives;
	} instances[MAX_INSTANCES];
	size_t nr_instances;
	struct measure_file_counts files;
};

static inline void keep(void *data, const struct measure_instance *instance)
{
	struct t_result *result = data;

	CU_ASSERT_FATAL(result->nr_instances < MAX_INSTANCES);
	result->instances[result->nr_instances].relation = instance->relation;
	result->instances[result->nr_instances].send = instance->sends[0].raw;
	result->instances[result->nr_instances].receive = instance->receives[0].raw;
	result->instances[result->nr_instances].ordinal = instance->ordinal;
	result->instances[result->nr_instances].nr_sends = instance->nr_sends;
	result->instances[result->nr_instances].nr_receives = instance->nr_receives;
	result->nr_instances++;
}

static inline void on_event(void *match, const struct measure_event *event)
{
	measure_match_event(match, event);
}

/* selection: NULL for the usual relations. */
static inline void run_selected(const struct t_archive *archive,
	const struct measure_selection *selection, struct t_result *result)
{
	const char *directory = t_directory();
	struct measure_trace *trace;
	struct measure_match *match;

	*result = (struct t_result){.findings.nr_kept_per_check = 1};
	CU_ASSERT_TRUE_FATAL(t_archive_write(archive, directory));
	CU_ASSERT_EQUAL_FATAL(measure_trace_open(directory, &result->findings, &trace), MEASURE_OK);
	trace->selection = selection;
	match = measure_match_new(trace, keep, result);
	for (size_t i = 0; i < trace->definitions.nr_locations; i++) {
		uint64_t nr_read;

		measure_match_begin_location(match, trace->reading_order[i]);
		CU_ASSERT_EQUAL(measure_stream_read(
					trace, trace->reading_order[i], on_event, match, &nr_read),
			MEASURE_OK);
		measure_match_end_location(match, true);
	}
	measure_match_finish(match);
	result->files = *measure_match_files(match);
	measure_match_free(match);
	measure_trace_close(trace);
}

static inline void run(const struct t_archive *archive, struct t_result *result)
{
	run_selected(archive, NULL, result);
}

static inline bool has(const struct t_result *result, enum measure_relation relation, uint64_t send,
	uint64_t receive)
{
	for (size_t i = 0; i < result->nr_instances; i++)
		if (result->instances[i].relation == relation &&
			result->instances[i].send == send &&
			result->instances[i].receive == receive)
			return true;
	return false;
}

static inline size_t count(const struct t_result *result, enum measure_relation relation)
{
	size_t nr = 0;

	for (size_t i = 0; i < result->nr_instances; i++)
		nr += result->instances[i].relation == relation;
	return nr;
}

static inline uint64_t nr_findings(const struct t_result *result)
{
	uint64_t nr = 0;

	for (int i = 0; i < MEASURE_NR_CHECKS; i++)
		nr += result->findings.counts[i];
	return nr;
}

static inline void finish(struct t_archive *archive, struct t_result *result)
{
	measure_findings_free(&result->findings);
	t_archive_free(archive);
}

#endif
