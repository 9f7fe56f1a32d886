/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts together what locations have said of tasks and of themselves: tasks without a creation,
 * types, workers and what these did. */
#include "config.h"

#include <string.h>

#include "tasks_reading.h"

const char *const measure_task_modes[MEASURE_NR_TASK_MODES] = {
	"R", "W", "RW", "mutexinoutset", "inoutset"};

const char *const measure_worker_states[MEASURE_NR_WORKER_STATES] = {
#define WORKER_STATE(NAME, state, role, region) state,
#include "task_vocabulary.def"
};

const struct measure_task task_unknown = {.create = MEASURE_TASK_NO_TIME,
	.ready = MEASURE_TASK_NO_TIME,
	.start = MEASURE_TASK_NO_TIME,
	.end = MEASURE_TASK_NO_TIME,
	.type = MEASURE_NONE,
	.worker = MEASURE_NONE,
	.parent = MEASURE_NONE,
	.process = MEASURE_NONE,
	.team = MEASURE_NONE,
	.creator = MEASURE_NONE,
	.number = MEASURE_NONE,
	.iteration = MEASURE_NONE};

/* ------------------------------------------------------------------------ columns --- */

static const struct task_column_format {
	size_t item_size;
	int fill;
} column_formats[TASK_NR_COLUMNS] = {
#define COLUMN(NAME, member, fill) {sizeof(*((struct measure_tasks *)NULL)->member), fill},
#include "task_columns.def"
#undef COLUMN
};

static void *column_new(const struct task_column_format *format, size_t nr)
{
	void *items = measure_zeroed(nr, format->item_size);

	if (format->fill)
		memset(items, format->fill, nr * format->item_size);
	return items;
}

void *task_column_make(struct tasks_reading *reading, enum task_column column)
{
	/* with the release below */
	void *items = atomic_load_explicit(&reading->columns[column], memory_order_acquire);

	if (items)
		return items;
	pthread_mutex_lock(&reading->lock);
	items = atomic_load_explicit(&reading->columns[column], memory_order_relaxed);
	if (!items) {
		items = column_new(&column_formats[column], reading->tasks->nr_tasks);
		atomic_store_explicit(&reading->columns[column], items, memory_order_release);
	}
	pthread_mutex_unlock(&reading->lock);
	return items;
}

void *tasks_enlarge(void *items, size_t nr, size_t more, size_t item_size)
{
	char *copy = measure_uncleared(nr + more, item_size);

	if (nr > 0)
		memcpy(copy, items, nr * item_size);
	measure_free(items);
	return copy;
}

void tasks_append(struct tasks_reading *reading, size_t nr)
{
	struct measure_tasks *tasks = reading->tasks;

	if (nr == 0)
		return;
	tasks->tasks = tasks_enlarge(tasks->tasks, tasks->nr_tasks, nr, sizeof(*tasks->tasks));
	for (size_t i = 0; i < nr; i++)
		tasks->tasks[tasks->nr_tasks + i] = task_unknown;
	for (size_t i = 0; i < TASK_NR_COLUMNS; i++) {
		const struct task_column_format *format = &column_formats[i];
		char *items = reading->columns[i];

		if (!items)
			continue;
		items = tasks_enlarge(items, tasks->nr_tasks, nr, format->item_size);
		memset(items + tasks->nr_tasks * format->item_size, format->fill,
			nr * format->item_size);
		reading->columns[i] = items;
	}
	tasks->nr_tasks += nr;
}

/* ------------------------------------------------------------------------- strays --- */

/* Of the same task, as two locations know it. */
static void join_strays(struct measure_task *task, const struct measure_task *stray)
{
	task->executed += stray->executed;
	if (stray->start != MEASURE_TASK_NO_TIME) {
		task_begin_piece(task, stray->start, stray->worker);
		if (task->worker == stray->worker)
			task->type = stray->type;
	}
	if (stray->end != MEASURE_TASK_NO_TIME &&
		(task->end == MEASURE_TASK_NO_TIME || task->end < stray->end))
		task->end = stray->end;
}

