/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Walks the events of each location with prices: where it sends, to find when it did, and then to
 * sum up what remains of the time from record to record. Where a location waited, time goes in two parts: to where it began to wait, and
 * from when all was there. What came at one tick was waited for together. */
#include "config.h"

#include "compensation.h"

#include <pthread.h>
#include <string.h>

#include "sync/graph/bounds.h"
#include "sync/parallel/workers.h"
#include "trace/common/containers.h"
#include "trace/common/trace_error.h"
#include "trace/stream/record.h"
#include "trace/stream/stream.h"

#define RUNS_PER_THREAD 4

struct steps_making {
	struct measure_compensation *compensation;
	/* walks a location; `regions`: what is charged to each */
	void (*walk)(const struct steps_making *making, struct measure_trace *reader,
		uint32_t location, uint64_t *regions);
	unsigned nr_runs;
	bool *is_polling; /* by region */
	pthread_mutex_t lock;
	measure_status_t status; /* under the lock */
};

/* Along a location. */
struct steps_walk {
	struct measure_compensation *compensation;
	struct measure_compensation_location *location;
	const bool *is_polling;
	struct measure_removal removal;
	size_t next;     /* record */
	size_t settled;  /* records before this one have their steps */
	int64_t advance; /* ticks since the last record */
	uint32_t *open;  /* regions */
	size_t nr_open, room_open;
	uint64_t *regions;
};

static bool is_relaxed(const struct measure_sync_graph *graph, uint32_t record)
{
	return atomic_load_explicit(&graph->states[record], memory_order_relaxed) ==
	       MEASURE_SYNC_RELAXED;
}

/* Receives from the next record on that came at the tick of an event, before anything was sent:
 * how many, and when all that they waited for was there. */
static size_t find_receives(const struct steps_walk *walk, uint64_t raw, int64_t *ready)
{
	const struct measure_compensation *compensation = walk->compensation;
	const struct measure_sync_graph *graph = compensation->graph;
	size_t end = walk->next;

	*ready = MEASURE_SYNC_NO_BOUND;
	for (; end < walk->location->nr; end++) {
		const uint32_t index = walk->location->records[end];
		const int64_t bound = compensation->steps[index].rest;

		if (graph->records[index].is_send || graph->records[index].raw != raw)
			break;
		if (!is_relaxed(graph, index) && bound > *ready)
			*ready = bound;
	}
	return end - walk->next;
}

/* Nothing is known of sends to a receive that is the first event. */
static void wait_for(struct steps_walk *walk, size_t nr, int64_t ready)
{
	struct measure_compensation_step *steps = walk->compensation->steps;
	const uint32_t *records = walk->location->records + walk->next;
	struct measure_removal *removal = &walk->removal;
	const bool is_begun = !removal->has_event;
	const int64_t before = removal->price.before >> MEASURE_PRICE_BITS;
	const int64_t most = (int64_t)removal->now - ready - before;
	const bool is_own = measure_removal_is_own(removal, most);
	const int64_t rest = measure_removal_receive(removal, most, is_own);

	steps[records[0]] =
		(struct measure_compensation_step){is_begun ? MEASURE_STEP_BEGUN : walk->advance,
			is_own ? MEASURE_REST_OWN(rest) : rest};
	for (size_t i = 1; i < nr; i++)
		steps[records[i]] = (struct measure_compensation_step){MEASURE_STEP_TOGETHER, 0};
	walk->settled = walk->next + nr;
	walk->advance = 0;
}

/* The records of an event. */
static void take_records(struct steps_walk *walk, uint64_t position)
{
	const struct measure_compensation *compensation = walk->compensation;

	for (; walk->next < walk->location->nr; walk->next++) {
		const uint32_t index = walk->location->records[walk->next];

		if (compensation->graph->records[index].position != position)
			break;
		if (walk->next < walk->settled)
			continue;
		compensation->steps[index] = (struct measure_compensation_step){walk->advance, -1};
		walk->advance = 0;
	}
}

static void charge_region(struct steps_walk *walk, uint64_t removed)
{
	const size_t nr_regions = walk->compensation->list.definitions->nr_regions;

	walk->regions[walk->nr_open ? walk->open[walk->nr_open - 1] : nr_regions] += removed;
}

static void follow_regions(struct steps_walk *walk, const struct measure_event *event)
{
	const size_t nr_regions = walk->compensation->list.definitions->nr_regions;

	if (event->kind == MEASURE_EVENT_THREAD_TASK_SWITCH)
		walk->location->is_scheduled = true;
	if (event->kind == MEASURE_EVENT_LEAVE && walk->nr_open > 0)
		walk->nr_open--;
	if (event->kind != MEASURE_EVENT_ENTER)
		return;
	*measure_append(walk, open) = event->ref < nr_regions ? event->ref : (uint32_t)nr_regions;
	if (event->ref < nr_regions && walk->is_polling[event->ref])
		walk->location->is_polling = true;
}

