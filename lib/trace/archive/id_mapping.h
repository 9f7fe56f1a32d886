/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The mapping tables of a location: from the ids in its event file to global ones. The locations of
 * a process have the same ones as a rule, and then share them. */
#ifndef MEASURE_TRACE_ARCHIVE_ID_MAPPING_H
#define MEASURE_TRACE_ARCHIVE_ID_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "definitions.h"

/* Either all ids below `nr` have a global one, or some do, in order of their local ids. */
struct measure_id_table {
	uint64_t *globals;
	uint64_t *locals; /* NULL: of all below nr */
	size_t nr, room_globals, room_locals;
};

struct measure_id_mapping {
	struct measure_id_table tables[MEASURE_NR_KINDS];
	struct measure_id_index regions; /* by local ids; empty before measure_id_mapping_link() */
};

/* Adds a table; where there is one of that type it stays. */
void measure_id_mapping_add(
	struct measure_id_mapping *mapping, OTF2_MappingType type, const OTF2_IdMap *map);

/* When all of its tables are there. */
void measure_id_mapping_link(
	struct measure_id_mapping *mapping, const struct measure_definitions *definitions);

bool measure_id_mapping_is_same(
	const struct measure_id_mapping *a, const struct measure_id_mapping *b);

void measure_id_mapping_free(struct measure_id_mapping *mapping);

/* Of an id that is not in the locals of its table: itself. */
uint64_t measure_id_table_search(const struct measure_id_table *table, uint64_t id);

/* The global id; `mapping` may be NULL. */
static inline uint64_t measure_id_mapping_apply(
	const struct measure_id_mapping *mapping, enum measure_kind kind, uint64_t id)
{
	const struct measure_id_table *table;

	if (!mapping)
		return id;
	table = &mapping->tables[kind];
	if (table->locals)
		return measure_id_table_search(table, id);
	return id < table->nr ? table->globals[id] : id;
}

#endif
