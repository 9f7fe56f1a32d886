/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gate: the word that every hook reads first. It lies in a page that the kernel wipes in
 * a forked child, so a child finds it closed and cannot write into its parent's locations. In a
 * child that is recorded as a process of its own it opens again, but only for functions and what
 * says that it goes on there (child_started): what most adapters remember is of the parent's
 * threads and ids. */
#ifndef MEASURE_RUNTIME_GATE_GATE_H
#define MEASURE_RUNTIME_GATE_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#define MEASURE_GATE_PAGE 4096

/* Watched: open, and all events go the slow way, because somebody looks where hooks are called
 * from (lib/patch). */
enum measure_gate_state {
	MEASURE_GATE_CLOSED = 0,
	MEASURE_GATE_OPEN = 1,
	MEASURE_GATE_WATCHED = 2
};

union measure_gate {
	struct {
		volatile uint32_t is_open;      /* for functions, and such adapters */
		volatile uint32_t is_admitting; /* all adapters */
		volatile uint32_t is_metered;   /* metrics stand before each Enter and Leave */
		volatile uint32_t is_direct;    /* admitting, not metered, the clock is a counter */
	};
	uint8_t page[MEASURE_GATE_PAGE];
};
extern union measure_gate measure_gate;

static inline bool measure_gate_is_open(void)
{
	return measure_gate.is_open;
}

static inline bool measure_gate_is_plain(void)
{
	return measure_gate.is_open == MEASURE_GATE_OPEN;
}

/* Where it is in the one state, it comes to the other. */
static inline void measure_gate_change(uint32_t from, uint32_t to)
{
	__atomic_compare_exchange_n(
		&measure_gate.is_open, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline bool measure_gate_is_admitting(void)
{
	return measure_gate.is_admitting;
}

static inline bool measure_gate_is_metered(void)
{
	return measure_gate.is_metered;
}

static inline bool measure_gate_is_direct(void)
{
	return measure_gate.is_direct;
}

/* From now on metrics stand before each Enter and Leave. */
void measure_gate_meter(void);

/* Makes the page wipe on fork, then opens the gate. */
measure_status_t measure_gate_open(void);

/* In a forked child, where the page wipes itself already. */
void measure_gate_open_in_child(void);

/* Recording ends for good. */
void measure_gate_close(void);

#endif
