/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests: a recording process and its keeper in miniature. Events go through OTF2 into
 * a segment, as in a real process; what is FULL is spooled; then the process is "gone". */
#ifndef MEASURE_TESTS_T_PART_H
#define MEASURE_TESTS_T_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "format/journal_records.h"
#include "format/segment.h"
#include "keeper/spool/spool.h"

#define T_CHUNK		(256 * 1024)
#define T_MAX_LOCATIONS 8

struct t_part {
	int fd; /* of the part's directory */
	int memory_fd;
	struct measure_segment segment;
	struct measure_spool spool;
	void *archive; /* OTF2_Archive */
	struct t_location {
		struct t_part *part;
		uint32_t index;
		void *writer; /* OTF2_EvtWriter */
		uint32_t chunk;
		uint64_t nr_events;
		uint32_t depth;
	} locations[T_MAX_LOCATIONS];
	uint32_t nr_locations;
};

/* Makes DIR/.parts/NAME, a KEEPER record of a keeper that is gone, and a PROCESS record. */
void t_part_begin(struct t_part *part, const char *directory, const char *name,
	const struct measure_def_process *process);

/* Appends an encoded frame to the process's journal, or to the keeper's. */
void t_journal(struct t_part *part, const uint8_t *frame, size_t size);
void t_keeper_journal(struct t_part *part, const uint8_t *frame, size_t size);

#define T_JOURNAL(part, name, ...)                                                                 \
	do {                                                                                       \
		struct measure_def_##name def_ = {__VA_ARGS__};                                    \
		uint8_t frame_[8192];                                                              \
		t_journal(part, frame_, measure_def_##name##_frame(&def_, frame_, 8192));          \
	} while (0)
#define T_KEEPER_JOURNAL(part, name, ...)                                                          \
	do {                                                                                       \
		struct measure_def_##name def_ = {__VA_ARGS__};                                    \
		uint8_t frame_[8192];                                                              \
		t_keeper_journal(part, frame_, measure_def_##name##_frame(&def_, frame_, 8192));   \
	} while (0)

/* Adds a location; returns its index. Location 0 begins with ProgramBegin. */
uint32_t t_location(struct t_part *part, uint64_t time);

void t_enter(struct t_part *part, uint32_t location, uint64_t time, uint32_t region);
void t_leave(struct t_part *part, uint32_t location, uint64_t time, uint32_t region);
void t_send(struct t_part *part, uint32_t location, uint64_t time, uint32_t to, uint32_t comm);
void t_recv(struct t_part *part, uint32_t location, uint64_t time, uint32_t from, uint32_t comm);
void t_team(struct t_part *part, uint32_t location, uint64_t time, uint32_t team, bool is_begin);
void t_sample(struct t_part *part, uint32_t location, uint64_t time, uint32_t context);
void t_metric(
	struct t_part *part, uint32_t location, uint64_t time, uint32_t metric, double value);

/* Writes an event that the process did not live to commit. */
void t_uncommitted(struct t_part *part, uint32_t location, uint64_t time, uint32_t region);

/* The process is gone: spools, finishes. `end` NULL: the keeper is gone too, what was not
 * spooled is lost, and the part is left unfinished. */
void t_part_end(struct t_part *part, const struct measure_def_end *end);

#endif
