/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties by name; see properties.h. */
#include "config.h"

#include "trace_properties.h"

#include <stdlib.h>
#include <string.h>

#include "trace/common/containers.h"

void measure_trace_properties_read(
	const struct measure_trace *trace, struct measure_trace_properties *properties)
{
	char **names = NULL;
	uint32_t nr = 0;

	*properties = (struct measure_trace_properties){0};
	if (OTF2_Reader_GetPropertyNames(trace->reader, &nr, &names) != OTF2_SUCCESS)
		return;
	properties->names = names; /* one block, with all texts in it */
	properties->values = measure_zeroed(nr, sizeof(*properties->values));
	for (uint32_t i = 0; i < nr; i++) {
		char *value = NULL;

		if (OTF2_Reader_GetProperty(trace->reader, names[i], &value) != OTF2_SUCCESS)
			continue;
		names[properties->nr] = names[i];
		properties->values[properties->nr++] = value;
	}
}

void measure_trace_properties_free(struct measure_trace_properties *properties)
{
	for (uint32_t i = 0; i < properties->nr; i++)
		measure_free(properties->values[i]);
	measure_free(properties->values);
	measure_free(properties->names);
}

const char *measure_trace_property(
	const struct measure_trace_properties *properties, const char *name)
{
	for (uint32_t i = 0; i < properties->nr; i++)
		if (strcmp(properties->names[i], name) == 0)
			return properties->values[i];
	return NULL;
}

static bool is_of_group(const struct measure_property *property)
{
	return property->kind == MEASURE_KIND_LOCATION_GROUP && property->owner != MEASURE_NONE;
}

void measure_group_properties_make(
	const struct measure_definitions *definitions, struct measure_group_properties *properties)
{
	const size_t nr = definitions->nr_location_groups;
	size_t *next = measure_zeroed(nr + 1, sizeof(*next));

	properties->definitions = definitions;
	properties->first = measure_zeroed(nr + 1, sizeof(*properties->first));
	properties->in_order =
		measure_zeroed(definitions->nr_properties, sizeof(*properties->in_order));
	for (size_t i = 0; i < definitions->nr_properties; i++)
		if (is_of_group(&definitions->properties[i]))
			properties->first[definitions->properties[i].owner + 1]++;
	for (size_t i = 0; i < nr; i++)
		next[i + 1] = properties->first[i + 1] += properties->first[i];
	for (size_t i = 0; i < definitions->nr_properties; i++)
		if (is_of_group(&definitions->properties[i]))
			properties->in_order[next[definitions->properties[i].owner]++] =
				&definitions->properties[i];
	measure_free(next);
}

void measure_group_properties_free(struct measure_group_properties *properties)
{
	measure_free(properties->first);
	measure_free(properties->in_order);
}

static const struct measure_property *find_property(
	const struct measure_group_properties *properties, size_t group, const char *name, size_t n)
{
	for (size_t i = properties->first[group]; i < properties->first[group + 1]; i++) {
		const struct measure_property *property = properties->in_order[i];
		if (strcmp(measure_text(properties->definitions, property->name), name) == 0 &&
			n-- == 0)
			return property;
	}
	return NULL;
}

const char *measure_group_text(
	const struct measure_group_properties *properties, size_t group, const char *name, size_t n)
{
	const struct measure_property *property = find_property(properties, group, name, n);

	if (!property || property->type != OTF2_TYPE_STRING)
		return NULL;
	return measure_text(
		properties->definitions, measure_definition_index(properties->definitions,
						 MEASURE_KIND_STRING, property->value.stringRef));
}

uint64_t measure_group_number(
	const struct measure_group_properties *properties, size_t group, const char *name)
{
	const struct measure_property *property, *last = NULL;

	for (size_t n = 0; (property = find_property(properties, group, name, n)); n++)
		last = property;
	return last && last->type == OTF2_TYPE_UINT64 ? last->value.uint64 : 0;
}
