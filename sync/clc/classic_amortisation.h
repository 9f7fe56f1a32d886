/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The classic backward rule, for comparison: each receive that was put forward, from the first to
 * the last, stretches what lies before it, on top of what those before it have stretched. The first
 * event stays where it is. Costs, for each of them, the records in a hundred times its jump: up to
 * the square of their number where jumps are large. */
#ifndef MEASURE_SYNC_CLC_CLASSIC_AMORTISATION_H
#define MEASURE_SYNC_CLC_CLASSIC_AMORTISATION_H

#include "amortisation.h"

/* Needs the values of both passes. Knots come in order. */
void measure_sync_amortise_classic(const struct measure_sync_graph *graph, uint32_t domain,
	const struct measure_sync_rate *rate, struct measure_sync_knots *knots);

#endif
