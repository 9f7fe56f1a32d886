/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keepers of the children of a recorded process, and of the programs that replace it by exec. */
#ifndef MEASURE_KEEPER_PROCESS_CHILDREN_H
#define MEASURE_KEEPER_PROCESS_CHILDREN_H

#include "keeper.h"
#include "format/segment.h"
#include "monitor.h"

/* Watches for them too, where they are to be followed. To be done once the segment is there. */
void measure_children_start(const struct measure_keeper *keeper, struct measure_segment *segment,
	struct measure_monitor *watch);

/* Programs that were started in children and that did not come, into the account of the process:
 * all that are to come have. */
void measure_children_count_missing(struct measure_segment_header *header);

/* Returns when all who came have their parts: until then nobody may assemble, as we are there. */
void measure_children_await_parts(void);

#endif
