/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a node consists of, as it is written down: records of topology_records.def. */
#ifndef MEASURE_BIN_MEASURE_TOPOLOGY_TOPOLOGY_TABLE_H
#define MEASURE_BIN_MEASURE_TOPOLOGY_TOPOLOGY_TABLE_H

#include <hwloc.h>

#include "base/array.h"
#include "format/journal_records.h"

/* Begin with all zero. */
struct measure_table {
	MEASURE_ARRAY(uint8_t) bytes;
	uint32_t nr_places;
	uint32_t nr_facts;
	measure_status_t status; /* of all so far */
};

/* Returns its number. */
uint32_t measure_table_place(struct measure_table *table, uint32_t parent, enum measure_level level,
	const char *name, hwloc_const_cpuset_t processors);

void measure_table_number(
	struct measure_table *table, uint32_t place, const char *name, uint64_t number);

/* NULL or "": it is not known, and left out. */
void measure_table_text(
	struct measure_table *table, uint32_t place, const char *name, const char *text);

/* All of it, at once, of the node with this identity; then it is freed. */
measure_status_t measure_table_write(struct measure_table *table, int fd, const char *node);

/* What is known of an object of hwloc, as facts on the place that stands for it. */
void measure_facts_add(struct measure_table *table, uint32_t place, enum measure_level level,
	hwloc_topology_t topology, hwloc_obj_t object);

#endif
