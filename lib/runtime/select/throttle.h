/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --overhead: keeps what recording costs a thread below a share of its time. First, unsuccessful
 * polls are left out: calls that only check whether something has happened, and find that it has
 * not, such as MPI_Test with a flag of 0, of which a loop makes millions. Then functions are
 * switched off that are called often and are short. Everything here is off the hot path: one event
 * in some thousand comes by, when it chooses which one times itself next. */
#ifndef MEASURE_SELECT_THROTTLE_H
#define MEASURE_SELECT_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

struct measure_timing_histograms;
struct measure_segment;

/* Of a location: since it was looked at last. */
struct measure_throttle {
	const uint8_t *from; /* its records lie after this; NULL: it has no chunk */
	uint64_t from_time;  /* timestamp of the record before */
	uint64_t events;     /* committed by then */
	uint64_t time;       /* 0: never */
	uint64_t cpu;        /* its processor time by then, ns */
	double credit;       /* ticks that recording may cost; below 0: has cost too much */
	uint32_t nr_skipped; /* looks, since one was of no use */
	uint32_t to_skip;
	uint32_t nr_repeated; /* unsuccessful polls recorded, though they directly followed
				 another one */
};

/* What a location has recorded, as of `now`. */
struct measure_recorded {
	const struct measure_timing_histograms *timings; /* of events that timed themselves */
	const uint8_t *position;
	uint64_t last_time; /* timestamp before that */
	uint64_t now;
	uint64_t events;
	bool is_dropped; /* events are, as there is no memory */
};

/* Before the gate opens, and in a forked child that begins to record. */
void measure_throttle_start(const struct measure_segment *segment, const char *percent);

/* Puts the option into the archive's properties; after the process's own record. */
void measure_throttle_describe(void);

/* Records that count from now on lie after this place. */
static inline void measure_throttle_note_place(
	struct measure_throttle *throttle, const uint8_t *position, uint64_t last_time)
{
	throttle->from = position;
	throttle->from_time = last_time;
}

/* In a transaction, before a record: functions may be switched off, for all threads. */
void measure_throttle_look(
	struct measure_throttle *throttle, const struct measure_recorded *recorded);

/* An unsuccessful poll of this region directly follows another one. True: it is not to be recorded,
 * and was counted with its `ticks`. */
bool measure_throttle_leave_out(struct measure_throttle *throttle, uint32_t region, uint64_t ticks);

#endif
