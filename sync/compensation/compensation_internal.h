/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of a compensation: compensation.c (order of passes, replay), compensation_steps.c (the
 * time of a location on its own), compensated_times.c (times of all events). */
#ifndef MEASURE_SYNC_COMPENSATION_COMPENSATION_INTERNAL_H
#define MEASURE_SYNC_COMPENSATION_COMPENSATION_INTERNAL_H

#include "compensation.h"

/* Reads the events of this rank. Bounds are in the rests of the steps; afterwards these are steps.
 */
measure_status_t compensation_make_steps(
	struct measure_compensation *compensation, unsigned nr_threads);

static inline uint64_t compensation_measured_time(const struct measure_compensation *compensation,
	struct measure_sync_reading *clock, uint32_t location, uint64_t raw, uint64_t position)
{
	return measure_sync_correct(
		&compensation->corrections[compensation->graph->domains[location]], clock, raw,
		location, position);
}

static inline struct measure_removal compensation_removal(
	const struct measure_compensation *compensation)
{
	return (struct measure_removal){
		.pricing = {.list = &compensation->list, .set = compensation->set}};
}

#endif
