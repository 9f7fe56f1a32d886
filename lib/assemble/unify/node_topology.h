/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the nodes of a run consist of, as their files in `.parts` tell, and where in it processors
 * are. Sizes, ids and texts of these files are not trusted. */
#ifndef MEASURE_ASSEMBLE_UNIFY_NODE_TOPOLOGY_H
#define MEASURE_ASSEMBLE_UNIFY_NODE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "format/journal_records.h"
#include "status.h"

/* Processors by the kernel's numbers, as bits. */
struct measure_processors {
	uint32_t words[MEASURE_MOST_PROCESSORS / 32];
};

/* A node. Parents come before their children; place 0 is the node itself. */
struct measure_node_topology {
	uint8_t *data; /* of the file: texts and processors of the records point into it */
	bool has_begun;
	struct measure_def_topology said;
	MEASURE_ARRAY(struct measure_def_place) places;
	MEASURE_ARRAY(struct measure_def_place_fact) facts;
};

struct measure_topologies {
	MEASURE_ARRAY(struct measure_node_topology) nodes;
};

/* All of a `.parts` that are whole; others are as if they were not there. `topologies` is all zero
 * before, and must be freed also after an error. */
measure_status_t measure_topologies_read(int parts_fd, struct measure_topologies *topologies);
void measure_topologies_free(struct measure_topologies *topologies);

/* One from a file's bytes, which it takes. MEASURE_ERROR_FORMAT: it is not whole. To be freed also
 * then. */
measure_status_t measure_node_topology_decode(
	uint8_t *data, size_t size, struct measure_node_topology *topology);
void measure_node_topology_free(struct measure_node_topology *topology);

/* That of a node by its identity; NULL: not known. */
const struct measure_node_topology *measure_topologies_find(
	const struct measure_topologies *topologies, const char *node);

/* The largest place that has no other processors than these; without one, the smallest that has
 * them all: where something is that may use these. */
uint32_t measure_node_topology_place(
	const struct measure_node_topology *topology, const struct measure_processors *processors);

/* Where a processor is, from the largest place below the node on: "Package 0, NUMA node 0, Core 3".
 * "": not known. */
void measure_node_topology_describe(
	const struct measure_node_topology *topology, uint32_t processor, char *text, size_t size);

/* "0-3,8". False: it is none, or not all of it is told. */
bool measure_processors_parse(const char *text, struct measure_processors *processors);

#endif
