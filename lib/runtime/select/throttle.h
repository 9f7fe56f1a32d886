/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --overhead: keeps what recording costs a thread below a share of its time, by switching off
 * functions that are called often and are short. Everything here is off the event path: one event
 * in some thousand comes by, when it chooses which one times itself next. */
#ifndef MEASURE_RUNTIME_SELECT_THROTTLE_H
#define MEASURE_RUNTIME_SELECT_THROTTLE_H

#include <stdint.h>

struct measure_location;
struct measure_segment;

/* Of a location: since it was looked at last. */
struct measure_throttle {
	const uint8_t *from; /* its records lie behind this; NULL: it has no chunk */
	uint64_t from_time;  /* timestamp of the record before */
	uint64_t events;     /* committed by then */
	uint64_t time;       /* 0: never */
	uint64_t cpu;        /* its processor time by then, ns */
	double credit;       /* ticks that recording may cost; below 0: has cost too much */
	uint32_t left_out;   /* looks, since one was of no use */
	uint32_t to_leave_out;
};

/* Before the gate opens, and in a forked child that begins to record. */
void measure_throttle_start(const struct measure_segment *segment, const char *percent);

/* Puts the option into the archive's properties; behind the process's own record. */
void measure_throttle_describe(void);

/* A location has got a chunk. */
void measure_throttle_begin_chunk(struct measure_location *location);

/* The last record is none any more. */
void measure_throttle_take_back(struct measure_location *location);

/* Inside a bracket, before a record: functions may be switched off, for all threads. */
void measure_throttle_look(struct measure_location *location);

#endif
