/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of a check: check_definitions.c, check_stream.c, check_program.c, check_traffic.c,
 * check_clock_condition.c, put together by check_run.c. Rules that need two locations are in the
 * matcher (lib/trace). */
#ifndef MEASURE_CHECK_CHECK_INTERNAL_H
#define MEASURE_CHECK_CHECK_INTERNAL_H

#include "check.h"

/* check_definitions.c: the contract of the global definitions. */
void check_definitions(struct check *check);

/* check_stream.c: rules inside one location. */
struct open_region {
	struct measure_place place;
	uint32_t region;
};

struct stream_check {
	struct check *check;
	uint32_t location;
	MEASURE_GROWING(struct open_region, stack); /* regions open now */
	uint32_t *nr_open; /* by region, the undefined one last: how often it is on the stack */
	MEASURE_GROWING(struct open_region, left_open); /* at the end, of all locations so far */
	uint64_t last_time, last_raw;
	bool has_plain, has_sampled, is_mixed;
	bool has_thread_begin, has_thread_end;
	uint32_t context; /* the call stack as last known; MEASURE_NONE: none */
	bool has_flush_region, has_off_region; /* defined */
};

void stream_check_start(struct stream_check *stream, struct check *check);
void stream_check_begin_location(struct stream_check *stream, uint32_t location);
void stream_check_event(struct stream_check *stream, const struct measure_event *event);
void stream_check_end_location(struct stream_check *stream);
/* When all is read: only then it is known which processes were cut short. */
void stream_check_finish(struct stream_check *stream, const struct measure_match *match);

struct measure_place stream_place_of(
	const struct stream_check *stream, const struct measure_event *event);

/* check_calling_context.c: unwind distances, of all three records that have calling contexts. */
void context_check(struct stream_check *stream, const struct measure_event *event);

/* check_program.c: ProgramBegin and ProgramEnd of each process. */
struct program {
	uint32_t nr_begins, nr_ends;
	struct measure_place begin, end;       /* the first of each */
	struct measure_place earliest, latest; /* events of the process */
	bool is_begin_first, is_end_last;      /* on their locations */
	bool has_events;
};

struct program_check {
	struct check *check;
	struct program *programs; /* by location group */
	uint32_t location, process;
	uint64_t nr_seen; /* events of the location */
};

void program_check_start(struct program_check *programs, struct check *check);
void program_check_begin_location(struct program_check *programs, uint32_t location);
void program_check_event(struct program_check *programs, const struct measure_event *event);
void program_check_finish(struct program_check *programs);

/* check_traffic.c: what was moved. Messages and files are counted by the matcher. */
void traffic_event(struct check *check, const struct measure_event *event);
void traffic_finish(struct check *check, const struct measure_match *match);

/* check_latency.c: how long messages take. */
void times_start(struct check *check, const struct measure_sync_latencies *latencies);
void times_instance(struct check *check, const struct measure_instance *instance);
void times_free(struct check_times *times);

/* check_clock_condition.c: the clock condition. One per check; an instance function of the matcher.
 */
struct condition {
	struct check *check;
	const struct measure_match *match;
	uint64_t nr_instances; /* stamps the entries below */
	uint64_t *stamps;      /* by location: the instance in which it sends */
	size_t *send_of;       /* by location: which send */
	MEASURE_GROWING(uint64_t, times); /* of the sends, sorted */
};

void condition_start(struct condition *condition, struct check *check);
void condition_instance(void *condition, const struct measure_instance *instance);
void condition_end(struct condition *condition);

#endif
