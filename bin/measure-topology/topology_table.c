/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the places of a node as records; see topology_table.h. */
#include "config.h"

#include "topology_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* Room for one more record; NULL without memory. */
static uint8_t *place_for(struct measure_table *table, size_t size)
{
	const size_t end = table->bytes.nr;

	if (table->status == MEASURE_OK)
		table->status = measure_array_reserve(&table->bytes, end + size);
	if (table->status != MEASURE_OK)
		return NULL;
	table->bytes.nr += size;
	return table->bytes.items + end;
}

/* Adds struct measure_def_<name> *def. */
#define ADD(table, name, def)                                                                      \
	do {                                                                                       \
		size_t size_ = measure_def_##name##_frame(def, NULL, 0);                           \
		uint8_t *place_ = place_for(table, size_);                                         \
		if (place_)                                                                        \
			measure_def_##name##_frame(def, place_, size_);                            \
	} while (0)

uint32_t measure_table_place(struct measure_table *table, uint32_t parent, enum measure_level level,
	const char *name, hwloc_const_cpuset_t processors)
{
	uint32_t words[MEASURE_MOST_PROCESSORS / 32] = {0};
	struct measure_def_place def = {parent, level, name, {0, words}};
	int processor;

	hwloc_bitmap_foreach_begin(processor, processors) if (processor < MEASURE_MOST_PROCESSORS)
	{
		words[processor / 32] |= UINT32_C(1) << processor % 32;
		def.processors.nr = (uint32_t)processor / 32 + 1;
	}
	hwloc_bitmap_foreach_end();
	ADD(table, place, &def);
	return table->nr_places++;
}

void measure_table_number(
	struct measure_table *table, uint32_t place, const char *name, uint64_t number)
{
	const struct measure_def_place_fact def = {place, name, "", number};

	ADD(table, place_fact, &def);
	table->nr_facts++;
}

void measure_table_text(
	struct measure_table *table, uint32_t place, const char *name, const char *text)
{
	const struct measure_def_place_fact def = {place, name, text, 0};

	if (!text || !*text)
		return;
	ADD(table, place_fact, &def);
	table->nr_facts++;
}

measure_status_t measure_table_write(struct measure_table *table, int fd, const char *node)
{
	const struct measure_def_topology def = {node, table->nr_places, table->nr_facts};
	struct measure_table all = {.status = table->status};
	uint8_t *rest;

	ADD(&all, topology, &def);
	const size_t begin = all.bytes.nr;
	rest = place_for(&all, table->bytes.nr);
	if (rest) {
		memcpy(rest, table->bytes.items, table->bytes.nr);
		all.status = measure_file_write_at(fd, all.bytes.items, begin + table->bytes.nr, 0);
	}
	free(all.bytes.items);
	free(table->bytes.items);
	return all.status;
}
