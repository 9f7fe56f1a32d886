/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The amount of data that a job writes: stops recording at --max-size, and warns if the disk fills
 * fast without it. Belongs to the spooler's thread. */
#ifndef MEASURE_KEEPER_SPOOL_WRITTEN_BYTES_H
#define MEASURE_KEEPER_SPOOL_WRITTEN_BYTES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "config/settings.h"
#include "spool.h"
#include "node_sharing.h"

#define MEASURE_VOLUME_LOOKS 3 /* of which the first and the last one tell the rate */

struct measure_written_bytes {
	const struct measure_settings *settings;
	const char *run_directory;
	int parts_fd;
	uint64_t most; /* for the processes on this node; 0: there is no bound */
	uint64_t told; /* of this process, to the others */
	_Atomic bool is_reached;
	bool is_said; /* by whomever */
	int64_t next; /* look at the rate, measure_now_ms() */
	uint32_t nr_looks;
	struct measure_written_bytes_look {
		int64_t ms;
		uint64_t bytes;
	} looks[MEASURE_VOLUME_LOOKS]; /* the last ones, by number */
};

/* Event memory that a process may have at most, so that a bound is kept. */
uint64_t measure_written_bytes_buffer(const struct measure_settings *settings);

/* All zero before. */
void measure_written_bytes_begin(struct measure_written_bytes *volume,
	const struct measure_settings *settings, const char *run_directory, int parts_fd);

/* After each pass of the spooler. */
void measure_written_bytes_look(struct measure_written_bytes *volume,
	const struct measure_spool *spool, struct measure_node_sharing *sharing);

#endif
