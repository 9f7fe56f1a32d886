/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First records of the journal: who this process is. */
#ifndef MEASURE_RUNTIME_CORE_PROCESS_H
#define MEASURE_RUNTIME_CORE_PROCESS_H

#include <stdint.h>

struct measure_settings;

/* Takes the definition lock. PROCESS, LAUNCH and, for a simulated clock, CLOCK_TRUTH. nr_inherited:
 * regions that are open from the beginning. Returns how many arguments ProgramBegin is to name. */
uint32_t measure_process_define(
	const struct measure_settings *settings, uint64_t begin_ticks, uint32_t nr_inherited);

#endif
