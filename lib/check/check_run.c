/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads an archive once and feeds every event to all checks. */
#include "config.h"

#include "check_internal.h"

#define EVENTS_PER_PROGRESS 65536

struct run_run {
	struct check *check;
	struct measure_match *match;
	struct stream_check stream;
	struct program_check programs;
	struct condition condition;
	check_progress_fn progress;
	uint64_t nr_expected; /* events of all locations */
};

static void on_instance(void *data, const struct measure_instance *instance)
{
	struct run_run *run = data;

	condition_instance(&run->condition, instance);
	if (run->check->has_times)
		times_instance(run->check, instance);
}

static void run_event(struct run_run *run, const struct measure_event *event)
{
	stream_check_event(&run->stream, event);
	program_check_event(&run->programs, event);
	traffic_event(run->check, event);
	measure_match_event(run->match, event);
	run->check->nr_events++;
	if (run->progress && run->check->nr_events % EVENTS_PER_PROGRESS == 0 && run->nr_expected)
		run->progress((double)run->check->nr_events / (double)run->nr_expected);
}

static measure_status_t read_events(struct run_run *run, uint32_t location, uint64_t *nr_read)
{
	const struct measure_event *event;
	struct measure_stream stream;

	measure_stream_open(&stream, run->check->trace, location);
	while ((event = measure_stream_next(&stream)))
		run_event(run, event);
	return measure_stream_close(&stream, nr_read);
}

static void read_location(struct run_run *run, uint32_t index)
{
	struct check *check = run->check;
	const struct measure_location_definition *location =
		&check->trace->definitions.locations[index];
	struct measure_place place = {index, 0, 0};
	measure_status_t status;
	uint64_t nr_read;

	stream_check_begin_location(&run->stream, index);
	program_check_begin_location(&run->programs, index);
	measure_match_begin_location(run->match, index);
	status = read_events(run, index, &nr_read);
	/* A location that never recorded needs no file. */
	if (status != MEASURE_OK && !nr_read && !location->nr_events)
		status = MEASURE_OK;
	if (status != MEASURE_OK)
		measure_report(&check->findings, MEASURE_CHECK_LOCATION_DAMAGED, place,
			"after %llu of %llu events: %s", (unsigned long long)nr_read,
			(unsigned long long)location->nr_events, measure_trace_error());
	else if (nr_read != location->nr_events)
		measure_report(&check->findings, MEASURE_CHECK_LOCATION_COUNT, place,
			"%llu events found, %llu defined", (unsigned long long)nr_read,
			(unsigned long long)location->nr_events);
	if (status == MEASURE_OK && location->is_truncated)
		measure_report(&check->findings, MEASURE_CHECK_LOCATION_TRUNCATED, place,
			"more than these %llu events were recorded", (unsigned long long)nr_read);
	measure_match_end_location(run->match, status == MEASURE_OK);
	stream_check_end_location(&run->stream);
}

measure_status_t check_archive(
	const char *path, const struct check_wishes *wishes, struct check *check)
{
	struct run_run run = {.check = check, .progress = wishes->progress};
	measure_status_t status;

	*check = (struct check){.findings.nr_kept_per_check = wishes->nr_kept_per_check};
	status = measure_trace_open(path, &check->findings, &check->trace);
	if (status != MEASURE_OK)
		return status;
	check->trace->selection = wishes->selection;
	check_definitions(check);
	stream_check_start(&run.stream, check);
	program_check_start(&run.programs, check);
	condition_start(&run.condition, check);
	if (wishes->latencies)
		times_start(check, wishes->latencies);
	run.match = measure_match_new(check->trace, on_instance, &run);
	run.condition.match = run.match;
	for (size_t i = 0; i < check->trace->definitions.nr_locations; i++)
		run.nr_expected += check->trace->definitions.locations[i].nr_events;
	for (size_t i = 0; i < check->trace->definitions.nr_locations; i++)
		read_location(&run, check->trace->reading_order[i]);
	measure_match_finish(run.match);
	stream_check_finish(&run.stream, run.match);
	program_check_finish(&run.programs);
	condition_end(&run.condition);
	traffic_finish(check, run.match);
	check->files = *measure_match_files(run.match);
	measure_match_free(run.match);
	return MEASURE_OK;
}

void check_free(struct check *check)
{
	measure_trace_close(check->trace);
	measure_findings_free(&check->findings);
	times_free(&check->times);
	*check = (struct check){.trace = NULL};
}

uint64_t check_errors(const struct check *check)
{
	uint64_t nr = 0;

	for (int i = 0; i < MEASURE_NR_CHECKS; i++)
		nr += measure_findings_errors(&check->findings, i);
	return nr;
}

uint64_t check_warnings(const struct check *check)
{
	uint64_t nr = 0;

	for (int i = 0; i < MEASURE_NR_CHECKS; i++)
		nr += measure_findings_warnings(&check->findings, i);
	return nr;
}

bool check_is_sound(const struct check *check)
{
	return check_errors(check) == 0;
}
