/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of records, parameters and texts: ids and journal records. */
#include "config.h"

#include "adapter.h"
#include "define.h"
#include "runtime/gate/gate.h"

/* under the definition lock */
static uint32_t nr_attributes, nr_parameters;
static uint32_t nr_strings = 1 + MEASURE_MOST_ARGUMENTS; /* 0 is the path of the program */

measure_attribute_t measure_attribute_define(
	const char *name, const char *description, uint8_t type)
{
	struct measure_def_attribute def = {MEASURE_UNDEFINED, name, description, type};

	if (!measure_gate_is_open())
		return MEASURE_UNDEFINED;
	MEASURE_JOURNAL_NEXT(attribute, &def, nr_attributes);
	return def.id;
}

measure_parameter_t measure_parameter_define(const char *name, enum measure_parameter_type type)
{
	struct measure_def_parameter def = {MEASURE_UNDEFINED, name, type};

	if (!measure_gate_is_open())
		return MEASURE_UNDEFINED;
	MEASURE_JOURNAL_NEXT(parameter, &def, nr_parameters);
	return def.id;
}

measure_string_t measure_string_define(const char *text)
{
	struct measure_def_string def = {MEASURE_UNDEFINED, text};

	if (!measure_gate_is_open())
		return MEASURE_UNDEFINED;
	MEASURE_JOURNAL_NEXT(string, &def, nr_strings);
	return def.id;
}
