/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests: graphs without an archive, of four processes of two threads on two hosts. */
#ifndef MEASURE_TESTS_T_GRAPH_H
#define MEASURE_TESTS_T_GRAPH_H

#include <stdint.h>

#include "sync/graph/location_clocks.h"
#include "sync/clc/correction.h"
#include "sync/clc/replay.h"

#define T_PROCESSES 4
#define T_LOCATIONS 8

extern struct measure_sync_graph t_graph;
extern struct measure_clock_function t_presync[T_LOCATIONS];
extern struct measure_sync_correction t_corrections[T_LOCATIONS]; /* by domain */
extern const struct measure_sync_latencies t_latencies;
extern const struct measure_sync_rate t_rate;

/* Around all tests, for t_suite. */
int t_set_up(void);

/* Around one graph. */
void t_start(enum measure_sync_domain domain);
void t_end(void);

/* The next event of a location. */
struct measure_point t_point_at(uint32_t location, uint64_t raw);
void t_tie(enum measure_relation relation, const struct measure_point *sends, size_t nr_sends,
	const struct measure_point *receives, size_t nr_receives);
void t_message(uint32_t from, uint64_t sent, uint32_t to, uint64_t received);

/* Forward; then backward, which makes the corrections. */
struct measure_sync_relaxed t_replay(unsigned nr_threads);
void t_correct(enum measure_sync_backward_rule rule);

/* Corrected time of an event that need not be one of the graph. */
int64_t t_time_of(uint32_t location, uint64_t raw, uint64_t position);

/* Relations that the corrections violate. */
uint64_t t_nr_left(void);

#endif
