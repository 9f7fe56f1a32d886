/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What reading the tasks of a trace is made of. All locations are read twice: first for creations,
 * which give tasks their places (task_creations.c), then for all the rest (task_location.c), which
 * goes straight there; both by threads, a location each. Then what locations have said is put
 * together (tasks_gather.c, tasks_data.c), dependences are inferred (tasks_infer.c), and the graph
 * is put in order (tasks_graph.c). */
#ifndef MEASURE_ANALYSIS_TASKS_TASKS_READING_H
#define MEASURE_ANALYSIS_TASKS_TASKS_READING_H

#include <pthread.h>
#include <stdatomic.h>

#include "tasks.h"
#include "trace/stream/stream.h"

#define TASK_NR_LOCKS 256 /* a task is under that of its index modulo this */

/* The type of a task while it is read: its region; with this bit that of its codelet. */
#define TASK_IS_CODELET (UINT32_C(1) << 31)

/* The words of task_vocabulary.def. */
enum task_word {
#define TASK_ATTRIBUTE(NAME, ...) TASK_ATTRIBUTE_##NAME,
#include "task_vocabulary.def"
#define TASK_FACT(NAME, ...) TASK_FACT_##NAME,
#include "task_vocabulary.def"
#define DATA_FACT(NAME, ...) TASK_DATA_##NAME,
#define DATA_TEXT(NAME, ...) TASK_DATA_##NAME,
#include "task_vocabulary.def"
	TASK_NR_WORDS,
	TASK_NO_WORD = TASK_NR_WORDS
};

/* Columns of tasks, while they are read. */
enum task_column {
#define COLUMN(NAME, member, fill) TASK_COLUMN_##NAME,
#include "task_columns.def"
#undef COLUMN
	TASK_NR_COLUMNS
};

/* Index of each task by its name in the trace; numbers are mostly dense. */
#define TASK_PAGE 64
struct task_index {
	struct measure_map pages; /* (team and creator, number / TASK_PAGE) -> page */
	uint32_t (*indices)[TASK_PAGE];
	size_t nr_pages, room_pages;
};

/* The page that was asked for last; all zero at first. */
struct task_index_place {
	struct measure_key key;
	uint32_t page;
	bool is_valid;
};

struct task_name {
	uint32_t team, creator, number;
};

uint32_t task_index_find(
	const struct task_index *index, struct task_index_place *place, struct task_name name);
/* The index that a task has then: `next`, if it had none. */
uint32_t task_index_intern(struct task_index *index, struct task_name name, uint32_t next);
void task_index_free(struct task_index *index);

struct task_creation {
	uint64_t time;
	struct task_name name;
	uint32_t location;
};

struct task_creations {
	MEASURE_GROWING_ITEMS(struct task_creation);
};

/* Items that tasks have several of, those of one task together. */
struct task_lists {
	MEASURE_GROWING_ITEMS(uint32_t);
	struct task_list {
		uint32_t task, nr;
	} * lists;
	size_t nr_lists, room_lists;
};

/* An access as an item. */
union task_access_item {
	struct measure_task_access access;
	uint32_t number;
};

struct task_transfer_end {
	uint64_t number, time;
};

/* What a location has said. */
struct task_place {
	struct measure_task *strays; /* tasks without a creation, behind all others by index */
	size_t nr_strays, room_strays;
	struct task_index stray_index;
	struct task_lists accesses;    /* struct measure_task_access, with local numbers of data */
	struct task_lists dependences; /* indices of tasks */
	MEASURE_GROWING(struct measure_task_data, data);
	struct measure_map data_numbers;        /* by handle */
	MEASURE_GROWING(uint64_t, coordinates); /* pairs: number of data, value */
	MEASURE_GROWING(struct measure_task_transfer, transfers);
	MEASURE_GROWING(uint64_t, transfer_numbers); /* of these, as the trace has them */
	MEASURE_GROWING(struct task_transfer_end, transfer_ends);
	MEASURE_GROWING(struct measure_worker_interval, intervals);
	uint64_t first, last; /* event */
	uint64_t nr_twice, nr_unknown;
	bool executes, is_broken;
};

struct tasks_reading {
	struct measure_trace *trace;
	const struct measure_tasks_options *options;
	struct measure_tasks *tasks;
	uint8_t *parameter_words, *attribute_words; /* enum task_word, by definition */
	/* by region: enum measure_worker_state, or MEASURE_NR_WORKER_STATES */
	uint8_t *region_states;
	bool *region_waits; /* for tasks: who is in there does not execute */
	uint32_t *order; /* in which locations are read */
	struct task_index index;
	struct task_creations *creations; /* by location */
	/* teams that have made tasks: those of process p are teams[first_teams[p]] and so on */
	uint32_t *teams, *first_teams;
	struct task_place *places; /* by location */
	_Atomic(void *) columns[TASK_NR_COLUMNS];
	uint64_t nr_expected, nr_read;
	pthread_mutex_t lock; /* columns that come to be, progress, findings */
	pthread_mutex_t locks[TASK_NR_LOCKS];
};

/* ------------------------------------------------------------------- one location --- */

struct task_stream {
	struct measure_stream stream;
	struct measure_trace reader;
	struct measure_findings findings;
	struct measure_location_definition before;
	uint32_t location;
	uint64_t nr_events;
};

