/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is said of tasks, data and transfers beside what runs: attributes of creations, and
 * parameters. A task that was created on the location is nobody else's business, but for its type.
 */
#include "config.h"

#include "tasks_reading.h"

/* --------------------------------------------------------------------- attributes --- */

static uint64_t attribute_number(const struct measure_record_attribute *attribute)
{
	switch (attribute->type) {
	case OTF2_TYPE_UINT8:
		return attribute->value.uint8;
	case OTF2_TYPE_UINT16:
		return attribute->value.uint16;
	case OTF2_TYPE_UINT32:
		return attribute->value.uint32;
	case OTF2_TYPE_DOUBLE:
		return attribute->value.float64 > 0 ? (uint64_t)attribute->value.float64 : 0;
	default:
		return attribute->value.uint64;
	}
}

static double attribute_real(const struct measure_record_attribute *attribute)
{
	return attribute->type == OTF2_TYPE_DOUBLE  ? attribute->value.float64
	       : attribute->type == OTF2_TYPE_FLOAT ? (double)attribute->value.float32
						    : (double)attribute_number(attribute);
}

static uint32_t small_number(uint64_t number)
{
	return number < MEASURE_NONE ? (uint32_t)number : MEASURE_NONE - 1;
}

static void walk_set_codelet(
	struct tasks_walk *walk, const struct measure_record_attribute *attribute)
{
	const struct measure_definitions *definitions = &walk->reading->trace->definitions;
	const uint32_t region = attribute->type == OTF2_TYPE_REGION
					? measure_definition_index(definitions, MEASURE_KIND_REGION,
						  attribute->value.regionRef)
					: MEASURE_NONE;

	if (region == MEASURE_NONE)
		return;
	tasks_walk_lock(walk, walk->created);
	walk->reading->tasks->tasks[walk->created].type = region | TASK_IS_CODELET;
	tasks_walk_unlock(walk, walk->created);
}

static void walk_attribute(
	struct tasks_walk *walk, const struct measure_record_attribute *attribute)
{
	struct tasks_reading *reading = walk->reading;
	const uint32_t index = measure_definition_index(
		&reading->trace->definitions, MEASURE_KIND_ATTRIBUTE, attribute->id);

	if (index == MEASURE_NONE)
		return;
	switch (reading->attribute_words[index]) {
	case TASK_ATTRIBUTE_CODELET:
		walk_set_codelet(walk, attribute);
		break;
	case TASK_ATTRIBUTE_ITERATION:
		reading->tasks->tasks[walk->created].iteration =
			small_number(attribute_number(attribute));
		break;
	case TASK_ATTRIBUTE_TAG:
		task_column(reading, TAG, uint64_t)[walk->created] = attribute_number(attribute);
		break;
	case TASK_ATTRIBUTE_FLOPS:
		task_column(reading, FLOPS, double)[walk->created] = attribute_real(attribute);
		break;
	case TASK_ATTRIBUTE_FOOTPRINT:
		task_column(reading, FOOTPRINT, uint64_t)[walk->created] =
			attribute_number(attribute);
		break;
	}
}

/* ---------------------------------------------------------------------- creations --- */

/* Who runs has made it, as long as nothing else is said. */
static void walk_set_parent(struct tasks_walk *walk)
{
	const uint64_t ran = tasks_walk_ran(walk);

	if (walk->running >= walk->reading->tasks->nr_created) /* or none */
		return;
	walk->reading->tasks->tasks[walk->created].parent = walk->running;
	if (ran > 0)
		task_column(walk->reading, SPAWNED, uint64_t)[walk->created] = ran;
}

void tasks_walk_create(struct tasks_walk *walk, const struct measure_event *event)
{
	const struct task_name name = {event->ref, event->peer, event->tag};
	const struct measure_record *record = walk->stream.stream.record;
	uint32_t index = MEASURE_NONE;

	walk->created = MEASURE_NONE;
	walk->data = MEASURE_NONE;
	walk->transfer = NULL;
	if (name.team == MEASURE_NONE || name.number == 0)
		return;
	walk->team = name.team;
	index = task_index_find(&walk->reading->index, &walk->created_place, name);
	/* the second one of a name has no task */
	if (index == MEASURE_NONE || walk->reading->tasks->tasks[index].process != walk->location ||
		(walk->last_created != MEASURE_NONE && index <= walk->last_created))
		return;
	walk->created = walk->last_created = index;
	walk_set_parent(walk);
	for (uint32_t i = 0; i < record->nr_attributes; i++)
		walk_attribute(walk, &record->attributes[i]);
}

