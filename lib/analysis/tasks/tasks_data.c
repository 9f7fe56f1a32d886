/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts together what locations have said of data, of transfers of it, and of who uses it. The
 * locations of a process speak of the same data. */
#include "config.h"

#include <string.h>

#include "base/array.h"
#include "tasks_reading.h"

/* --------------------------------------------------------------------------- data --- */

struct task_data_gathering {
	struct tasks_reading *reading;
	struct measure_map numbers; /* handle of the process: data */
	size_t room_data;
	uint32_t **global; /* by location: data, by its number there */
	MEASURE_GROWING(struct data_coordinate, coordinates);
};

struct data_coordinate {
	uint32_t data;
	size_t order;
	uint64_t value;
};

/* What is known of it by two locations: the later one has the last word. */
static void join_data(struct measure_task_data *data, const struct measure_task_data *other)
{
	data->is_registered |= other->is_registered;
	if (other->name)
		data->name = other->name;
	if (other->bytes)
		data->bytes = other->bytes;
	if (other->tag != UINT64_MAX)
		data->tag = other->tag;
	if (other->home != MEASURE_NONE)
		data->home = other->home;
	if (other->from < data->from)
		data->from = other->from;
	if (other->until < data->until)
		data->until = other->until;
}

static uint32_t gather_one(
	struct task_data_gathering *gathering, const struct measure_task_data *data)
{
	struct measure_tasks *tasks = gathering->reading->tasks;
	const uint32_t index = measure_map_intern(&gathering->numbers,
		measure_key_pair(data->process, data->handle), (uint32_t)tasks->nr_data);

	if (index == tasks->nr_data)
		*measure_append_to(tasks->data, tasks->nr_data, gathering->room_data) = *data;
	else
		join_data(&tasks->data[index], data);
	return index;
}

static void gather_place_data(struct task_data_gathering *gathering, uint32_t location)
{
	struct task_place *place = &gathering->reading->places[location];
	uint32_t *global = measure_uncleared(place->nr_data, sizeof(*global));

	for (size_t i = 0; i < place->nr_data; i++)
		global[i] = gather_one(gathering, &place->data[i]);
	for (size_t i = 0; i + 1 < place->nr_coordinates; i += 2)
		*measure_append(gathering, coordinates) =
			(struct data_coordinate){global[place->coordinates[i]],
				gathering->nr_coordinates, place->coordinates[i + 1]};
	gathering->global[location] = global;
	measure_free(place->data);
	measure_free(place->coordinates);
	measure_map_free(&place->data_numbers);
	place->data = NULL;
	place->coordinates = NULL;
}

/* Processes one after the other: their data stands together. */
static void gather_all_data(struct task_data_gathering *gathering)
{
	const struct measure_definitions *definitions = &gathering->reading->trace->definitions;

	for (uint32_t process = 0; process <= definitions->nr_location_groups; process++)
		for (uint32_t i = 0; i < definitions->nr_locations; i++) {
			const uint32_t group = definitions->locations[i].group;
			const bool is_nowhere = group >= definitions->nr_location_groups;

			if (is_nowhere ? process == definitions->nr_location_groups
				       : process == group)
				gather_place_data(gathering, i);
		}
}

