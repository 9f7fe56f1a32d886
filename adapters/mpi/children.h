/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many communicators of one kinship (same members, same tag) a communicator has had as
 * children: a small map from kinship to count, O(1). The caller keeps threads apart. */
#ifndef MEASURE_MPI_CHILDREN_H
#define MEASURE_MPI_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>

struct measure_child_count {
	uint64_t kinship;
	uint64_t count; /* 0: empty slot */
};

/* All zero: no children yet. */
struct measure_children {
	struct measure_child_count *slots;
	uint32_t nr_slots; /* power of two, or 0 */
	uint32_t nr_used;
};

/* Counts one more child; `nr_before` is how many there were. False: no memory. */
bool measure_children_count(
	struct measure_children *children, uint64_t kinship, uint64_t *nr_before);

void measure_children_free(struct measure_children *children);

#endif
