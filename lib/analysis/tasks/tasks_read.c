/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the tasks of an archive, from the first reading to the graph; see tasks_reading.h. */
#include "config.h"

#include <string.h>

#include "base/array.h"
#include "sync/parallel/workers.h"
#include "tasks_reading.h"

/* -------------------------------------------------------------------------- words --- */

static const char *const task_words[TASK_NR_WORDS] = {
#define TASK_ATTRIBUTE(NAME, attribute, ...) attribute,
#include "task_vocabulary.def"
#define TASK_FACT(NAME, parameter) parameter,
#include "task_vocabulary.def"
#define DATA_FACT(NAME, parameter) parameter,
#define DATA_TEXT(NAME, parameter) parameter,
#include "task_vocabulary.def"
};

#define WORKER_STATE_PREFIX "task.state."

_Static_assert(TASK_FACT_ACCESS_IN + MEASURE_TASK_ACCESS_INOUTSET == TASK_FACT_ACCESS_INOUTSET,
	"modes have the order of facts");

static uint8_t word_of(const char *text, size_t from, size_t until)
{
	for (size_t i = from; i < until; i++)
		if (strcmp(task_words[i], text) == 0)
			return (uint8_t)i;
	return TASK_NO_WORD;
}

static uint8_t state_of(const char *name)
{
	uint8_t state = 0;

	if (strncmp(name, WORKER_STATE_PREFIX, strlen(WORKER_STATE_PREFIX)) != 0)
		return MEASURE_NR_WORKER_STATES;
	while (state < MEASURE_NR_WORKER_STATES &&
		strcmp(name + strlen(WORKER_STATE_PREFIX), measure_worker_states[state]) != 0)
		state++;
	return state;
}

static void find_words(struct tasks_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;

	reading->parameter_words = measure_zeroed(definitions->nr_parameters, 1);
	for (size_t i = 0; i < definitions->nr_parameters; i++)
		reading->parameter_words[i] =
			word_of(measure_text(definitions, definitions->parameters[i].name),
				TASK_FACT_PARENT, TASK_NR_WORDS);
	reading->attribute_words = measure_zeroed(definitions->nr_attributes, 1);
	for (size_t i = 0; i < definitions->nr_attributes; i++)
		reading->attribute_words[i] =
			word_of(measure_text(definitions, definitions->attributes[i].name), 0,
				TASK_FACT_PARENT);
	reading->region_states = measure_zeroed(definitions->nr_regions, 1);
	reading->region_waits =
		measure_zeroed(definitions->nr_regions, sizeof(*reading->region_waits));
	for (size_t i = 0; i < definitions->nr_regions; i++) {
		reading->region_states[i] =
			state_of(measure_text(definitions, definitions->regions[i].canonical_name));
		reading->region_waits[i] =
			reading->region_states[i] == MEASURE_WORKER_WAITING ||
			definitions->regions[i].role == OTF2_REGION_ROLE_TASK_WAIT;
	}
}

/* ------------------------------------------------------------------------ threads --- */

struct location_length {
	uint64_t nr_events;
	uint32_t location;
};

static int compare_lengths(const void *left, const void *right)
{
	const struct location_length *a = left, *b = right;

	if (a->nr_events != b->nr_events)
		return a->nr_events < b->nr_events ? 1 : -1;
	return (a->location > b->location) - (a->location < b->location);
}

/* The longest ones first, so that no thread is left with one in the end. */
static void order_locations(struct tasks_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const size_t nr = definitions->nr_locations;
	struct location_length *lengths = measure_uncleared(nr, sizeof(*lengths));

	for (uint32_t i = 0; i < nr; i++) {
		lengths[i] = (struct location_length){definitions->locations[i].nr_events, i};
		reading->nr_expected += 2 * lengths[i].nr_events;
	}
	measure_sort(lengths, nr, compare_lengths);
	reading->order = measure_uncleared(nr, sizeof(*reading->order));
	for (size_t i = 0; i < nr; i++)
		reading->order[i] = lengths[i].location;
	measure_free(lengths);
}

