/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file in the run directory in which the keepers of a job on one node share throttled functions
 * and bytes written. Belongs to the spooler's thread. */
#ifndef MEASURE_KEEPER_SPOOL_NODE_SHARING_H
#define MEASURE_KEEPER_SPOOL_NODE_SHARING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "base/intern.h"
#include "keeper/process/journal_tail.h"
#include "format/segment.h"

struct measure_node_sharing {
	const struct measure_segment *segment;
	int parts_fd;
	bool is_throttling;
	int64_t period; /* ms */
	uint64_t self; /* whose notes are ours */
	int fd; /* -1: no file is to be had */
	bool is_open;
	int64_t next; /* look, measure_now_ms() */
	uint64_t position; /* in the file */

	struct measure_journal_tail journal;
	MEASURE_ARRAY(struct measure_shared_module {
		uint64_t name;
		uint64_t bias;
	}) modules; /* by id */
	struct measure_intern functions; /* by module and address in it, in all processes alike */
	MEASURE_ARRAY(struct measure_shared_function {
		uint32_t region; /* UINT32_MAX: this process has not called it */
		bool is_off;     /* here, or offered to the process */
		bool is_told;    /* in the file */
	}) states; /* by id in `functions` */
	MEASURE_ARRAY(uint32_t) regions; /* ids in `functions`; UINT32_MAX: none */

	uint64_t written; /* by others, bytes */
};

/* All zero before. `is_bounded`: so that it matters soon what others have written. */
void measure_node_sharing_begin(struct measure_node_sharing *sharing,
	const struct measure_segment *segment, int parts_fd, bool is_throttling, bool is_bounded);

/* Looks, if it is time to. */
void measure_node_sharing_look(struct measure_node_sharing *sharing);

/* So many more bytes were written for this process. */
void measure_node_sharing_tell_written(struct measure_node_sharing *sharing, uint64_t bytes);

#endif
