/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first reading: who has created which tasks, and when. It gives each task its place, in order
 * of creation in its process. */
#include "config.h"

#include "tasks_reading.h"

/* ------------------------------------------------------------------------ reading --- */

static size_t task_reading_place(const struct measure_trace *trace, uint32_t location)
{
	size_t place = 0;

	while (trace->reading_order[place] != location)
		place++;
	return place;
}

bool task_stream_open(struct task_stream *stream, struct tasks_reading *reading, uint32_t location)
{
	struct measure_trace *trace = reading->trace;
	/* only the OTF2 library wants to know */
	const size_t place = trace->is_foreign ? task_reading_place(trace, location) : 0;

	stream->location = location;
	stream->nr_events = 0;
	stream->before = trace->definitions.locations[location];
	stream->findings =
		(struct measure_findings){.nr_kept_per_check = trace->findings->nr_kept_per_check};
	if (measure_trace_open_reader(
		    trace, place, place + 1, &stream->findings, &stream->reader) != MEASURE_OK)
		return false;
	measure_stream_open(&stream->stream, &stream->reader, location);
	return true;
}

bool task_stream_close(struct task_stream *stream, struct tasks_reading *reading, bool is_told)
{
	struct measure_location_definition *location =
		&reading->trace->definitions.locations[stream->location];
	uint64_t nr_read;
	/* A location that never recorded needs no file. */
	const bool is_good = measure_stream_close(&stream->stream, &nr_read) == MEASURE_OK ||
			     (nr_read == 0 && location->nr_events == 0);

	/* who has read all of it knows better */
	if (!is_told || stream->before.nr_found != MEASURE_NOT_READ)
		*location = stream->before;
	measure_trace_close_reader(&stream->reader);
	if (is_told) {
		pthread_mutex_lock(&reading->lock);
		measure_findings_append(reading->trace->findings, &stream->findings);
		pthread_mutex_unlock(&reading->lock);
	}
	measure_findings_free(&stream->findings);
	return is_good;
}

void tasks_reading_progress(struct tasks_reading *reading, uint64_t nr_events)
{
	if (!reading->options->progress || !reading->nr_expected)
		return;
	pthread_mutex_lock(&reading->lock);
	reading->nr_read += nr_events;
	reading->options->progress((double)reading->nr_read / (double)reading->nr_expected);
	pthread_mutex_unlock(&reading->lock);
}

void task_creations_read(void *data, size_t index)
{
	struct tasks_reading *reading = data;
	const uint32_t location = reading->order[index];
	struct task_creations *creations = &reading->creations[location];
	const struct measure_event *event;
	struct task_stream stream;

	if (!task_stream_open(&stream, reading, location))
		return;
	while ((event = measure_stream_next_of(&stream.stream, MEASURE_EVENT_THREAD_TASK_CREATE)))
		if (event->tag != 0 && event->ref != MEASURE_NONE)
			*measure_append_item(creations) = (struct task_creation){
				event->time, {event->ref, event->peer, event->tag}, location};
	task_stream_close(&stream, reading, false);
	tasks_reading_progress(reading, reading->trace->definitions.locations[location].nr_events);
}

/* --------------------------------------------------------------------------- order --- */

/* Neither list needs to be in order, if clocks are not; each stays in its own. */
static struct task_creations merge(struct task_creations *left, struct task_creations *right)
{
	struct task_creations both = {.nr = 0};
	size_t l = 0, r = 0;

	if (left->nr == 0 || right->nr == 0) {
		both = left->nr == 0 ? *right : *left;
		measure_free(left->nr == 0 ? left->items : right->items);
		return both;
	}
	both.nr = both.room = left->nr + right->nr;
	both.items = measure_uncleared(both.room, sizeof(*both.items));
	for (size_t i = 0; i < both.nr; i++) {
		const bool is_left = r == right->nr ||
				     (l < left->nr && left->items[l].time <= right->items[r].time);

		both.items[i] = is_left ? left->items[l++] : right->items[r++];
	}
	measure_free(left->items);
	measure_free(right->items);
	return both;
}

