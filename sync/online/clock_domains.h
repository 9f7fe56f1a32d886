/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock domains of a job: which ranks read the same clock, and one rank that measures for
 * each. Domains are numbered by their representatives, the lowest rank of each, so domain 0
 * is that of rank 0, whose clock is the reference. */
#ifndef MEASURE_SYNC_ONLINE_CLOCK_DOMAINS_H
#define MEASURE_SYNC_ONLINE_CLOCK_DOMAINS_H

#include "transport.h"

struct measure_domains {
	uint32_t nr;
	uint32_t mine; /* number of this process's domain */
	uint32_t *representatives;
	uint32_t nr_others; /* ranks of this domain but for its representative */
	uint32_t *others;
};

/* Collective. `domain` as in measure_clock_domain(). */
measure_status_t measure_domains_find(const struct measure_transport *transport, uint64_t domain,
	struct measure_domains *domains);
void measure_domains_free(struct measure_domains *domains);

#endif
