/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which event files a part has, where there is no segment that says it. */
#ifndef MEASURE_ASSEMBLE_PART_EVENT_FILES_H
#define MEASURE_ASSEMBLE_PART_EVENT_FILES_H

#include <stdint.h>

#include "status.h"

/* How many locations the part has: up to the last one with an event file. A file for which there
 * cannot be a location is none of ours. */
measure_status_t measure_event_files_count(int part_fd, uint32_t *nr_locations);

#endif
