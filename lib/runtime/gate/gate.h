/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gate: the words that every hook reads first, and that say what is recorded at all. They lie
 * in a page that the kernel wipes in a forked child, so a child finds the gate closed and cannot
 * write into its parent's locations. In a child that is recorded as a process of its own it opens
 * again, but only for functions and for adapters that support this (child_started): what most
 * adapters remember is about the parent's threads and ids. */
#ifndef MEASURE_RUNTIME_GATE_H
#define MEASURE_RUNTIME_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/page.h"
#include "status.h"

/* Watched: open, but all events take the slow path, as lib/patch looks at where hooks are called
 * from. */
enum measure_gate_state {
	MEASURE_GATE_CLOSED = 0,
	MEASURE_GATE_OPEN = 1,
	MEASURE_GATE_WATCHED = 2
};

union measure_gate {
	struct {
		volatile uint32_t state;            /* for functions, and such adapters */
		volatile uint32_t adapters_enabled; /* all adapters */
		volatile uint32_t nr_counters; /* records before each Enter and Leave (--metrics) */
		volatile uint32_t
			is_direct; /* adapters enabled, no counters, the clock is the TSC */
	};
	uint8_t page[MEASURE_LARGEST_PAGE]; /* to itself: all of it is wiped */
};
extern union measure_gate measure_gate;

static inline bool measure_gate_is_open(void)
{
	return measure_gate.state != MEASURE_GATE_CLOSED;
}

static inline bool measure_gate_is_plain(void)
{
	return measure_gate.state == MEASURE_GATE_OPEN;
}

/* Changes the state if it is `from`. */
static inline void measure_gate_change(uint32_t from, uint32_t to)
{
	__atomic_compare_exchange_n(
		&measure_gate.state, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline bool measure_gate_adapters_enabled(void)
{
	return measure_gate.adapters_enabled;
}

/* From now on so many records stand before each Enter and Leave. */
void measure_gate_count(uint32_t nr_counters);

/* Makes the page wipe on fork, then opens the gate. */
measure_status_t measure_gate_open(void);

/* In a forked child, where the page wipes itself already. */
void measure_gate_open_in_child(void);

/* Recording ends for good. */
void measure_gate_close(void);

#endif
