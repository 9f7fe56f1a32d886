/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests: the smallest archive around given event files, and a reader that counts. */
#ifndef MEASURE_TESTS_T_ARCHIVE_H
#define MEASURE_TESTS_T_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#define T_EVENT_TYPES 256

/* What reading one location gave. */
struct t_events {
	uint64_t nr;
	uint64_t nr_enter;
	uint64_t nr_leave;
	uint64_t nr_other;
	uint64_t first_time;
	uint64_t last_time;
	int nr_open;	  /* Enter minus Leave */
	int nr_backwards; /* time stamps smaller than the one before */
	int64_t exit_status;
	int has_program_end;
};

/* Makes DIR/traces.{otf2,def} for location 0 with `nr_events`; its event file is put in place
 * by the caller at DIR/traces/0.evt. 0 on success. */
int t_archive_make(const char *directory, uint64_t chunk_size, uint64_t nr_events);

/* Reads one location of an archive with OTF2's own reader. 0 on success. */
int t_archive_read(const char *directory, uint64_t location, struct t_events *events);

#endif
