/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of the properties of an archive and of its processes. */
#include "config.h"

#include "summary_internal.h"

#include <stdlib.h>

uint64_t summary_number(const struct measure_summary *summary, const char *name)
{
	const char *text = summary_text(summary, name);

	return text ? strtoull(text, NULL, 10) : 0;
}

const char *summary_text(const struct measure_summary *summary, const char *name)
{
	return measure_trace_property(&summary->archive, name);
}

const char *summary_process_text(const struct measure_summary *summary, const char *name)
{
	for (size_t i = 0; i < summary->definitions->nr_location_groups; i++) {
		const char *text = measure_group_text(&summary->processes, i, name, 0);
		if (text)
			return text;
	}
	return "";
}

const char *summary_listed(const struct measure_summary *summary, const char *list, size_t n)
{
	char name[64];

	snprintf(name, sizeof(name), "MEASURE::%s::%zu", list, n);
	return summary_text(summary, name);
}

uint32_t summary_region_index(const struct measure_summary *summary, uint64_t id)
{
	return measure_definition_index(summary->definitions, MEASURE_KIND_REGION, id);
}
