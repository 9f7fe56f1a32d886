/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A clock that is wrong on purpose: a deterministic function of the real one. */
#ifndef MEASURE_CLOCK_SIMULATED_H
#define MEASURE_CLOCK_SIMULATED_H

#include <stdint.h>

#include "status.h"

#define MEASURE_SIMULATED_WALK 4096 /* seconds for which the drift walks */

struct measure_simulated {
	char clock[32];	  /* the real clock under it */
	double offset;	  /* s */
	double drift;	  /* s per s */
	double walk;	  /* s per s, standard step of the drift per second */
	double step;	  /* s */
	double step_at;	  /* s after the origin */
	uint64_t seed;
	uint64_t origin;  /* real ticks */
	double frequency; /* real ticks per second */
	double walked[MEASURE_SIMULATED_WALK + 1]; /* s gained by walking, at each second */
};

/* Parses "key=value,..." and multiplies the amounts by `rank`. */
measure_status_t measure_simulated_parse(struct measure_simulated *simulated,
	const char *parameters, uint32_t rank);

/* Ticks of the simulated clock at `ticks` of the real one. */
uint64_t measure_simulated_bend(const struct measure_simulated *simulated, uint64_t ticks);

#endif