static void gather_strays(struct tasks_reading *reading)
{
	const size_t nr_locations = reading->trace->definitions.nr_locations;
	struct measure_tasks *tasks = reading->tasks;
	size_t most = 0, nr = tasks->nr_created;

	for (size_t i = 0; i < nr_locations; i++)
		most += reading->places[i].nr_strays;
	if (nr + most >= MEASURE_TASK_MOST)
		measure_end("the trace has more than %u tasks", MEASURE_TASK_MOST);
	tasks_append(reading, most);
	for (size_t i = 0; i < nr_locations; i++)
		for (size_t s = 0; s < reading->places[i].nr_strays; s++) {
			const struct measure_task *stray = &reading->places[i].strays[s];
			const struct task_name name = {stray->team, stray->creator, stray->number};
			const uint32_t index =
				task_index_intern(&reading->index, name, (uint32_t)nr);

			if (index == nr)
				tasks->tasks[nr++] = *stray;
			else
				join_strays(&tasks->tasks[index], stray);
		}
	tasks->nr_tasks = nr;
	tasks->troubles.nr_uncreated = nr - tasks->nr_created;
}

/* -------------------------------------------------------------------------- types --- */

/* Those that are executed are of the run-time, if their region says that no program has it. */
static bool region_is_application(const struct measure_region *region)
{
	return region->role != OTF2_REGION_ROLE_ARTIFICIAL &&
	       region->role != OTF2_REGION_ROLE_WRAPPER;
}

static uint32_t type_of_region(
	struct tasks_reading *reading, uint32_t *types, uint32_t region, size_t *room)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	struct measure_tasks *tasks = reading->tasks;

	if (types[region] != MEASURE_NONE)
		return types[region];
	types[region] = (uint32_t)tasks->nr_types;
	*measure_append_to(tasks->types, tasks->nr_types, *room) =
		(struct measure_task_type){.region = region,
			.name = measure_name_of_region(definitions, region),
			.is_application = region_is_application(&definitions->regions[region])};
	return types[region];
}

static void count_task(struct measure_task_type *type, const struct measure_task *task)
{
	type->nr_tasks++;
	type->nr_executed += measure_task_is_executed(task);
	type->executed += task->executed;
}

static void gather_types(struct tasks_reading *reading)
{
	const size_t nr_regions = reading->trace->definitions.nr_regions;
	struct measure_tasks *tasks = reading->tasks;
	uint32_t *types = measure_uncleared(nr_regions, sizeof(*types));
	size_t room = 0;

	for (size_t i = 0; i < nr_regions; i++)
		types[i] = MEASURE_NONE;
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		struct measure_task *task = &tasks->tasks[i];

		if (task->type == MEASURE_NONE)
			continue;
		task->type = type_of_region(reading, types, task->type & ~TASK_IS_CODELET, &room);
		count_task(&tasks->types[task->type], task);
	}
	measure_free(types);
}

/* ------------------------------------------------------------------------ workers --- */

enum worker_property {
#define WORKER_PROPERTY(NAME, property, type) WORKER_PROPERTY_##NAME,
#include "task_vocabulary.def"
	NR_WORKER_PROPERTIES
};

static const char *const worker_properties[NR_WORKER_PROPERTIES] = {
#define WORKER_PROPERTY(NAME, property, type) property,
#include "task_vocabulary.def"
};

/* What its properties say of a location. */
struct worker_facts {
	uint32_t values[NR_WORKER_PROPERTIES]; /* or MEASURE_NONE; of a class its string */
};

static uint32_t property_value(
	const struct measure_definitions *definitions, const struct measure_property *property)
{
	switch (property->type) {
	case OTF2_TYPE_STRING:
		return measure_definition_index(
			definitions, MEASURE_KIND_STRING, property->value.stringRef);
	case OTF2_TYPE_UINT8:
		return property->value.uint8;
	case OTF2_TYPE_UINT64:
		return (uint32_t)property->value.uint64;
	default:
		return property->value.uint32;
	}
}

static struct worker_facts *find_worker_facts(const struct measure_definitions *definitions)
{
	struct worker_facts *facts = measure_uncleared(definitions->nr_locations, sizeof(*facts));

	memset(facts, 0xff, definitions->nr_locations * sizeof(*facts));
	for (size_t i = 0; i < definitions->nr_properties; i++) {
		const struct measure_property *property = &definitions->properties[i];
		const char *name = measure_text(definitions, property->name);

		if (property->kind != MEASURE_KIND_LOCATION ||
			property->owner >= definitions->nr_locations)
			continue;
		for (size_t p = 0; p < NR_WORKER_PROPERTIES; p++)
			if (strcmp(name, worker_properties[p]) == 0 &&
				(p == WORKER_PROPERTY_CLASS) ==
					(property->type == OTF2_TYPE_STRING))
				facts[property->owner].values[p] =
					property_value(definitions, property);
	}
	return facts;
}

