/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Grids that the program tells of, over the ranks of the job or over the threads of a process. Each
 * has a communicator of its own, of all of them, that the name tells apart. */
#include "config.h"

#include <otf2/OTF2_GeneralDefinitions.h>

#include "adapter.h"
#include "user_start.h"

#define MOST_DIMENSIONS 255

static uint64_t cart_hash(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(0x100000001b3);
	return hash;
}

static measure_comm_t define_comm(const char *name, bool is_of_ranks)
{
	const struct measure_comm_info info = {
		.kind = is_of_ranks ? MEASURE_COMM_WORLD : MEASURE_COMM_THREADS,
		.name = name,
		.key = {cart_hash(name), UINT64_C(0x67726964)},
		.parent = MEASURE_UNDEFINED,
		.paradigm = is_of_ranks ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
	};

	return measure_comm_define(&info);
}

static bool are_good(uint32_t nr, const uint32_t *sizes, const uint32_t *coordinates)
{
	for (uint32_t i = 0; i < nr; i++)
		if (coordinates[i] >= sizes[i])
			return false;
	return nr > 0 && nr <= MOST_DIMENSIONS;
}

/* Coordinates outside of the grid are left out, as the archive could not have them. */
void measure_user_cartesian(const char *name, uint32_t nr_dimensions, const uint32_t *sizes,
	const uint32_t *are_periodic, const uint32_t *coordinates)
{
	struct measure_cart_info info = {.nr_dimensions = nr_dimensions,
		.sizes = sizes,
		.are_periodic = are_periodic,
		.coordinates = coordinates};
	bool is_of_ranks = measure_user_has_rank(&info.rank);

	if (!name || !sizes || !are_periodic || !coordinates || !measure_user_is_on() ||
		!are_good(nr_dimensions, sizes, coordinates))
		return;
	if (!is_of_ranks)
		info.rank = measure_location_index();
	if (info.rank != MEASURE_UNDEFINED)
		measure_cart_define(define_comm(name, is_of_ranks), &info);
}