static void read_all(struct tasks_reading *reading)
{
	const size_t nr = reading->trace->definitions.nr_locations;

	reading->creations = measure_zeroed(nr, sizeof(*reading->creations));
	measure_workers_share(reading->options->nr_threads, nr, task_creations_read, reading);
	tasks_place(reading);
	reading->places = measure_zeroed(nr, sizeof(*reading->places));
	measure_workers_share(reading->options->nr_threads, nr, task_location_read, reading);
}

/* ---------------------------------------------------------------------------- end --- */

static void name_processes(struct tasks_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	struct measure_tasks *tasks = reading->tasks;

	for (size_t i = 0; i < tasks->nr_tasks; i++)
		tasks->tasks[i].process = definitions->locations[tasks->tasks[i].process].group;
}

static void give_columns(struct tasks_reading *reading)
{
#define COLUMN(NAME, member, fill)                                                                 \
	reading->tasks->member = atomic_load(&reading->columns[TASK_COLUMN_##NAME]);
#include "task_columns.def"
#undef COLUMN
}

static void reading_free(struct tasks_reading *reading)
{
	for (size_t i = 0; i < reading->trace->definitions.nr_locations; i++) {
		struct task_place *place = &reading->places[i];

		measure_free(place->strays);
		task_index_free(&place->stray_index);
		measure_free(place->transfers);
		measure_free(place->transfer_numbers);
		measure_free(place->transfer_ends);
	}
	measure_free(reading->places);
	task_index_free(&reading->index);
	measure_free(reading->teams);
	measure_free(reading->first_teams);
	measure_free(reading->order);
	measure_free(reading->parameter_words);
	measure_free(reading->attribute_words);
	measure_free(reading->region_states);
	measure_free(reading->region_waits);
	pthread_mutex_destroy(&reading->lock);
	for (size_t i = 0; i < TASK_NR_LOCKS; i++)
		pthread_mutex_destroy(&reading->locks[i]);
}

measure_status_t measure_tasks_read(struct measure_trace *trace,
	const struct measure_tasks_options *options, struct measure_tasks *tasks)
{
	struct tasks_reading reading = {.trace = trace, .options = options, .tasks = tasks};

	*tasks = (struct measure_tasks){.start = trace->definitions.clock.offset};
	pthread_mutex_init(&reading.lock, NULL);
	for (size_t i = 0; i < TASK_NR_LOCKS; i++)
		pthread_mutex_init(&reading.locks[i], NULL);
	find_words(&reading);
	order_locations(&reading);
	read_all(&reading);
	tasks_gather(&reading);
	tasks_gather_data(&reading);
	tasks_match_exchanges(&reading);
	tasks_infer(&reading);
	tasks_put_in_order(tasks);
	name_processes(&reading);
	give_columns(&reading);
	reading_free(&reading);
	return tasks->troubles.nr_broken ? MEASURE_ERROR_FORMAT : MEASURE_OK;
}

void measure_tasks_free(struct measure_tasks *tasks)
{
#define COLUMN(NAME, member, fill) measure_free(tasks->member);
#include "task_columns.def"
#undef COLUMN
	measure_free(tasks->tasks);
	measure_free(tasks->edges);
	measure_free(tasks->first_edges);
	measure_free(tasks->order);
	measure_free(tasks->accesses);
	measure_free(tasks->first_accesses);
	measure_free(tasks->types);
	measure_free(tasks->classes);
	measure_free(tasks->workers);
	measure_free(tasks->location_workers);
	measure_free(tasks->data);
	measure_free(tasks->coordinates);
	measure_free(tasks->transfers);
	measure_free(tasks->intervals);
	measure_free(tasks->hops);
	*tasks = (struct measure_tasks){.nr_tasks = 0};
}

uint32_t measure_tasks_find(
	const struct measure_tasks *tasks, uint32_t team, uint32_t creator, uint32_t number)
{
	for (uint32_t i = 0; i < tasks->nr_tasks - tasks->nr_joins; i++)
		if (tasks->tasks[i].number == number && tasks->tasks[i].creator == creator &&
			tasks->tasks[i].team == team)
			return i;
	return MEASURE_NONE;
}