/* -------------------------------------------------------------------------- facts --- */

static uint32_t walk_find(struct tasks_walk *walk, uint32_t team, uint64_t value)
{
	return task_index_find(&walk->reading->index, &walk->named_place,
		(struct task_name){team, (uint32_t)(value >> 32), (uint32_t)value});
}

/* The team is not said: most have one, or speak of the one that they are in. */
static uint32_t walk_find_any(struct tasks_walk *walk, uint64_t value)
{
	const struct tasks_reading *reading = walk->reading;
	uint32_t index = MEASURE_NONE;

	if (walk->team != MEASURE_NONE)
		index = walk_find(walk, walk->team, value);
	if (walk->process >= reading->trace->definitions.nr_location_groups)
		return index;
	for (uint32_t i = reading->first_teams[walk->process];
		index == MEASURE_NONE && i < reading->first_teams[walk->process + 1]; i++)
		index = walk_find(walk, reading->teams[i], value);
	return index;
}

static void walk_set_ready(struct tasks_walk *walk, uint64_t value)
{
	const uint32_t index = walk_find_any(walk, value);
	struct measure_task *task;

	if (index == MEASURE_NONE)
		return;
	task = &walk->reading->tasks->tasks[index];
	tasks_walk_lock(walk, index);
	if (task->ready > walk->time)
		task->ready = walk->time;
	tasks_walk_unlock(walk, index);
}

static void walk_set_other_parent(struct tasks_walk *walk, uint64_t value)
{
	struct measure_task *task = &walk->reading->tasks->tasks[walk->created];
	const uint32_t parent = walk_find(walk, task->team, value);

	if (parent == task->parent || parent == walk->created || parent == MEASURE_NONE)
		return;
	if (task->parent != MEASURE_NONE)
		task_column(walk->reading, SPAWNED, uint64_t)[walk->created] = 0;
	task->parent = parent;
}

static void walk_add_dependence(struct tasks_walk *walk, uint64_t value)
{
	const struct measure_task *task = &walk->reading->tasks->tasks[walk->created];
	const uint32_t before = walk_find(walk, task->team, value);

	if (before == MEASURE_NONE)
		walk->place->nr_unknown++;
	else
		task_lists_add(&walk->place->dependences, walk->created, before);
}

static uint32_t walk_find_data(struct tasks_walk *walk, uint64_t handle)
{
	struct task_place *place = walk->place;
	const uint32_t number = measure_map_intern(
		&place->data_numbers, measure_key_of(handle), (uint32_t)place->nr_data);

	if (number == place->nr_data)
		*measure_append(place, data) = (struct measure_task_data){.handle = handle,
			.process = walk->process,
			.tag = UINT64_MAX,
			.home = MEASURE_NONE,
			.from = MEASURE_TASK_NO_TIME,
			.until = MEASURE_TASK_NO_TIME};
	return number;
}

static void walk_add_access(struct tasks_walk *walk, uint64_t handle, uint32_t mode)
{
	const union task_access_item item = {
		.access = {.data = walk_find_data(walk, handle) & (MEASURE_TASK_MOST - 1),
			.mode = mode & 7}};

	task_lists_add(&walk->place->accesses, walk->created, item.number);
}

static void walk_task_fact(struct tasks_walk *walk, enum task_word word, uint64_t value)
{
	struct tasks_reading *reading = walk->reading;
	const uint32_t task = walk->created;

	switch (word) {
	case TASK_FACT_PARENT:
		walk_set_other_parent(walk, value);
		break;
	case TASK_FACT_DEPENDENCE:
		walk_add_dependence(walk, value);
		break;
	case TASK_FACT_PRIORITY:
		task_column(reading, PRIORITY, int32_t)[task] = (int32_t)value;
		break;
	case TASK_FACT_FLAGS:
		task_column(reading, FLAGS, uint32_t)[task] = (uint32_t)value;
		break;
	case TASK_FACT_SUBITERATION:
		task_column(reading, SUBITERATION, uint32_t)[task] = small_number(value);
		break;
	case TASK_FACT_SEND:
		task_column(reading, PARTNER, uint32_t)[task] =
			(uint32_t)value << 2 | MEASURE_TASK_SENDS;
		break;
	case TASK_FACT_RECEIVE:
		task_column(reading, PARTNER, uint32_t)[task] =
			(uint32_t)value << 2 | MEASURE_TASK_RECEIVES;
		break;
	default:
		if (word >= TASK_FACT_ACCESS_IN && word <= TASK_FACT_ACCESS_INOUTSET)
			walk_add_access(walk, value, word - TASK_FACT_ACCESS_IN);
		break;
	}
}

