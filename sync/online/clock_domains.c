/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting the ranks of a job into clock domains. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "clock_domains.h"

struct clock_domains_place {
	uint64_t domain;
	uint32_t rank;
};

static int compare_places(const void *a, const void *b)
{
	const struct clock_domains_place *left = a, *right = b;

	if (left->domain != right->domain)
		return left->domain < right->domain ? -1 : 1;
	return left->rank < right->rank ? -1 : 1;
}

static int compare_ranks(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* Every rank learns every rank's domain. */
static measure_status_t exchange(
	const struct measure_transport *transport, uint64_t domain, uint64_t *all)
{
	measure_status_t status =
		transport->gather(transport->context, &domain, sizeof(domain), all, 0);

	if (status != MEASURE_OK)
		return status;
	return transport->broadcast(transport->context, all, transport->size * sizeof(*all), 0);
}

/* `places` is sorted: each run of equal domains is one domain, lowest rank first. */
static void clock_domains_collect(struct measure_domains *domains,
	const struct clock_domains_place *places, uint32_t nr_places, uint64_t domain)
{
	uint32_t own_representative = 0;

	domains->nr = 0;
	domains->nr_others = 0;
	for (uint32_t i = 0; i < nr_places; i++) {
		const bool is_first = i == 0 || places[i].domain != places[i - 1].domain;

		if (is_first)
			domains->representatives[domains->nr++] = places[i].rank;
		if (places[i].domain != domain)
			continue;
		if (is_first)
			own_representative = places[i].rank;
		else
			domains->others[domains->nr_others++] = places[i].rank;
	}
	qsort(domains->representatives, domains->nr, sizeof(uint32_t), compare_ranks);
	domains->mine = 0;
	while (domains->representatives[domains->mine] != own_representative)
		domains->mine++;
}

measure_status_t measure_domains_find(
	const struct measure_transport *transport, uint64_t domain, struct measure_domains *domains)
{
	const uint32_t size = transport->size;
	measure_status_t status = MEASURE_ERROR_MEMORY;
	uint64_t *all = calloc(size, sizeof(*all));
	struct clock_domains_place *places = calloc(size, sizeof(*places));

	domains->representatives = calloc(size, sizeof(uint32_t));
	domains->others = calloc(size, sizeof(uint32_t));
	if (!all || !places || !domains->representatives || !domains->others)
		goto undo_allocate;
	status = exchange(transport, domain, all);
	if (status != MEASURE_OK)
		goto undo_allocate;
	for (uint32_t i = 0; i < size; i++)
		places[i] = (struct clock_domains_place){all[i], i};
	qsort(places, size, sizeof(*places), compare_places);
	clock_domains_collect(domains, places, size, domain);
	free(places);
	free(all);
	return MEASURE_OK;

undo_allocate:
	measure_domains_free(domains);
	free(places);
	free(all);
	return status;
}

void measure_domains_free(struct measure_domains *domains)
{
	free(domains->representatives);
	free(domains->others);
	domains->representatives = domains->others = NULL;
}
