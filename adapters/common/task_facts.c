/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Facts about tasks and data: see task_facts.h. */
#include "config.h"

#include "task_facts.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

static measure_parameter_t task_parameters[MEASURE_NR_TASK_FACTS];
static measure_parameter_t data_parameters[MEASURE_NR_DATA_FACTS];
static measure_attribute_t task_attributes[MEASURE_NR_TASK_ATTRIBUTES];

static const uint8_t task_attribute_types[] = {
#define TASK_ATTRIBUTE(NAME, attribute, description, type) OTF2_TYPE_##type,
#include "task_vocabulary.def"
};

const char *const measure_worker_properties[] = {
#define WORKER_PROPERTY(NAME, property, type) property,
#include "task_vocabulary.def"
};

void measure_task_facts_define(void)
{
#define TASK_FACT(NAME, parameter)                                                                 \
	task_parameters[MEASURE_TASK_##NAME] =                                                     \
		measure_parameter_define(parameter, MEASURE_PARAMETER_UNSIGNED_INT);
#include "task_vocabulary.def"
}

void measure_data_facts_define(void)
{
#define DATA_FACT(NAME, parameter)                                                                 \
	data_parameters[MEASURE_DATA_##NAME] =                                                     \
		measure_parameter_define(parameter, MEASURE_PARAMETER_UNSIGNED_INT);
#define DATA_TEXT(NAME, parameter)                                                                 \
	data_parameters[MEASURE_DATA_##NAME] =                                                     \
		measure_parameter_define(parameter, MEASURE_PARAMETER_STRING);
#include "task_vocabulary.def"
}

void measure_task_attributes_define(void)
{
#define TASK_ATTRIBUTE(NAME, attribute, description, type)                                         \
	task_attributes[MEASURE_TASK_ATTRIBUTE_##NAME] =                                           \
		measure_attribute_define(attribute, description, OTF2_TYPE_##type);
#include "task_vocabulary.def"
}

void measure_task_fact_write(
	struct measure_location *location, enum measure_task_fact fact, uint64_t value)
{
	measure_write_parameter_unsigned_int(location, task_parameters[fact], value);
}

void measure_data_fact_write(
	struct measure_location *location, enum measure_data_fact fact, uint64_t value)
{
	if (fact == MEASURE_DATA_NAME)
		measure_write_parameter_string(
			location, data_parameters[fact], (measure_string_t)value);
	else
		measure_write_parameter_unsigned_int(location, data_parameters[fact], value);
}

struct measure_typed_value measure_task_attribute(enum measure_task_attribute attribute)
{
	return (struct measure_typed_value){
		.attribute = task_attributes[attribute], .type = task_attribute_types[attribute]};
}

measure_region_t measure_task_state_define(enum measure_task_state state)
{
	static const struct measure_region_info states[] = {
#define WORKER_STATE(NAME, state, role_name, region)                                               \
	{.name = region,                                                                           \
		.canonical_name = "task.state." state,                                             \
		.role = OTF2_REGION_ROLE_##role_name,                                              \
		.paradigm = OTF2_PARADIGM_USER},
#include "task_vocabulary.def"
	};

	return measure_region_define(&states[state]);
}
