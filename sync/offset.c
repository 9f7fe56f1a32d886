/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the clock offsets of a running job when its processes begin and end to
 * communicate. One process of each clock domain measures; the representatives form a
 * binomial tree whose root is rank 0, the reference, so D domains take log2(D) rounds. The
 * tree is built from the root downwards: whoever answers knows its own bearing already, and
 * in each round everybody has at most one partner, so nobody waits in a circle. */
#include "config.h"

#include <stdatomic.h>
#include <stdio.h>

#include "domains.h"
#include "pair.h"

/* Round `step`: those whose number is a multiple of 2 * step answer those `step` above. */
static measure_status_t run_round(const struct measure_transport *transport,
	const struct measure_domains *domains, uint32_t step, struct measure_bearing *bearing)
{
	const uint32_t place = domains->mine % (2 * step);

	if (place == 0 && domains->mine + step < domains->nr)
		return measure_pair_answer(
			transport, domains->representatives[domains->mine + step], bearing);
	if (place == step)
		return measure_pair_ask(
			transport, domains->representatives[domains->mine - step], bearing);
	return MEASURE_OK;
}

static measure_status_t measure_among_representatives(const struct measure_transport *transport,
	const struct measure_domains *domains, struct measure_bearing *bearing)
{
	measure_status_t status = MEASURE_OK;
	uint32_t step = 1;

	while (step < domains->nr)
		step *= 2;
	while (status == MEASURE_OK && (step /= 2) > 0)
		status = run_round(transport, domains, step, bearing);
	return status;
}

static measure_status_t tell_others(const struct measure_transport *transport,
	const struct measure_domains *domains, const struct measure_bearing *bearing)
{
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; status == MEASURE_OK && i < domains->nr_others; i++)
		status = transport->send(
			transport->context, bearing, sizeof(*bearing), domains->others[i]);
	return status;
}

/* The reference's own domain needs no message: it is right by definition. */
static measure_status_t find_bearing(const struct measure_transport *transport,
	const struct measure_domains *domains, struct measure_bearing *bearing)
{
	const uint32_t representative = domains->representatives[domains->mine];
	measure_status_t status;

	*bearing = measure_bearing_of_reference();
	if (transport->rank != representative)
		return domains->mine == 0 ? MEASURE_OK
					  : transport->receive(transport->context, bearing,
						    sizeof(*bearing), representative);
	status = measure_among_representatives(transport, domains, bearing);
	if (status != MEASURE_OK || domains->mine == 0)
		return status;
	return tell_others(transport, domains, bearing);
}

static measure_status_t measure_offset(const struct measure_transport *transport)
{
	struct measure_domains domains;
	struct measure_bearing bearing;
	measure_status_t status = measure_domains_find(transport, measure_clock_domain(), &domains);

	if (status != MEASURE_OK)
		return status;
	status = find_bearing(transport, &domains, &bearing);
	if (status == MEASURE_OK)
		measure_clock_sample_define(&bearing.sample);
	measure_domains_free(&domains);
	return status;
}

static void measure_phase(const struct measure_transport *transport)
{
	static atomic_flag has_failed = ATOMIC_FLAG_INIT;
	const measure_status_t status = measure_offset(transport);

	if (status != MEASURE_OK && !atomic_flag_test_and_set(&has_failed))
		fprintf(stderr, "measure: rank %u: clock offset not measured: %s\n",
			transport->rank, measure_status_text(status));
}

static const struct measure_adapter offset_adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "offset",
	.parallel_begin = measure_phase,
	.parallel_end = measure_phase,
};

__attribute__((constructor)) static void offset_init(void)
{
	measure_adapter_register(&offset_adapter);
}
