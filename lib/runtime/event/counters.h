/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counters: values of metrics (--metrics, plug-ins) that stand before each Enter and Leave. */
#ifndef MEASURE_EVENT_COUNTERS_H
#define MEASURE_EVENT_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "metric.h"
#include "format/event_encode.h"

struct measure_location;

/* More than a record takes, with a timestamp: type, length, class and number; each value with its
 * type and its length. */
#define MEASURE_COUNTER_ROOM (9 + 2 + 5 + 1 + 10 * MEASURE_MOST_METRICS)

/* The sources that the core has itself, and `metrics` of the settings. Once, when the gate is open;
 * other sources come by measure_metric_register(). */
void measure_counters_start(const char *metrics);

/* The same in a forked child, which goes on with the sources of its parent: their classes are
 * defined anew, in the child's journal. */
void measure_counters_restart(void);

/* Puts values of counters before an Enter or Leave, in the same chunk: not committed yet, but there
 * will be room for the record that follows, and one commit publishes both. So nobody ever sees one
 * without the other. Returns what they add to the change that is committed with it. */
uint64_t measure_counters_put(struct measure_location *location);

/* Bytes for `nr` records of counters, and for what follows: attributes, and an Enter or Leave. */
static inline size_t measure_counters_room(uint32_t nr)
{
	return nr * MEASURE_COUNTER_ROOM + 2 * MEASURE_RECORD_ROOM;
}

/* The location's thread is over, outside of transactions. */
void measure_counters_end(struct measure_location *location);

#endif
