/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Properties of the places of a node, as listed in doc/topology.md. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "topology_table.h"

static void add_size(struct measure_table *table, uint32_t place, const char *name, uint64_t size)
{
	if (size > 0)
		measure_table_number(table, place, name, size);
}

static void add_info(struct measure_table *table, uint32_t place, const char *name,
	hwloc_obj_t object, const char *info)
{
	measure_table_text(table, place, name, hwloc_obj_get_info_by_name(object, info));
}

static void add_list(
	struct measure_table *table, uint32_t place, const char *name, hwloc_const_cpuset_t set)
{
	char *list = NULL;

	if (hwloc_bitmap_list_asprintf(&list, set) < 0)
		return;
	measure_table_text(table, place, name, list);
	free(list);
}

static void add_count(struct measure_table *table, uint32_t place, const char *name,
	hwloc_topology_t topology, hwloc_obj_type_t type)
{
	const int nr = hwloc_get_nbobjs_by_type(topology, type);

	add_size(table, place, name, nr > 0 ? (uint64_t)nr : 0);
}

static void add_allowed(struct measure_table *table, uint32_t place, hwloc_topology_t topology)
{
	const hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(topology);

	if (!hwloc_bitmap_isequal(allowed, hwloc_topology_get_topology_cpuset(topology)))
		add_list(table, place, "MEASURE::ALLOWED", allowed);
}

/* The tree has only what is needed: how much there is in all stands here. */
static void add_node(
	struct measure_table *table, uint32_t place, hwloc_topology_t topology, hwloc_obj_t object)
{
	add_info(table, place, "MEASURE::MODEL", object, "DMIProductName");
	add_info(table, place, "MEASURE::ARCHITECTURE", object, "Architecture");
	add_info(table, place, "MEASURE::SYSTEM", object, "OSName");
	add_info(table, place, "MEASURE::SYSTEM_RELEASE", object, "OSRelease");
	add_size(table, place, "MEASURE::MEMORY", object->total_memory);
	add_count(table, place, "MEASURE::PACKAGES", topology, HWLOC_OBJ_PACKAGE);
	add_count(table, place, "MEASURE::NUMA_NODES", topology, HWLOC_OBJ_NUMANODE);
	add_count(table, place, "MEASURE::CORES", topology, HWLOC_OBJ_CORE);
	add_allowed(table, place, topology);
}

static void add_cache(struct measure_table *table, uint32_t place, hwloc_obj_t cache)
{
	char name[64];

	snprintf(name, sizeof(name), "MEASURE::L%u_CACHE", cache->attr->cache.depth);
	add_size(table, place, name, cache->attr->cache.size);
	snprintf(name, sizeof(name), "MEASURE::L%u_CACHE_LINE", cache->attr->cache.depth);
	add_size(table, place, name, cache->attr->cache.linesize);
}

/* Those that it has for itself are above it. */
static void add_own_caches(struct measure_table *table, uint32_t place, hwloc_obj_t core)
{
	hwloc_obj_t above = core->parent;

	for (; above && hwloc_obj_type_is_dcache(above->type) &&
		hwloc_bitmap_isequal(above->cpuset, core->cpuset);
		above = above->parent)
		add_cache(table, place, above);
}

void measure_facts_add(struct measure_table *table, uint32_t place, enum measure_level level,
	hwloc_topology_t topology, hwloc_obj_t object)
{
	if (level == MEASURE_LEVEL_NODE)
		add_node(table, place, topology, object);
	if (level == MEASURE_LEVEL_PACKAGE)
		add_info(table, place, "MEASURE::MODEL", object, "CPUModel");
	if (level == MEASURE_LEVEL_NUMA)
		add_size(table, place, "MEASURE::MEMORY", object->attr->numanode.local_memory);
	if (level == MEASURE_LEVEL_CACHE)
		add_cache(table, place, object);
	if (level == MEASURE_LEVEL_CORE)
		add_own_caches(table, place, object);
	if (level != MEASURE_LEVEL_PROCESSOR)
		add_list(table, place, "MEASURE::PROCESSORS", object->cpuset);
	if (level != MEASURE_LEVEL_NODE && level != MEASURE_LEVEL_CACHE &&
		object->os_index != HWLOC_UNKNOWN_INDEX)
		measure_table_number(table, place, "MEASURE::NUMBER", object->os_index);
}