/* --------------------------------------------------------------- data, transfers --- */

static void walk_about_data(struct tasks_walk *walk, uint64_t handle)
{
	walk->transfer = NULL;
	walk->data = walk_find_data(walk, handle);
}

static void walk_begin_transfer(struct tasks_walk *walk, uint64_t number)
{
	*measure_append(walk->place, transfer_numbers) = number;
	walk->transfer = measure_append(walk->place, transfers);
	*walk->transfer = (struct measure_task_transfer){.start = walk->time,
		.end = MEASURE_TASK_NO_TIME,
		.data = MEASURE_NONE,
		.from = MEASURE_NONE,
		.to = MEASURE_NONE,
		.process = walk->process};
}

/* A transfer has one handle; further ones speak of data. */
static void walk_name_data(struct tasks_walk *walk, uint64_t handle)
{
	if (walk->transfer && walk->transfer->data == MEASURE_NONE)
		walk->transfer->data = walk_find_data(walk, handle);
	else
		walk_about_data(walk, handle);
}

static void walk_transfer_fact(struct tasks_walk *walk, enum task_word word, uint64_t value)
{
	switch (word) {
	case TASK_DATA_BYTES:
		walk->transfer->bytes = value;
		break;
	case TASK_DATA_FROM:
		walk->transfer->from = small_number(value);
		break;
	case TASK_DATA_TO:
		walk->transfer->to = small_number(value);
		break;
	default:
		break;
	}
}

static void walk_data_fact(struct tasks_walk *walk, enum task_word word, uint64_t value)
{
	struct measure_task_data *data = &walk->place->data[walk->data];

	switch (word) {
	case TASK_DATA_BYTES:
		data->bytes = value;
		break;
	case TASK_DATA_HOME:
		data->home = small_number(value);
		break;
	case TASK_DATA_TAG:
		data->tag = value;
		break;
	case TASK_DATA_COORDINATE:
		*measure_append(walk->place, coordinates) = walk->data;
		*measure_append(walk->place, coordinates) = value;
		break;
	default:
		break;
	}
}

static void walk_about(struct tasks_walk *walk, enum task_word word, uint64_t value)
{
	switch (word) {
	case TASK_DATA_REGISTER:
		walk_about_data(walk, value);
		walk->place->data[walk->data].is_registered = true;
		walk->place->data[walk->data].from = walk->time;
		break;
	case TASK_DATA_UNREGISTER:
		walk_about_data(walk, value);
		walk->place->data[walk->data].until = walk->time;
		break;
	case TASK_DATA_HANDLE:
		walk_name_data(walk, value);
		break;
	case TASK_DATA_TRANSFER:
		walk_begin_transfer(walk, value);
		break;
	case TASK_DATA_TRANSFERRED:
		*measure_append(walk->place, transfer_ends) =
			(struct task_transfer_end){value, walk->time};
		break;
	default:
		if (walk->transfer)
			walk_transfer_fact(walk, word, value);
		else if (walk->data != MEASURE_NONE)
			walk_data_fact(walk, word, value);
		break;
	}
}

void tasks_walk_parameter(struct tasks_walk *walk, const struct measure_event *event)
{
	const struct tasks_reading *reading = walk->reading;
	enum task_word word;

	if (event->ref >= reading->trace->definitions.nr_parameters)
		return;
	word = (enum task_word)reading->parameter_words[event->ref];
	if (word == TASK_NO_WORD)
		return;
	if (word == TASK_FACT_READY)
		walk_set_ready(walk, event->number);
	else if (word >= TASK_DATA_REGISTER)
		walk_about(walk, word, event->number);
	else if (walk->created != MEASURE_NONE)
		walk_task_fact(walk, word, event->number);
}

void tasks_walk_text(struct tasks_walk *walk, const struct measure_event *event)
{
	const struct measure_definitions *definitions = &walk->reading->trace->definitions;
	const struct measure_record *record = walk->stream.stream.record;
	uint32_t string;

	if (event->ref >= definitions->nr_parameters || walk->data == MEASURE_NONE ||
		walk->reading->parameter_words[event->ref] != TASK_DATA_NAME)
		return;
	string = measure_definition_index(definitions, MEASURE_KIND_STRING, record->values[1]);
	if (string != MEASURE_NONE)
		walk->place->data[walk->data].name = measure_text(definitions, string);
}
