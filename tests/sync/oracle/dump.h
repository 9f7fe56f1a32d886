/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much of an event file is whole. */
#ifndef TESTS_SYNC_DUMP_H
#define TESTS_SYNC_DUMP_H

#include <stdint.h>

/* Events of a location's file that are all there; all there are: UINT64_MAX. */
uint64_t dump_nr_whole(const char *anchor, uint64_t location, uint64_t chunk_size);

#endif