static uint32_t class_of_name(struct measure_tasks *tasks, const char *name, size_t *room)
{
	for (uint32_t i = 0; i < tasks->nr_classes; i++)
		if (strcmp(tasks->classes[i].name, name) == 0)
			return i;
	*measure_append_to(tasks->classes, tasks->nr_classes, *room) =
		(struct measure_worker_class){.name = name};
	return (uint32_t)tasks->nr_classes - 1;
}

static struct measure_worker worker_of(const struct tasks_reading *reading, uint32_t location,
	const struct worker_facts *facts, uint32_t class)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const struct task_place *place = &reading->places[location];
	const uint32_t group = definitions->locations[location].group;

	return (struct measure_worker){.location = location,
		.class = class,
		.process = group,
		.host = group < definitions->nr_location_groups
				? definitions->location_groups[group].host
				: MEASURE_NONE,
		.number = facts->values[WORKER_PROPERTY_NUMBER],
		.memory_node = facts->values[WORKER_PROPERTY_MEMORY_NODE],
		.core = facts->values[WORKER_PROPERTY_CORE],
		.first = place->first,
		.last = place->last};
}

static void gather_workers(struct tasks_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	struct measure_tasks *tasks = reading->tasks;
	struct worker_facts *facts = find_worker_facts(definitions);
	size_t room_classes = 0, room_workers = 0;

	tasks->location_workers =
		measure_uncleared(definitions->nr_locations, sizeof(*tasks->location_workers));
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t name = facts[i].values[WORKER_PROPERTY_CLASS];
		const bool is_worker = reading->places[i].executes ||
				       facts[i].values[WORKER_PROPERTY_NUMBER] != MEASURE_NONE;
		uint32_t class;

		tasks->location_workers[i] = is_worker ? (uint32_t)tasks->nr_workers : MEASURE_NONE;
		if (!is_worker)
			continue;
		class = class_of_name(tasks,
			name == MEASURE_NONE ? "thread" : measure_text(definitions, name),
			&room_classes);
		tasks->classes[class].nr_workers++;
		*measure_append_to(tasks->workers, tasks->nr_workers, room_workers) =
			worker_of(reading, i, &facts[i], class);
	}
	measure_free(facts);
}

/* Tasks know the location that has started them. */
static void name_workers(struct measure_tasks *tasks)
{
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		struct measure_task *task = &tasks->tasks[i];

		if (task->worker != MEASURE_NONE)
			task->worker = tasks->location_workers[task->worker];
		tasks->troubles.nr_unfinished +=
			task->start != MEASURE_TASK_NO_TIME && task->end == MEASURE_TASK_NO_TIME;
	}
}

/* ------------------------------------------------------------------------- places --- */

static void gather_intervals(struct tasks_reading *reading)
{
	const size_t nr_locations = reading->trace->definitions.nr_locations;
	struct measure_tasks *tasks = reading->tasks;
	size_t nr = 0;

	for (size_t i = 0; i < nr_locations; i++)
		nr += reading->places[i].nr_intervals;
	tasks->intervals = measure_uncleared(nr, sizeof(*tasks->intervals));
	for (size_t i = 0; i < nr_locations; i++) {
		struct task_place *place = &reading->places[i];

		for (size_t n = 0; n < place->nr_intervals; n++) {
			place->intervals[n].worker = tasks->location_workers[i];
			tasks->intervals[tasks->nr_intervals++] = place->intervals[n];
		}
		measure_free(place->intervals);
		place->intervals = NULL;
	}
}

static void gather_troubles(struct tasks_reading *reading)
{
	struct measure_task_troubles *troubles = &reading->tasks->troubles;

	for (size_t i = 0; i < reading->trace->definitions.nr_locations; i++) {
		const struct task_place *place = &reading->places[i];

		if (place->first != MEASURE_TASK_NO_TIME && place->last > reading->tasks->length)
			reading->tasks->length = place->last;
		troubles->nr_twice += place->nr_twice;
		troubles->nr_unknown += place->nr_unknown;
		troubles->nr_broken += place->is_broken;
	}
}

void tasks_gather(struct tasks_reading *reading)
{
	gather_troubles(reading);
	gather_strays(reading);
	gather_types(reading);
	gather_workers(reading);
	name_workers(reading->tasks);
	gather_intervals(reading);
}
