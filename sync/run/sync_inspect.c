/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What no correction can be made from: said before anything is done. */
#include "config.h"

#include "sync_run.h"

#include <string.h>

#include "trace/common/trace_error.h"

static measure_status_t refuse_clock(const struct measure_trace *trace)
{
	const struct measure_clock *clock = &trace->definitions.clock;

	if (clock->is_defined && clock->resolution)
		return MEASURE_OK;
	measure_error_set("%s: %s; record the program again", trace->anchor,
		clock->is_defined ? "the resolution of its clock is 0 ticks per second"
				  : "the resolution of its clock is unknown");
	return MEASURE_ERROR_FORMAT;
}

static bool is_of_communicators(const struct measure_group *group)
{
	return group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS ||
	       group->type == OTF2_GROUP_TYPE_COMM_GROUP ||
	       group->type == OTF2_GROUP_TYPE_COMM_SELF;
}

/* Else messages would be matched with those of others. */
static measure_status_t refuse_groups(const struct measure_trace *trace)
{
	const struct measure_definitions *definitions = &trace->definitions;

	for (size_t i = 0; i < definitions->nr_groups; i++) {
		const struct measure_group *group = &definitions->groups[i];
		const uint64_t limit = measure_group_limit(definitions, group);

		for (uint32_t m = 0; is_of_communicators(group) && m < group->nr_members; m++) {
			if (group->members[m] < limit)
				continue;
			measure_error_set("%s: member %u of group %u (%s) does not exist; copy the "
					  "archive again or record the program again",
				trace->anchor, m, group->id,
				measure_text(definitions, group->name));
			return MEASURE_ERROR_FORMAT;
		}
	}
	return MEASURE_OK;
}

/* Ids and clock offsets would not be those that were meant. */
static measure_status_t refuse_local(const struct sync_run *run)
{
	const struct measure_trace *trace = run->trace;

	for (size_t i = 0; i < run->findings.nr_kept; i++) {
		const struct measure_finding *finding = &run->findings.kept[i];
		const char *stem = trace->anchor;

		if (finding->check != MEASURE_CHECK_LOCAL_DEFINITIONS)
			continue;
		measure_error_set("%.*s/%llu.def: %s; copy the archive again",
			(int)(strlen(stem) - strlen(".otf2")), stem,
			(unsigned long long)trace->definitions.locations[finding->place.location]
				.id,
			finding->text);
		return MEASURE_ERROR_FORMAT;
	}
	return MEASURE_OK;
}

measure_status_t sync_inspect_events(const struct sync_run *run)
{
	if (run->scan.nr_events > 0 || run->scan.nr_damaged == 0)
		return MEASURE_OK;
	measure_error_set("%s: cannot read the events of any location (first: %s); copy the "
			  "archive again with all its files",
		run->trace->anchor,
		measure_name_of_location(&run->trace->definitions, run->scan.damaged));
	return MEASURE_ERROR_FORMAT;
}

measure_status_t sync_inspect(const struct sync_run *run)
{
	measure_status_t status = refuse_clock(run->trace);

	if (status == MEASURE_OK)
		status = refuse_groups(run->trace);
	if (status == MEASURE_OK)
		status = refuse_local(run);
	return status;
}