static void walk_event(struct steps_walk *walk, const struct measure_event *event, uint64_t time)
{
	struct measure_removal *removal = &walk->removal;
	const uint64_t removed = removal->removed;
	int64_t ready;
	size_t nr;

	if (walk->location->nr_events++ == 0)
		walk->location->first = time;
	walk->location->last = time;
	measure_removal_begin(removal, event, time);
	nr = removal->is_new_tick ? find_receives(walk, event->raw, &ready) : 0;
	if (nr > 0 && ready != MEASURE_SYNC_NO_BOUND)
		wait_for(walk, nr, ready);
	else
		walk->advance += measure_removal_local(removal);
	if (walk->location->leader == MEASURE_NONE)
		charge_region(walk, removal->removed - removed);
	follow_regions(walk, event);
	take_records(walk, event->position);
}

/* What breaks off is kept as far as it can be read, as it is written. */
static void walk_location(const struct steps_making *making, struct measure_trace *reader,
	uint32_t index, uint64_t *regions)
{
	struct measure_compensation *compensation = making->compensation;
	struct steps_walk walk = {.compensation = compensation,
		.location = &compensation->locations[index],
		.is_polling = making->is_polling,
		.removal = compensation_removal(compensation, index),
		.regions = regions};
	struct measure_sync_reading clock = {.piece = 0};
	const struct measure_event *event;
	struct measure_stream stream;
	uint64_t nr_read;

	measure_stream_open(&stream, reader, index);
	while ((event = measure_stream_next(&stream)))
		walk_event(&walk, event,
			compensation_measured_time(
				compensation, &clock, index, event->raw, event->position));
	measure_stream_close(&stream, &nr_read);
	if (walk.location->leader != MEASURE_NONE)
		walk.removal.removed = 0;
	walk.location->tail = walk.advance;
	walk.location->removed = walk.removal.removed;
	walk.location->hidden =
		(uint64_t)(walk.removal.hidden + walk.removal.owed) >> MEASURE_PRICE_BITS;
	measure_free(walk.open);
}

/* -------------------------------------------------------------------- departures --- */

struct departures_walk {
	const struct measure_compensation *compensation;
	const struct measure_compensation_location *location;
	struct measure_event_pricing pricing;
	size_t next; /* record */
	bool has_event;
	bool has_left;  /* the call that sends, at the tick of the last event */
	uint64_t raw;   /* of the last event */
	int64_t behind; /* parts of ticks that its tick has cost since its timestamp */
};

/* What was recorded before this event is sent now. */
static void depart_before(struct departures_walk *walk, uint64_t position)
{
	const struct measure_sync_graph *graph = walk->compensation->graph;

	for (; walk->next < walk->location->nr; walk->next++) {
		const uint32_t index = walk->location->records[walk->next];

		if (graph->records[index].position >= position)
			return;
		if (graph->records[index].is_send)
			graph->values[index] += walk->behind >> MEASURE_PRICE_BITS;
	}
}

static bool has_sent(const struct departures_walk *walk, uint64_t position)
{
	const struct measure_sync_record *records = walk->compensation->graph->records;

	for (size_t i = walk->next; i < walk->location->nr; i++) {
		const struct measure_sync_record *record = &records[walk->location->records[i]];

		if (record->position >= position)
			return false;
		if (record->is_send)
			return true;
	}
	return false;
}

/* All records at one tick are made before the thread goes on to send, but for those of other calls
 * that begin or end at that tick after the one that sends. */
static void depart_event(
	struct departures_walk *walk, const struct measure_event *event, uint64_t time)
{
	const struct measure_event_price price =
		measure_event_pricing_next(&walk->pricing, event, time);

	const bool is_shared = walk->has_event && event->raw == walk->raw;
	const bool is_leave = event->kind == MEASURE_EVENT_LEAVE;

	if (!is_shared || event->kind == MEASURE_EVENT_ENTER || (is_leave && walk->has_left)) {
		depart_before(walk, event->position);
		walk->has_left = false;
	}
	walk->has_left |= is_leave && has_sent(walk, event->position);
	walk->behind = (is_shared ? walk->behind + price.before : 0) + price.after;
	walk->has_event = true;
	walk->raw = event->raw;
}

