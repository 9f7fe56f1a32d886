/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Facts about tasks: see openmp_tasks.h. */
#include "config.h"

#include "openmp_tasks.h"

static measure_parameter_t parameters[MEASURE_NR_TASK_FACTS];

void measure_task_facts_define(void)
{
	static const char *const names[] = {
#define FACT(NAME, parameter) parameter,
#include "openmp_tasks.def"
#undef FACT
	};

	for (int i = 0; i < MEASURE_NR_TASK_FACTS; i++)
		parameters[i] = measure_parameter_define(names[i], MEASURE_PARAMETER_UNSIGNED_INT);
}

void measure_task_fact_write(
	struct measure_location *location, enum measure_task_fact fact, uint64_t value)
{
	measure_write_parameter_unsigned_int(location, parameters[fact], value);
}
