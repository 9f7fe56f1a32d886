/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cartesian topologies: one for each communicator that has one. Every process says its own
 * coordinates; put together they are the topology's. Of ranks that left no part they are
 * missing. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unify.h"

/* A topology is known by its communicator, and has no name of its own in MPI. */
#define UNNAMED "MPI_Cart_create"

struct topologies {
	struct measure_unified *unified;
	uint32_t *of_comm; /* by communicator of the archive; MEASURE_NO_ID: none yet */
};

static void add_dimensions(struct topologies *topologies, const struct measure_def_cart *cart)
{
	struct measure_archive_definitions *definitions = &topologies->unified->definitions;
	char name[32];

	for (uint32_t i = 0; i < cart->sizes.nr; i++) {
		snprintf(name, sizeof(name), "dimension %u", i);
		struct measure_otf2_dimension dimension = {
			measure_unify_string(topologies->unified, name), cart->sizes.items[i],
			cart->are_periodic.items[i] != 0};
		measure_unify_push(topologies->unified, &definitions->dimensions, dimension);
	}
}

static uint32_t add_topology(struct topologies *topologies, uint32_t comm,
	const struct measure_def_cart *cart)
{
	struct measure_archive_definitions *definitions = &topologies->unified->definitions;
	uint32_t name = definitions->comms.items[comm].name;
	struct measure_otf2_topology topology = {
		name ? name : measure_unify_string(topologies->unified, UNNAMED), comm,
		(uint32_t)definitions->dimensions.nr, (uint8_t)cart->sizes.nr};

	add_dimensions(topologies, cart);
	measure_unify_push(topologies->unified, &definitions->topologies, topology);
	topologies->of_comm[comm] = (uint32_t)definitions->topologies.nr - 1;
	return topologies->of_comm[comm];
}

/* Coordinates that the topology does not have are of a damaged journal. */
static bool fits(const struct measure_archive_definitions *definitions, uint32_t topology,
	const struct measure_def_cart *cart)
{
	const struct measure_otf2_topology *known = &definitions->topologies.items[topology];

	if (known->nr_dimensions != cart->sizes.nr)
		return false;
	for (uint32_t i = 0; i < cart->sizes.nr; i++)
		if (cart->coordinates.items[i] >=
			definitions->dimensions.items[known->first_dimension + i].size)
			return false;
	return true;
}

static void add_place(struct topologies *topologies, uint32_t comm,
	const struct measure_def_cart *cart)
{
	struct measure_archive_definitions *definitions = &topologies->unified->definitions;
	uint32_t topology = topologies->of_comm[comm];

	if (topology == MEASURE_NO_ID)
		topology = add_topology(topologies, comm, cart);
	if (topologies->unified->status != MEASURE_OK || !fits(definitions, topology, cart))
		return;
	struct measure_otf2_coordinate place = {topology, cart->rank, cart->coordinates.items};
	measure_unify_push(topologies->unified, &definitions->coordinates, place);
}

void measure_unify_topologies(struct measure_unified *unified)
{
	size_t nr_comms = unified->definitions.comms.nr;
	struct topologies topologies = {unified, malloc((nr_comms + 1) * sizeof(uint32_t))};

	if (!topologies.of_comm) {
		unified->status = MEASURE_ERROR_MEMORY;
		return;
	}
	memset(topologies.of_comm, 0xff, (nr_comms + 1) * sizeof(uint32_t));
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_part *part = unified->job->processes.items[i].part;
		const measure_id_map_t *map = &unified->locals.items[i].comms;
		for (size_t k = 0; part && k < part->carts.nr; k++) {
			const struct measure_def_cart *cart = &part->carts.items[k];
			if (cart->comm < map->nr && cart->sizes.nr > 0)
				add_place(&topologies, map->items[cart->comm], cart);
		}
	}
	free(topologies.of_comm);
}