/* Of `nr` lists; they are empty then. */
static struct task_creations merge_all(struct task_creations *lists, size_t nr)
{
	for (size_t step = 1; step < nr; step *= 2)
		for (size_t i = 0; i + step < nr; i += 2 * step) {
			lists[i] = merge(&lists[i], &lists[i + step]);
			lists[i + step] = (struct task_creations){.nr = 0};
		}
	return nr > 0 ? lists[0] : (struct task_creations){.nr = 0};
}

/* ------------------------------------------------------------------------- placing --- */

struct task_placing {
	struct tasks_reading *reading;
	struct measure_map known_teams; /* of the process */
	MEASURE_GROWING(uint32_t, teams);
	size_t room_tasks;
};

static void place_team(struct task_placing *placing, uint32_t team)
{
	const struct measure_key key = measure_key_of(team);

	if (measure_map_intern(&placing->known_teams, key, (uint32_t)placing->nr_teams) ==
		placing->nr_teams)
		*measure_append(placing, teams) = team;
}

static void place_task(struct task_placing *placing, const struct task_creation *creation)
{
	struct tasks_reading *reading = placing->reading;
	struct measure_tasks *tasks = reading->tasks;
	const uint32_t next = (uint32_t)tasks->nr_tasks;
	struct measure_task *task;

	if (tasks->nr_tasks >= MEASURE_TASK_MOST)
		measure_end("the trace has more than %u tasks", MEASURE_TASK_MOST);
	if (task_index_intern(&reading->index, creation->name, next) != next) {
		tasks->troubles.nr_twice++;
		return;
	}
	task = &tasks->tasks[tasks->nr_tasks++];
	*task = task_unknown;
	task->create = task_ticks(reading, creation->time);
	task->process = creation->location; /* its group, once all are read */
	task->team = creation->name.team;
	task->creator = creation->name.creator;
	task->number = creation->name.number;
}

static void place_process(struct task_placing *placing, uint32_t process)
{
	struct tasks_reading *reading = placing->reading;
	const struct measure_trace *trace = reading->trace;
	const size_t nr_locations = trace->definitions.nr_locations;
	struct task_creations *lists = measure_zeroed(nr_locations, sizeof(*lists));
	struct task_creations all;
	uint32_t last = MEASURE_NONE;
	size_t nr = 0;

	for (size_t i = 0; i < nr_locations; i++)
		if (trace->definitions.locations[i].group == process) {
			lists[nr++] = reading->creations[i];
			reading->creations[i] = (struct task_creations){.nr = 0};
		}
	all = merge_all(lists, nr);
	measure_free(lists);
	reading->first_teams[process] = (uint32_t)placing->nr_teams;
	for (size_t i = 0; i < all.nr; i++) {
		if (all.items[i].name.team != last)
			place_team(placing, all.items[i].name.team);
		last = all.items[i].name.team;
		place_task(placing, &all.items[i]);
	}
	measure_free(all.items);
}

void tasks_place(struct tasks_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	struct task_placing placing = {.reading = reading};
	size_t nr = 0;

	for (size_t i = 0; i < definitions->nr_locations; i++)
		nr += reading->creations[i].nr;
	reading->tasks->tasks = measure_uncleared(nr, sizeof(*reading->tasks->tasks));
	reading->first_teams =
		measure_zeroed(definitions->nr_location_groups + 1, sizeof(*reading->first_teams));
	for (uint32_t i = 0; i < definitions->nr_location_groups; i++)
		place_process(&placing, i);
	reading->first_teams[definitions->nr_location_groups] = (uint32_t)placing.nr_teams;
	reading->teams = placing.teams;
	reading->tasks->nr_created = reading->tasks->nr_tasks;
	measure_map_free(&placing.known_teams);
	for (size_t i = 0; i < definitions->nr_locations; i++)
		measure_free(reading->creations[i].items); /* of no process */
	measure_free(reading->creations);
}
