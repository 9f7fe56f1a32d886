/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Metrics: records of their values, and those that stand before each Enter and Leave. */
#ifndef MEASURE_RUNTIME_EVENT_COUNTERS_H
#define MEASURE_RUNTIME_EVENT_COUNTERS_H

#include "location.h"
#include "metric.h"

/* The sources that the core has itself, and `metrics` of the settings. Once, when the gate is open;
 * other sources come by measure_metric_register(). */
void measure_meters_start(const char *metrics);

/* The same in a forked child, which goes on with the sources of its parent. */
void measure_meters_restart(void);

/* Records that stand before each Enter and Leave. */
uint32_t measure_meters_nr(void);

/* Bytes for these and for the record behind them. */
size_t measure_meter_room(void);

/* The location's thread is over, outside of brackets. */
void measure_meters_end(struct measure_location *location);

#endif
