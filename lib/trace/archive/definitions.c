/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the definitions know about themselves: links between them, names to print. */
#include "config.h"

#include "definitions.h"
#include "ranks.h"

#include <string.h>

const char *const measure_kind_words[MEASURE_NR_KINDS] = {
#define KIND(NAME, word, ids) word,
#include "definition_kinds.def"
#undef KIND
};

enum measure_kind measure_kind_of_scope(OTF2_MetricScope scope)
{
	static const enum measure_kind kinds[] = {
		[OTF2_SCOPE_LOCATION] = MEASURE_KIND_LOCATION,
		[OTF2_SCOPE_LOCATION_GROUP] = MEASURE_KIND_LOCATION_GROUP,
		[OTF2_SCOPE_SYSTEM_TREE_NODE] = MEASURE_KIND_SYSTEM_TREE_NODE,
		[OTF2_SCOPE_GROUP] = MEASURE_KIND_GROUP,
	};

	return scope < sizeof(kinds) / sizeof(*kinds) ? kinds[scope] : MEASURE_NR_KINDS;
}

enum measure_kind measure_kind_of_members(OTF2_GroupType type)
{
	switch (type) {
	case OTF2_GROUP_TYPE_LOCATIONS:
	case OTF2_GROUP_TYPE_COMM_LOCATIONS:
		return MEASURE_KIND_LOCATION;
	case OTF2_GROUP_TYPE_REGIONS:
		return MEASURE_KIND_REGION;
	case OTF2_GROUP_TYPE_METRIC:
		return MEASURE_KIND_METRIC;
	default:
		return MEASURE_KIND_NONE;
	}
}

bool measure_kind_is_undefined(enum measure_kind kind, uint64_t id)
{
	if (kind == MEASURE_KIND_LOCATION)
		return id == OTF2_UNDEFINED_LOCATION;
	if (kind == MEASURE_KIND_PARADIGM || kind == MEASURE_KIND_IO_PARADIGM)
		return id == UINT8_MAX;
	return id == UINT32_MAX;
}

/* All ones is "undefined" in every kind and never a defined id. */
static void link_id(
	const struct measure_definitions *definitions, enum measure_kind kind, uint32_t *id)
{
	if (*id != MEASURE_NONE)
		*id = measure_definition_index(definitions, kind, *id);
}

#define LINK(field, KIND) link_id(definitions, MEASURE_KIND_##KIND, &item->field);
#define ARRAY(type, array, links)                                                                  \
	static void link_##array(struct measure_definitions *definitions)                          \
	{                                                                                          \
		for (size_t i = 0; i < definitions->nr_##array; i++) {                             \
			type *item = &definitions->array[i];                                       \
                                                                                                   \
			(void)item;                                                                \
			links                                                                      \
		}                                                                                  \
	}
#include "definition_arrays.def"
#undef ARRAY
#undef LINK

/* Damaged archives may have trees that bite their tails: no more steps than nodes. */
static uint32_t host_of(const struct measure_definitions *definitions, uint32_t node)
{
	uint32_t at = node;

	for (size_t i = 0; at != MEASURE_NONE && i < definitions->nr_tree_nodes; i++) {
		if (definitions->tree_nodes[at].has_shared_memory)
			return at;
		at = definitions->tree_nodes[at].parent;
	}
	return node;
}

static void find_hosts(struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_location_groups; i++) {
		struct measure_location_group *group = &definitions->location_groups[i];

		group->host = host_of(definitions, group->tree_node);
	}
}

static void count_locations(struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_location_groups; i++)
		definitions->nr_processes +=
			!measure_group_is_device(&definitions->location_groups[i]);
	for (size_t i = 0; i < definitions->nr_locations; i++) {
		const struct measure_location_definition *location = &definitions->locations[i];

		if (location->group == MEASURE_NONE)
			continue;
		definitions->location_groups[location->group].nr_locations++;
		if (location->type == OTF2_LOCATION_TYPE_CPU_THREAD)
			definitions->location_groups[location->group].nr_threads++;
	}
}

static bool is_called(const struct measure_definitions *definitions,
	const struct measure_property *property, const char *name)
{
	return strcmp(measure_text(definitions, property->name), name) == 0;
}

static void find_losses(struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_properties; i++) {
		const struct measure_property *property = &definitions->properties[i];

		if (property->owner == MEASURE_NONE)
			continue;
		if (property->kind == MEASURE_KIND_LOCATION)
			definitions->locations[property->owner].is_truncated |=
				is_called(definitions, property, MEASURE_PROPERTY_LOST_TRUNCATED);
		else
			definitions->location_groups[property->owner].has_lost_ends |=
				is_called(definitions, property, MEASURE_PROPERTY_LOST_SPOOL);
	}
	for (size_t i = 0; i < definitions->nr_locations; i++) {
		struct measure_location_definition *location = &definitions->locations[i];

		if (location->group != MEASURE_NONE)
			location->is_truncated |=
				definitions->location_groups[location->group].has_lost_ends;
	}
}

static bool has_location_members(const struct measure_group *group)
{
	return group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS ||
	       group->type == OTF2_GROUP_TYPE_LOCATIONS;
}

