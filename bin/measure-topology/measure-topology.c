/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-topology: writes the topology of this node to standard output. It is a process of its
 * own, because hwloc reads a thousand files on a large node and may load modules: neither that nor
 * a failure affects the program or its keeper. */
#define _GNU_SOURCE
#include "config.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/procfs.h"
#include "topology_table.h"

#define MOST_SECONDS 10 /* hwloc may hang: a signal ends us */

/* Where there is room; the keeper may be bound to the processor of the program. */
static void stay_aside(void)
{
	static cpu_set_t all[MEASURE_MOST_PROCESSORS / CPU_SETSIZE];
	const struct rlimit none = {0, 0};

	alarm(MOST_SECONDS);
	setrlimit(RLIMIT_CORE, &none);
	memset(all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), all);
	setpriority(PRIO_PROCESS, 0, 19);
}

/* ---------------------------------------------------------------------- the tree --- */

struct walk {
	hwloc_topology_t topology;
	struct measure_table *table;
};

static bool is_shared(hwloc_topology_t topology, hwloc_obj_t cache)
{
	const int nr =
		hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);

	return nr > 1 || (nr == 0 && hwloc_bitmap_weight(cache->cpuset) > 1);
}

/* False: it is no level of the tree. */
static bool find_level(hwloc_topology_t topology, hwloc_obj_t object, enum measure_level *level)
{
	switch (object->type) {
	case HWLOC_OBJ_MACHINE:
		*level = MEASURE_LEVEL_NODE;
		return true;
	case HWLOC_OBJ_PACKAGE:
		*level = MEASURE_LEVEL_PACKAGE;
		return true;
	case HWLOC_OBJ_NUMANODE:
		*level = MEASURE_LEVEL_NUMA;
		return true;
	case HWLOC_OBJ_CORE:
		*level = MEASURE_LEVEL_CORE;
		return true;
	case HWLOC_OBJ_PU:
		*level = MEASURE_LEVEL_PROCESSOR;
		return true;
	default:
		*level = MEASURE_LEVEL_CACHE;
		return hwloc_obj_type_is_dcache(object->type) && is_shared(topology, object);
	}
}

/* By the kernel's number, as everywhere; some have none. */
static void name_place(hwloc_obj_t object, enum measure_level level, char *name, size_t size)
{
	static const char *const words[] = {
		"", "Package", "NUMA node", "cache", "Core", "Processor"};
	const unsigned int number =
		object->os_index == HWLOC_UNKNOWN_INDEX ? object->logical_index : object->os_index;

	if (level == MEASURE_LEVEL_NODE)
		*name = '\0';
	else if (level == MEASURE_LEVEL_CACHE)
		snprintf(name, size, "L%u cache %u", object->attr->cache.depth,
			object->logical_index);
	else
		snprintf(name, size, "%s %u", words[level], number);
}

static uint32_t add_place(const struct walk *walk, hwloc_obj_t object, uint32_t parent)
{
	enum measure_level level;
	char name[64];

	if (!object->cpuset || !find_level(walk->topology, object, &level))
		return parent;
	name_place(object, level, name, sizeof(name));
	uint32_t place = measure_table_place(walk->table, parent, level, name, object->cpuset);
	measure_facts_add(walk->table, place, level, walk->topology, object);
	return place;
}

/* Memory that all of an object has next to it lies between it and what is in it. Of several kinds
 * the first one: that which programs get. */
static uint32_t add_memory(const struct walk *walk, hwloc_obj_t object, uint32_t parent)
{
	hwloc_obj_t memory = object->memory_first_child;

	while (memory && memory->type != HWLOC_OBJ_NUMANODE)
		memory = memory->memory_first_child;
	return memory ? add_place(walk, memory, parent) : parent;
}

static void add_tree(const struct walk *walk, hwloc_obj_t object, uint32_t parent)
{
	uint32_t place = add_memory(walk, object, add_place(walk, object, parent));

	for (hwloc_obj_t child = object->first_child; child; child = child->next_sibling)
		add_tree(walk, child, place);
}

/* ------------------------------------------------------------------------- finding --- */

/* Without hwloc's plugins, which ask devices, and without the component that visits every processor
 * to ask it: Linux tells all that. Also what the program must not use, which others of the node
 * may. */
static bool load(hwloc_topology_t *topology)
{
	setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 0);
	setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (hwloc_topology_init(topology) != 0)
		return false;
	hwloc_topology_set_components(*topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	if (hwloc_topology_load(*topology) == 0)
		return true;
	hwloc_topology_destroy(*topology);
	return false;
}

int main(void)
{
	struct measure_table table = {.nr_places = 0};
	struct walk walk = {.table = &table};
	char node[MEASURE_NODE_TEXT];

	stay_aside();
	if (!load(&walk.topology)) {
		fprintf(stderr, "measure-topology: hwloc cannot examine this machine\n");
		return 2;
	}
	add_tree(&walk, hwloc_get_root_obj(walk.topology), 0);
	hwloc_topology_destroy(walk.topology);
	measure_node_read(node);
	if (measure_table_write(&table, STDOUT_FILENO, node) != MEASURE_OK) {
		fprintf(stderr, "measure-topology: cannot write to standard output\n");
		return 2;
	}
	return 0;
}
