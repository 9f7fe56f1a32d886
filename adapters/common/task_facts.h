/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For adapters of task run-times: attributes of tasks, facts about tasks and data, and states of
 * workers, in the words of task_vocabulary.def. */
#ifndef MEASURE_TASK_FACTS_H
#define MEASURE_TASK_FACTS_H

#include <stdint.h>

#include "adapter.h"

enum measure_task_fact {
#define TASK_FACT(NAME, parameter) MEASURE_TASK_##NAME,
#include "task_vocabulary.def"
	MEASURE_NR_TASK_FACTS
};

enum measure_data_fact {
#define DATA_FACT(NAME, parameter) MEASURE_DATA_##NAME,
#define DATA_TEXT(NAME, parameter) MEASURE_DATA_##NAME,
#include "task_vocabulary.def"
	MEASURE_NR_DATA_FACTS
};

enum measure_task_attribute {
#define TASK_ATTRIBUTE(NAME, attribute, description, type) MEASURE_TASK_ATTRIBUTE_##NAME,
#include "task_vocabulary.def"
	MEASURE_NR_TASK_ATTRIBUTES
};
_Static_assert(MEASURE_NR_TASK_ATTRIBUTES <= MEASURE_MOST_ATTRIBUTES, "a creation may have all");

enum measure_task_state {
#define WORKER_STATE(NAME, state, role, region) MEASURE_TASK_STATE_##NAME,
#include "task_vocabulary.def"
	MEASURE_NR_TASK_STATES
};

enum measure_worker_property {
#define WORKER_PROPERTY(NAME, property, type) MEASURE_WORKER_PROPERTY_##NAME,
#include "task_vocabulary.def"
	MEASURE_NR_WORKER_PROPERTIES
};

/* For measure_location_property(). */
extern const char *const measure_worker_properties[MEASURE_NR_WORKER_PROPERTIES];

/* Bits of MEASURE_TASK_FLAGS. That a task is untied is said by its region. */
enum measure_task_flag {
	MEASURE_TASK_UNDEFERRED = 1,
	MEASURE_TASK_FINAL = 2,
	MEASURE_TASK_MERGEABLE = 4,
	MEASURE_TASK_DETACHABLE = 8
};

/* Each once, outside of any transaction, before its facts or attributes are written. */
void measure_task_facts_define(void);
void measure_data_facts_define(void);
void measure_task_attributes_define(void);

static inline uint64_t measure_task_value(uint32_t creator, uint32_t number)
{
	return (uint64_t)creator << 32 | number;
}

/* In a transaction: of the thread that made the task, behind its creation and before that of
 * another one; MEASURE_TASK_READY on any thread. */
void measure_task_fact_write(
	struct measure_location *location, enum measure_task_fact fact, uint64_t value);

/* In a transaction. The value of MEASURE_DATA_NAME is a measure_string_t. */
void measure_data_fact_write(
	struct measure_location *location, enum measure_data_fact fact, uint64_t value);

/* An attribute for measure_write_attributes(), without its value. */
struct measure_typed_value measure_task_attribute(enum measure_task_attribute attribute);

/* A new definition with each call: takes a lock. */
measure_region_t measure_task_state_define(enum measure_task_state state);

#endif