#define TASK_EVENTS_PER_PROGRESS 262144

bool task_stream_open(struct task_stream *stream, struct tasks_reading *reading, uint32_t location);
/* True: all events have been read. `is_told`: what is wrong with them is reported. */
bool task_stream_close(struct task_stream *stream, struct tasks_reading *reading, bool is_told);
void tasks_reading_progress(struct tasks_reading *reading, uint64_t nr_events);

static inline const struct measure_event *task_stream_next(
	struct task_stream *stream, struct tasks_reading *reading)
{
	if (unlikely(++stream->nr_events % TASK_EVENTS_PER_PROGRESS == 0))
		tasks_reading_progress(reading, TASK_EVENTS_PER_PROGRESS);
	return measure_stream_next(&stream->stream);
}

/* measure_workers_share: the index-th location in order. */
void task_creations_read(void *reading, size_t index);
void task_location_read(void *reading, size_t index);

/* A location in its second reading. */
struct tasks_walk {
	struct tasks_reading *reading;
	struct task_place *place;
	struct task_stream stream;
	uint32_t location, process;
	uint64_t time; /* of the event */
	struct task_index_place running_place, named_place, created_place;

	/* what runs: the innermost team that has an explicit task */
	struct task_frame {
		uint32_t team;
		uint32_t task; /* or MEASURE_NONE: an implicit one */
	} * frames;
	size_t nr_frames, room_frames;
	uint32_t running;  /* task, or MEASURE_NONE */
	uint64_t since;    /* it does, unless it waits */
	uint64_t ran;      /* ticks before that, here */
	uint32_t nr_waits; /* regions in which it waits for others, within each other */
	bool awaits_region;
	struct task_suspended {
		uint32_t task, nr_waits;
		uint64_t ran;
	} * suspended;
	size_t nr_suspended, room_suspended;

	/* what facts are about */
	uint32_t team;                          /* of the last record of a task */
	uint32_t created, last_created;         /* or MEASURE_NONE */
	uint32_t data;                          /* number, or MEASURE_NONE */
	struct measure_task_transfer *transfer; /* or NULL */

	/* what the location is in, and since when */
	MEASURE_GROWING(uint8_t, states); /* or TASK_STATE_TASK */
	uint64_t state_since;
};

#define TASK_STATE_TASK MEASURE_NR_WORKER_STATES

struct measure_task *tasks_walk_task(struct tasks_walk *walk, uint32_t task);
void tasks_walk_lock(struct tasks_walk *walk, uint32_t task);
void tasks_walk_unlock(struct tasks_walk *walk, uint32_t task);

/* task_facts.c: a creation, and what follows it. */
void tasks_walk_create(struct tasks_walk *walk, const struct measure_event *event);
void tasks_walk_parameter(struct tasks_walk *walk, const struct measure_event *event);
void tasks_walk_text(struct tasks_walk *walk, const struct measure_event *event);

/* Ticks that the running task has executed here. */
static inline uint64_t tasks_walk_ran(const struct tasks_walk *walk)
{
	return walk->nr_waits == 0 && walk->time > walk->since
		       ? walk->ran + walk->time - walk->since
		       : walk->ran;
}

extern const struct measure_task task_unknown;

/* Ticks since the start of the trace. */
static inline uint64_t task_ticks(const struct tasks_reading *reading, uint64_t time)
{
	return time > reading->tasks->start ? time - reading->tasks->start : 0;
}

/* `task` has begun there at some time, or before that elsewhere; the earliest one counts. The
 * caller has the task's lock. */
void task_begin_piece(struct measure_task *task, uint64_t time, uint32_t location);

static inline bool task_type_is_codelet(uint32_t type)
{
	return type != MEASURE_NONE && type & TASK_IS_CODELET;
}

/* -------------------------------------------------------------------- afterwards --- */

/* Gives each created task its place, and the index theirs. */
void tasks_place(struct tasks_reading *reading);

void task_lists_begin(struct task_lists *lists, uint32_t task);
static inline void task_lists_add(struct task_lists *lists, uint32_t task, uint32_t item)
{
	if (lists->nr_lists == 0 || lists->lists[lists->nr_lists - 1].task != task)
		task_lists_begin(lists, task);
	lists->lists[lists->nr_lists - 1].nr++;
	*measure_append_item(lists) = item;
}
void task_lists_free(struct task_lists *lists);

/* The items of a column, which comes to be if there is none. */
void *task_column_make(struct tasks_reading *reading, enum task_column column);
#define task_column(reading, NAME, type) ((type *)task_column_make(reading, TASK_COLUMN_##NAME))

/* A copy with room for `more` items behind those that are there; the old one is freed. */
void *tasks_enlarge(void *items, size_t nr, size_t more, size_t item_size);
/* Appends `nr` tasks of which nothing is known, to all columns, too. */
void tasks_append(struct tasks_reading *reading, size_t nr);

void tasks_gather(struct tasks_reading *reading);
void tasks_gather_data(struct tasks_reading *reading);
void tasks_match_exchanges(struct tasks_reading *reading);
/* Makes edges and joins. */
void tasks_infer(struct tasks_reading *reading);
/* Makes `order`, and takes out what is cyclic; then knows when tasks became ready. */
void tasks_put_in_order(struct measure_tasks *tasks);

#endif
