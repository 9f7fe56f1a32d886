/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking up properties by name: those of the archive, and those of its processes. */
#ifndef MEASURE_TRACE_ARCHIVE_TRACE_PROPERTIES_H
#define MEASURE_TRACE_ARCHIVE_TRACE_PROPERTIES_H

#include <stddef.h>
#include <stdint.h>

#include "trace/archive/trace.h"

/* The names and values of all properties of an archive, in its order. */
struct measure_trace_properties {
	uint32_t nr;
	char **names;
	char **values;
};

/* Those that cannot be read are left out. */
void measure_trace_properties_read(
	const struct measure_trace *trace, struct measure_trace_properties *properties);
void measure_trace_properties_free(struct measure_trace_properties *properties);

/* NULL: there is none of this name. */
const char *measure_trace_property(
	const struct measure_trace_properties *properties, const char *name);

/* The properties of location groups, those of one group together. */
struct measure_group_properties {
	const struct measure_definitions *definitions;
	size_t *first;                            /* of each group, and the end of the last one */
	const struct measure_property **in_order; /* of groups */
};

void measure_group_properties_make(
	const struct measure_definitions *definitions, struct measure_group_properties *properties);
void measure_group_properties_free(struct measure_group_properties *properties);

/* The n-th text, from 0, by this name; NULL: the group has no such property, or it is no text. */
const char *measure_group_text(const struct measure_group_properties *properties, size_t group,
	const char *name, size_t n);

/* The last number of this name; 0: there is none. */
uint64_t measure_group_number(
	const struct measure_group_properties *properties, size_t group, const char *name);

#endif
