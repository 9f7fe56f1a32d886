/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An archive that a test writes with the OTF2 library, in a directory of its own: one at a time. */
#ifndef TESTS_UNIT_ANALYSIS_T_OTF2_H
#define TESTS_UNIT_ANALYSIS_T_OTF2_H

#include <stdint.h>

#include <otf2/otf2.h>

/* Bytes of event files, at least, of archives that begin from then on; 1 MiB at first. Of
 * definitions it is four times that. */
extern uint64_t t_otf2_chunk_size;

/* A new one; events of location i are written to on[i]. */
OTF2_Archive *t_otf2_begin(uint32_t nr_locations, OTF2_EvtWriter **on);

/* No more events. *nr_events: of each location. */
void t_otf2_end_events(
	OTF2_Archive *archive, uint32_t nr_locations, OTF2_EvtWriter **on, uint64_t *nr_events);

/* Of the archive. Beside it there is room for others: t_otf2_remove() removes them, too. */
const char *t_otf2_directory(void);
void t_otf2_remove(void);

#endif
