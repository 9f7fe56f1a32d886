/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clock domains of a job, processes that read one clock: what all of them together know of it,
 * gathered once, as a job may have a hundred thousand processes. */
#ifndef MEASURE_ASSEMBLE_CLOCKS_CLOCK_DOMAINS_H
#define MEASURE_ASSEMBLE_CLOCKS_CLOCK_DOMAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/unify/job.h"
#include "base/array.h"
#include "base/intern.h"
#include "clock/clock_function.h"
#include "status.h"

struct measure_clock_domain {
	bool has_triples;
	struct measure_def_clock_triple first, last; /* of all processes */
	uint64_t begin, end; /* at which any process of it knew the time */
	MEASURE_ARRAY(const struct measure_process *) measuring; /* those that have samples */
};

struct measure_clock_domains {
	struct measure_intern ids;
	MEASURE_ARRAY(struct measure_clock_domain) list; /* by their ids */
};

/* `domains` is all zero before, and must be freed also after an error. */
measure_status_t measure_clock_domains_find(
	const struct measure_job *job, struct measure_clock_domains *domains);
void measure_clock_domains_free(struct measure_clock_domains *domains);

/* That of a process, which has a PROCESS record. */
const struct measure_clock_domain *measure_clock_domain_of(
	const struct measure_clock_domains *domains, const struct measure_part *part);

#endif