static bool sends(const struct measure_compensation *compensation, uint32_t index)
{
	const struct measure_compensation_location *location = &compensation->locations[index];

	for (size_t i = 0; i < location->nr; i++)
		if (compensation->graph->records[location->records[i]].is_send)
			return true;
	return false;
}

static void walk_departures(const struct steps_making *making, struct measure_trace *reader,
	uint32_t index, uint64_t *regions)
{
	const struct measure_compensation *compensation = making->compensation;
	struct departures_walk walk = {.compensation = compensation,
		.location = &compensation->locations[index],
		.pricing = compensation_removal(compensation, index).pricing};
	struct measure_sync_reading clock = {.piece = 0};
	const struct measure_event *event;
	struct measure_stream stream;
	uint64_t nr_read;

	(void)regions;
	if (!sends(compensation, index))
		return;
	measure_stream_open(&stream, reader, index);
	while ((event = measure_stream_next(&stream)))
		depart_event(&walk, event,
			compensation_measured_time(
				compensation, &clock, index, event->raw, event->position));
	measure_stream_close(&stream, &nr_read);
	depart_before(&walk, UINT64_MAX);
}

/* ------------------------------------------------------------------------ in runs --- */

static void add_regions(struct steps_making *making, const uint64_t *regions)
{
	const size_t nr = making->compensation->list.definitions->nr_regions + 1;

	pthread_mutex_lock(&making->lock);
	for (size_t i = 0; i < nr; i++)
		making->compensation->regions[i] += regions[i];
	pthread_mutex_unlock(&making->lock);
}

/* Locations in reading order, from and to; those of others do not matter. */
static void walk_run(void *data, size_t index)
{
	struct steps_making *making = data;
	const struct measure_sync_graph *graph = making->compensation->graph;
	const struct measure_definitions *definitions = &graph->trace->definitions;
	const size_t from = index * definitions->nr_locations / making->nr_runs;
	const size_t to = (index + 1) * definitions->nr_locations / making->nr_runs;
	struct measure_findings findings = {.nr_kept_per_check = 1};
	uint64_t *regions = measure_zeroed(definitions->nr_regions + 1, sizeof(*regions));
	struct measure_trace reader;

	if (from < to && measure_trace_open_reader(graph->trace, from, to, &findings, &reader) ==
				 MEASURE_OK) {
		for (size_t i = from; i < to; i++)
			if (measure_sync_is_mine(graph, graph->trace->reading_order[i]))
				making->walk(
					making, &reader, graph->trace->reading_order[i], regions);
		measure_trace_close_reader(&reader);
		add_regions(making, regions);
	} else if (from < to) {
		pthread_mutex_lock(&making->lock);
		making->status = MEASURE_ERROR_IO;
		pthread_mutex_unlock(&making->lock);
	}
	measure_findings_free(&findings);
	measure_free(regions);
}

static const char *const polls[] = {
#define POLL(name) name,
#include "polls.def"
#undef POLL
};

static void find_polls(const struct measure_definitions *definitions, bool *is_polling)
{
	for (uint32_t i = 0; i < definitions->nr_regions; i++)
		for (size_t k = 0; k < sizeof(polls) / sizeof(*polls); k++)
			is_polling[i] |=
				strcmp(measure_name_of_region(definitions, i), polls[k]) == 0;
}

static measure_status_t walk_all(struct steps_making *making, unsigned nr_threads)
{
	making->nr_runs = nr_threads > 1 ? nr_threads * RUNS_PER_THREAD : 1;
	making->status = MEASURE_OK;
	pthread_mutex_init(&making->lock, NULL);
	measure_workers_share(nr_threads, making->nr_runs, walk_run, making);
	pthread_mutex_destroy(&making->lock);
	if (making->status != MEASURE_OK)
		measure_error_set("%s: cannot reopen; use fewer threads",
			making->compensation->graph->trace->anchor);
	return making->status;
}

measure_status_t compensation_find_departures(
	struct measure_compensation *compensation, unsigned nr_threads)
{
	struct steps_making making = {.compensation = compensation, .walk = walk_departures};

	return walk_all(&making, nr_threads);
}

measure_status_t compensation_make_steps(
	struct measure_compensation *compensation, unsigned nr_threads)
{
	const struct measure_definitions *definitions = compensation->list.definitions;
	struct steps_making making = {.compensation = compensation,
		.walk = walk_location,
		.is_polling = measure_zeroed(definitions->nr_regions + 1, sizeof(bool))};
	measure_status_t status;

	find_polls(definitions, making.is_polling);
	status = walk_all(&making, nr_threads);
	measure_free(making.is_polling);
	return status;
}
