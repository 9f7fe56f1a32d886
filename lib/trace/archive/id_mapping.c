/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mapping tables, copied from those that the OTF2 library reads. */
#include "config.h"

#include "id_mapping.h"

#include <string.h>

#include "base/array.h"
#include "trace/common/containers.h"

static const enum measure_kind kinds[] = {
	[OTF2_MAPPING_STRING] = MEASURE_KIND_STRING,
	[OTF2_MAPPING_ATTRIBUTE] = MEASURE_KIND_ATTRIBUTE,
	[OTF2_MAPPING_LOCATION] = MEASURE_KIND_LOCATION,
	[OTF2_MAPPING_REGION] = MEASURE_KIND_REGION,
	[OTF2_MAPPING_GROUP] = MEASURE_KIND_GROUP,
	[OTF2_MAPPING_METRIC] = MEASURE_KIND_METRIC,
	[OTF2_MAPPING_COMM] = MEASURE_KIND_COMM,
	[OTF2_MAPPING_PARAMETER] = MEASURE_KIND_PARAMETER,
	[OTF2_MAPPING_RMA_WIN] = MEASURE_KIND_RMA_WIN,
	[OTF2_MAPPING_SOURCE_CODE_LOCATION] = MEASURE_KIND_SOURCE_CODE_LOCATION,
	[OTF2_MAPPING_CALLING_CONTEXT] = MEASURE_KIND_CALLING_CONTEXT,
	[OTF2_MAPPING_INTERRUPT_GENERATOR] = MEASURE_KIND_INTERRUPT_GENERATOR,
	[OTF2_MAPPING_IO_FILE] = MEASURE_KIND_IO_FILE,
	[OTF2_MAPPING_IO_HANDLE] = MEASURE_KIND_IO_HANDLE,
	[OTF2_MAPPING_LOCATION_GROUP] = MEASURE_KIND_LOCATION_GROUP,
};

static void id_table_append(uint64_t **items, size_t nr, size_t *room, uint64_t id)
{
	*items = measure_grow(*items, nr, room, sizeof(**items));
	(*items)[nr] = id;
}

static void on_pair(uint64_t local, uint64_t global, void *data)
{
	struct measure_id_table *table = data;

	id_table_append(&table->locals, table->nr, &table->room_locals, local);
	id_table_append(&table->globals, table->nr++, &table->room_globals, global);
}

/* Local ids come in order, each once. */
static bool id_table_is_dense(const struct measure_id_table *table)
{
	return table->nr > 0 && table->locals[table->nr - 1] == table->nr - 1;
}

void measure_id_mapping_add(
	struct measure_id_mapping *mapping, OTF2_MappingType type, const OTF2_IdMap *map)
{
	struct measure_id_table *table;

	if (type >= sizeof(kinds) / sizeof(*kinds) || mapping->tables[kinds[type]].nr > 0)
		return;
	table = &mapping->tables[kinds[type]];
	OTF2_IdMap_Traverse(map, on_pair, table);
	if (!id_table_is_dense(table))
		return;
	measure_free(table->locals);
	table->locals = NULL;
}

/* Ids behind those of a table mean themselves; in damaged files they may be any. */
static size_t nr_local_ids(const struct measure_id_table *table, size_t nr_globals)
{
	const uint64_t nr = table->locals ? table->locals[table->nr - 1] + 1 : table->nr;

	return nr < nr_globals || nr / 2 > nr_globals + table->nr ? nr_globals : nr;
}

void measure_id_mapping_link(
	struct measure_id_mapping *mapping, const struct measure_definitions *definitions)
{
	const struct measure_id_table *table = &mapping->tables[MEASURE_KIND_REGION];
	struct measure_id_index *regions = &mapping->regions;

	regions->nr = nr_local_ids(table, definitions->small_ids[MEASURE_KIND_REGION].nr);
	regions->indices = measure_uncleared(regions->nr, sizeof(*regions->indices));
	for (size_t i = 0; i < regions->nr; i++)
		regions->indices[i] = measure_definition_index(definitions, MEASURE_KIND_REGION,
			measure_id_mapping_apply(mapping, MEASURE_KIND_REGION, i) & UINT32_MAX);
}

static bool id_table_is_same(const struct measure_id_table *a, const struct measure_id_table *b)
{
	const size_t size = a->nr * sizeof(*a->globals);

	if (a->nr != b->nr || !a->locals != !b->locals)
		return false;
	return a->nr == 0 || (memcmp(a->globals, b->globals, size) == 0 &&
				     (!a->locals || memcmp(a->locals, b->locals, size) == 0));
}

bool measure_id_mapping_is_same(
	const struct measure_id_mapping *a, const struct measure_id_mapping *b)
{
	for (int kind = 0; kind < MEASURE_NR_KINDS; kind++)
		if (!id_table_is_same(&a->tables[kind], &b->tables[kind]))
			return false;
	return true;
}

void measure_id_mapping_free(struct measure_id_mapping *mapping)
{
	if (!mapping)
		return;
	for (int kind = 0; kind < MEASURE_NR_KINDS; kind++) {
		measure_free(mapping->tables[kind].globals);
		measure_free(mapping->tables[kind].locals);
	}
	measure_free(mapping->regions.indices);
	measure_free(mapping);
}

uint64_t measure_id_table_search(const struct measure_id_table *table, uint64_t id)
{
	const size_t at = measure_count_first(table->nr, i, table->locals[i] < id);

	return at < table->nr && table->locals[at] == id ? table->globals[at] : id;
}
