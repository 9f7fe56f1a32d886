/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where it is known what events cost: a file that was named, the archive, or this machine. */
#include "config.h"

#include "sync_run.h"

#include <string.h>

#include "trace/archive/trace_properties.h"
#include "trace/common/containers.h"
#include "trace/common/trace_error.h"

#define PROCESSOR_PROPERTY "MEASURE::EVENT_COSTS"
#define CURVE_PROPERTY     "MEASURE::EVENT_COST::"

static measure_status_t read_named(struct sync_run *run, const char *path)
{
	char error[MEASURE_EVENT_COSTS_ERROR] = "";
	const measure_status_t status = measure_event_costs_read_file(path, run->costs, error);

	if (status != MEASURE_OK)
		measure_error_set("%s: %s; name another file, or make one with measure "
				  "--calibrate-events",
			path, *error ? error : "cannot be read");
	return status;
}

/* False: it says nothing of it. */
static bool read_archive(struct sync_run *run, const struct measure_trace_properties *properties)
{
	const char *processor = measure_trace_property(properties, PROCESSOR_PROPERTY);
	bool is_found = false;

	if (processor)
		snprintf(run->costs->processor, sizeof(run->costs->processor), "%s", processor);
	for (uint32_t i = 0; i < properties->nr; i++)
		if (!strncmp(properties->names[i], CURVE_PROPERTY, strlen(CURVE_PROPERTY)))
			is_found |= measure_event_costs_parse_line(run->costs,
				properties->names[i] + strlen(CURVE_PROPERTY),
				properties->values[i]);
	return is_found;
}

static bool read_usual(struct sync_run *run)
{
	char path[PATH_MAX], error[MEASURE_EVENT_COSTS_ERROR];

	return measure_event_costs_usual_path(path, false) &&
	       measure_event_costs_read_file(path, run->costs, error) == MEASURE_OK;
}

measure_status_t sync_costs_find(struct sync_run *run)
{
	struct measure_trace_properties properties;
	measure_status_t status = MEASURE_OK;

	run->costs = measure_zeroed(1, sizeof(*run->costs));
	measure_trace_properties_read(run->trace, &properties);
	if (measure_trace_property(&properties, MEASURE_PROPERTY_COMPENSATED)) {
		measure_error_set(
			"%s: is compensated already; name the archive that it was made of",
			run->trace->anchor);
		status = MEASURE_ERROR_FORMAT;
	} else if (run->options->costs) {
		status = read_named(run, run->options->costs);
	} else if (!read_archive(run, &properties) && !read_usual(run)) {
		measure_error_set(
			"%s: it is not known what events cost; run measure "
			"--calibrate-events, or name a table in MEASURE_EVENT_COSTS",
			run->trace->anchor);
		status = MEASURE_ERROR_NOT_FOUND;
	}
	measure_trace_properties_free(&properties);
	return status;
}