uint64_t measure_group_limit(
	const struct measure_definitions *definitions, const struct measure_group *group)
{
	const uint32_t locations = definitions->comm_locations[group->paradigm];

	if (has_location_members(group))
		return definitions->nr_locations;
	if (group->type == OTF2_GROUP_TYPE_COMM_SELF)
		return 0;
	if (group->type != OTF2_GROUP_TYPE_COMM_GROUP)
		return UINT64_MAX;
	return locations == MEASURE_NONE ? 0 : definitions->groups[locations].nr_members;
}

static void link_members(struct measure_definitions *definitions)
{
	memset(definitions->comm_locations, 0xff, sizeof(definitions->comm_locations));
	for (size_t i = 0; i < definitions->nr_groups; i++) {
		struct measure_group *group = &definitions->groups[i];
		uint32_t *locations = &definitions->comm_locations[group->paradigm];

		if (group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS && *locations == MEASURE_NONE)
			*locations = i;
		for (uint32_t m = 0; has_location_members(group) && m < group->nr_members; m++)
			group->members[m] = measure_definition_index(
				definitions, MEASURE_KIND_LOCATION, group->members[m]);
	}
}

/* Some tools give a COMM_GROUP the id of the COMM_LOCATIONS. */
static void link_rank_group(const struct measure_definitions *definitions, uint32_t *id)
{
	uint32_t index = measure_map_get(&definitions->rank_groups, measure_key_of(*id));

	if (index == MEASURE_NONE)
		link_id(definitions, MEASURE_KIND_GROUP, id);
	else
		*id = index;
}

static void link_rank_groups(struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_comms; i++) {
		link_rank_group(definitions, &definitions->comms[i].groups[0]);
		link_rank_group(definitions, &definitions->comms[i].groups[1]);
	}
}

static void link_metric_classes(struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_metrics; i++) {
		const struct measure_metric *metric = &definitions->metrics[i];

		for (uint8_t m = 0; m < metric->nr_members; m++)
			link_id(definitions, MEASURE_KIND_METRIC_MEMBER, &metric->members[m]);
	}
}

/* Ids are small numbers in most archives. */
#define MOST_PER_ID 8

static void index_small_ids(const struct measure_map *ids, struct measure_id_index *small)
{
	uint64_t most = 0;

	for (size_t i = 0; i < ids->nr_slots; i++)
		if (ids->slots[i].value != MEASURE_NONE && ids->slots[i].key.low > most)
			most = ids->slots[i].key.low;
	if (ids->nr_used == 0 || most >= MOST_PER_ID * ids->nr_used)
		return;
	small->nr = most + 1;
	small->indices = measure_uncleared(small->nr, sizeof(*small->indices));
	memset(small->indices, 0xff, small->nr * sizeof(*small->indices));
	for (size_t i = 0; i < ids->nr_slots; i++)
		if (ids->slots[i].value != MEASURE_NONE)
			small->indices[ids->slots[i].key.low] = ids->slots[i].value;
}

void measure_definitions_link(struct measure_definitions *definitions)
{
	for (int kind = 0; kind < MEASURE_NR_KINDS; kind++)
		index_small_ids(&definitions->ids[kind], &definitions->small_ids[kind]);
#define ARRAY(type, array, links) link_##array(definitions);
#include "definition_arrays.def"
#undef ARRAY
	find_hosts(definitions);
	count_locations(definitions);
	find_losses(definitions);
	link_members(definitions);
	link_rank_groups(definitions);
	link_metric_classes(definitions);
	measure_groups_compare(definitions);
	measure_definitions_label(definitions);
}

void measure_definitions_free(struct measure_definitions *definitions)
{
	measure_definitions_unlabel(definitions);
	for (int kind = 0; kind < MEASURE_NR_KINDS; kind++) {
		measure_map_free(&definitions->ids[kind]);
		measure_free(definitions->small_ids[kind].indices);
	}
	measure_map_free(&definitions->rank_groups);
	for (size_t i = 0; i < definitions->nr_strings; i++)
		measure_free(definitions->strings[i]);
	for (size_t i = 0; i < definitions->nr_groups; i++)
		measure_free(definitions->groups[i].members);
	for (size_t i = 0; i < definitions->nr_coordinates; i++)
		measure_free(definitions->coordinates[i].places);
	for (size_t i = 0; i < definitions->nr_metrics; i++)
		measure_free(definitions->metrics[i].members);
#define ARRAY(type, array, links) measure_free(definitions->array);
#include "definition_arrays.def"
#undef ARRAY
	*definitions = (struct measure_definitions){0};
}

const char *measure_text(const struct measure_definitions *definitions, uint32_t string)
{
	return string < definitions->nr_strings ? definitions->strings[string] : "";
}

const char *measure_name_of_region(const struct measure_definitions *definitions, uint32_t region)
{
	if (region >= definitions->nr_regions)
		return "an undefined region";
	return measure_text(definitions, definitions->regions[region].name);
}

const char *measure_name_of_host(const struct measure_definitions *definitions, uint32_t host)
{
	if (host >= definitions->nr_tree_nodes)
		return "no node";
	return measure_text(definitions, definitions->tree_nodes[host].name);
}
