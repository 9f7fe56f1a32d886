/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who and where: for the factors of an efficiency that are low, what shows most of the loss. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_VERDICTS_H
#define MEASURE_ANALYSIS_EFFICIENCY_VERDICTS_H

#include "analysis/waits/waits.h"

/* Of waits in MPI: for whom processes have waited most, and in which path. */
struct measure_waited_for {
	uint32_t location, path; /* MEASURE_NONE: nobody waited */
	uint64_t ticks;          /* for that location, on that path */
	uint64_t of_location;    /* for that location */
	uint64_t all;
};

/* Of calls of MPI on master threads: in which region they took most besides waiting. */
struct measure_transferred {
	uint32_t region; /* MEASURE_NONE: there is no call */
	uint64_t ticks, all;
};

struct measure_waited_for measure_waited_for_find(const struct measure_waits *waits);

/* is_master: by location. */
struct measure_transferred measure_transferred_find(
	const struct measure_waits *waits, const bool *is_master);

#endif
