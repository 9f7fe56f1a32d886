/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An assembly in work: what assemble.c, assemble_parts.c and assemble_events.c share. */
#ifndef MEASURE_ASSEMBLE_WRITE_ASSEMBLE_INTERNAL_H
#define MEASURE_ASSEMBLE_WRITE_ASSEMBLE_INTERNAL_H

#include "assemble.h"
#include "assemble/align/cut_align.h"
#include "assemble/clocks/clock_correction.h"
#include "assemble/part/parts.h"
#include "assemble/unify/node_topology.h"
#include "assemble/unify/unify.h"
#include "base/array.h"
#include "filtered_calls.h"
#include "throttled.h"

#define MEASURE_WORK_NAME ".archive" /* in .parts: the archive in work */

struct measure_assembly {
	const char *directory;
	int directory_fd;
	int parts_fd;
	int work_fd;
	measure_part_list_t list;
	struct measure_record_pool *pool; /* of the records of all parts */
	MEASURE_ARRAY(struct measure_part) parts;
	uint32_t chunk_size;
	struct measure_topologies topologies;
	struct measure_job job;
	struct measure_clock_correction timeline;
	struct measure_unified unified;
	struct measure_cut_alignment alignment; /* after the definitions */
	struct measure_filtered_calls filtered;
	measure_throttled_list_t throttled;
	struct measure_assemble_report *report;
	measure_assembled_fn then; /* NULL: nothing */
	void *data;
};

/* Says what has failed, in report->trouble, unless something has before; returns `status`. */
__attribute__((format(printf, 3, 4))) measure_status_t measure_assembly_fail(
	struct measure_assembly *assembly, measure_status_t status, const char *format, ...);

/* Finishes the parts of dead keepers, and reads all that are finished. */
measure_status_t measure_assembly_read_parts(struct measure_assembly *assembly);

/* Decides what is left out of them; the definitions tell of the rest. */
measure_status_t measure_assembly_align(struct measure_assembly *assembly);

/* Puts the event files into the archive in work. After the definitions: OTF2 wants to make the
 * folder `traces` itself. */
measure_status_t measure_assembly_place_events(struct measure_assembly *assembly);

#endif
