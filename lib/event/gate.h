/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The gate: one word that every hook reads first. It lies in a page that the kernel wipes in
 * a forked child, so a child finds it closed and cannot write into its parent's locations. */
#ifndef MEASURE_EVENT_GATE_H
#define MEASURE_EVENT_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#define MEASURE_GATE_PAGE 4096

union measure_gate {
	volatile uint32_t is_open;
	uint8_t page[MEASURE_GATE_PAGE];
};
extern union measure_gate measure_gate;

static inline bool measure_gate_is_open(void)
{
	return measure_gate.is_open;
}

/* Makes the page wipe on fork, then opens the gate. */
measure_status_t measure_gate_open(void);

/* Recording ends for good. */
void measure_gate_close(void);

#endif