static int compare_coordinates(const void *left, const void *right)
{
	const struct data_coordinate *a = left, *b = right;

	if (a->data != b->data)
		return a->data < b->data ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void gather_coordinates(struct task_data_gathering *gathering)
{
	struct measure_tasks *tasks = gathering->reading->tasks;

	measure_sort(gathering->coordinates, gathering->nr_coordinates, compare_coordinates);
	tasks->coordinates =
		measure_uncleared(gathering->nr_coordinates, sizeof(*tasks->coordinates));
	for (uint32_t i = 0; i < gathering->nr_coordinates; i++) {
		struct measure_task_data *data = &tasks->data[gathering->coordinates[i].data];

		if (data->nr_coordinates++ == 0)
			data->first_coordinate = i;
		tasks->coordinates[i] = gathering->coordinates[i].value;
	}
	measure_free(gathering->coordinates);
}

/* ---------------------------------------------------------------------- transfers --- */

static int compare_transfers(const void *left, const void *right)
{
	const struct measure_task_transfer *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	if (a->data != b->data)
		return a->data < b->data ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static void gather_transfers(struct task_data_gathering *gathering)
{
	const struct measure_definitions *definitions = &gathering->reading->trace->definitions;
	struct measure_tasks *tasks = gathering->reading->tasks;
	struct measure_map numbers = {.nr_used = 0};
	size_t room = 0;

	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const struct task_place *place = &gathering->reading->places[i];

		for (size_t n = 0; n < place->nr_transfers; n++) {
			struct measure_task_transfer transfer = place->transfers[n];

			if (transfer.data != MEASURE_NONE)
				transfer.data = gathering->global[i][transfer.data];
			measure_map_set(&numbers,
				measure_key_pair(transfer.process, place->transfer_numbers[n]),
				(uint32_t)tasks->nr_transfers);
			*measure_append_to(tasks->transfers, tasks->nr_transfers, room) = transfer;
		}
	}
	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const struct task_place *place = &gathering->reading->places[i];

		for (size_t n = 0; n < place->nr_transfer_ends; n++) {
			const uint32_t found = measure_map_get(
				&numbers, measure_key_pair(definitions->locations[i].group,
						  place->transfer_ends[n].number));

			if (found != MEASURE_NONE)
				tasks->transfers[found].end = place->transfer_ends[n].time;
		}
	}
	measure_map_free(&numbers);
	measure_sort(tasks->transfers, tasks->nr_transfers, compare_transfers);
}

/* ----------------------------------------------------------------------- accesses --- */

/* The lists of a location are in order of tasks, and tell how many each of them has. */
static void count_accesses(struct tasks_reading *reading)
{
	struct measure_tasks *tasks = reading->tasks;
	uint64_t *first = measure_zeroed(tasks->nr_tasks + 1, sizeof(*first));

	for (size_t i = 0; i < reading->trace->definitions.nr_locations; i++) {
		const struct task_lists *lists = &reading->places[i].accesses;

		for (size_t n = 0; n < lists->nr_lists; n++)
			first[lists->lists[n].task + 1] = lists->lists[n].nr;
	}
	for (size_t i = 0; i < tasks->nr_tasks; i++)
		first[i + 1] += first[i];
	tasks->first_accesses = first;
}

static void gather_accesses(struct task_data_gathering *gathering)
{
	struct tasks_reading *reading = gathering->reading;
	struct measure_tasks *tasks = reading->tasks;

	count_accesses(reading);
	tasks->accesses =
		measure_uncleared(tasks->first_accesses[tasks->nr_tasks], sizeof(*tasks->accesses));
	for (size_t i = 0; i < reading->trace->definitions.nr_locations; i++) {
		struct task_lists *lists = &reading->places[i].accesses;
		const uint32_t *item = lists->items;

		for (size_t n = 0; n < lists->nr_lists; n++) {
			struct measure_task_access *access =
				&tasks->accesses[tasks->first_accesses[lists->lists[n].task]];

			for (uint32_t a = 0; a < lists->lists[n].nr; a++) {
				access[a] = ((union task_access_item){.number = *item++}).access;
				access[a].data = gathering->global[i][access[a].data] &
						 (MEASURE_TASK_MOST - 1);
			}
		}
		task_lists_free(lists);
	}
}

void tasks_gather_data(struct tasks_reading *reading)
{
	const size_t nr_locations = reading->trace->definitions.nr_locations;
	struct task_data_gathering gathering = {.reading = reading,
		.global = measure_zeroed(nr_locations, sizeof(*gathering.global))};

	gather_all_data(&gathering);
	gather_coordinates(&gathering);
	gather_transfers(&gathering);
	gather_accesses(&gathering);
	for (size_t i = 0; i < nr_locations; i++)
		measure_free(gathering.global[i]);
	measure_free(gathering.global);
	measure_map_free(&gathering.numbers);
}

/* -------------------------------------------------------------------------- lists --- */

void task_lists_begin(struct task_lists *lists, uint32_t task)
{
	*measure_append(lists, lists) = (struct task_list){.task = task};
}

void task_lists_free(struct task_lists *lists)
{
	measure_free(lists->items);
	measure_free(lists->lists);
	*lists = (struct task_lists){.nr = 0};
}
