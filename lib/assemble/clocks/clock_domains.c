/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of the clocks of a job; see clock_domains.h. */
#include "config.h"

#include "clock_domains.h"

#include <stdlib.h>
#include <string.h>

static void domain_note_triples(
	struct measure_clock_domain *domain, const struct measure_part *part)
{
	for (size_t i = 0; i < part->triples.nr; i++) {
		const struct measure_def_clock_triple *triple = &part->triples.items[i];

		if (!domain->has_triples || triple->ticks < domain->first.ticks)
			domain->first = *triple;
		if (!domain->has_triples || triple->ticks > domain->last.ticks)
			domain->last = *triple;
		domain->has_triples = true;
	}
}

static void domain_widen(struct measure_clock_domain *domain, uint64_t time)
{
	if (time > domain->end)
		domain->end = time;
}

static void domain_note_span(struct measure_clock_domain *domain, const struct measure_part *part)
{
	if (part->process.begin_ticks < domain->begin)
		domain->begin = part->process.begin_ticks;
	domain_widen(domain, part->end.ticks);
	for (size_t i = 0; i < part->locations.nr; i++)
		if (part->locations.items[i].events.nr_events)
			domain_widen(domain, part->locations.items[i].events.last_time);
	for (uint32_t i = 0; i < MEASURE_SERIES; i++)
		if (part->sampled[i].events.nr_events)
			domain_widen(domain, part->sampled[i].events.last_time);
}

static measure_status_t domains_note(
	struct measure_clock_domains *domains, const struct measure_process *process)
{
	const struct measure_part *part = process->part;
	struct measure_clock_domain *domain;
	bool is_new;
	uint32_t id;
	measure_status_t status = measure_intern_put(&domains->ids, &part->process.clock_domain,
		sizeof(part->process.clock_domain), &id, &is_new);

	if (status == MEASURE_OK && is_new)
		status = measure_array_push(
			&domains->list, (struct measure_clock_domain){.begin = UINT64_MAX});
	if (status != MEASURE_OK)
		return status;
	domain = &domains->list.items[id];
	domain_note_triples(domain, part);
	domain_note_span(domain, part);
	return part->samples.nr > 0 ? measure_array_push(&domain->measuring, process) : status;
}

measure_status_t measure_clock_domains_find(
	const struct measure_job *job, struct measure_clock_domains *domains)
{
	measure_status_t status = MEASURE_OK;

	for (size_t i = 0; i < job->processes.nr && status == MEASURE_OK; i++) {
		const struct measure_process *process = &job->processes.items[i];

		if (process->part && process->part->has_process)
			status = domains_note(domains, process);
	}
	return status;
}

const struct measure_clock_domain *measure_clock_domain_of(
	const struct measure_clock_domains *domains, const struct measure_part *part)
{
	uint32_t id = measure_intern_find(&domains->ids, &part->process.clock_domain,
		sizeof(part->process.clock_domain));

	return &domains->list.items[id];
}

void measure_clock_domains_free(struct measure_clock_domains *domains)
{
	for (size_t i = 0; i < domains->list.nr; i++)
		free(domains->list.items[i].measuring.items);
	free(domains->list.items);
	measure_intern_free(&domains->ids);
	memset(domains, 0, sizeof(*domains));
}
