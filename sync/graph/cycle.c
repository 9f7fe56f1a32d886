/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each domain that waits does so for another that waits, or for itself: whoever follows that from
 * one to the next gets into a circle. */
#include "config.h"

#include "cycle.h"

#include "split.h"
#include "trace/common/containers.h"

/* What is asked of other ranks: about sends, by their numbers, for domains here. */
struct questions {
	struct measure_sync_job_part *sends;
	struct measure_sync_remote_records *domains; /* by rank */
};

/* Passes after which all that wait come apart, circle or not: it must not go on for ever. */
#define MOST_ROUNDS 8

static bool is_waiting(const struct measure_sync_cycle *circle, uint32_t domain)
{
	return circle->awaited[domain] != UINT64_MAX;
}

static uint32_t find_next(const struct measure_sync_cycle *circle, uint32_t domain)
{
	return circle->graph->domains[circle->awaited[domain]];
}

/* ------------------------------------------------------------------------- waiting --- */

/* What a receive waits for. */
static const uint32_t *awaited_by(const struct measure_sync_graph *graph,
	const struct measure_sync_record *record, uint32_t *nr)
{
	const struct measure_sync_instance *instance;
	uint32_t r = 0;

	*nr = 1;
	if (record->is_pair)
		return &record->link;
	instance = &graph->instances[record->link];
	while (measure_sync_receives(graph, instance)[r] != measure_sync_index(graph, record))
		r++;
	*nr = measure_sync_nr_awaited(graph, instance, r);
	return measure_sync_sends(graph, instance);
}

static bool has_come(const struct measure_sync_cycle *circle, uint32_t send)
{
	const struct measure_sync_graph *graph = circle->graph;
	const uint32_t domain = graph->domains[graph->records[send].location];

	return (size_t)(&graph->records[send] - graph->of[domain].records) < circle->next[domain];
}

static void ask(struct questions *questions, uint32_t rank, uint32_t number, uint32_t domain)
{
	struct measure_sync_remote_records *domains = &questions->domains[rank];
	struct measure_sync_job_part *sends = &questions->sends[rank];
	size_t room = domains->room;

	sends->data = measure_grow(sends->data, domains->nr, &room, sizeof(number));
	domains->items =
		measure_grow(domains->items, domains->nr, &domains->room, sizeof(*domains->items));
	domains->items[domains->nr] = domain;
	((uint32_t *)sends->data)[domains->nr++] = number;
	sends->size = domains->nr * sizeof(number);
}

/* Those of whom a send is missing: the lowest location that is here, and others are asked. */
static void find_awaited(
	const struct measure_sync_cycle *circle, uint32_t domain, struct questions *questions)
{
	const struct measure_sync_graph *graph = circle->graph;
	uint32_t nr;
	const uint32_t *sends =
		awaited_by(graph, &graph->of[domain].records[circle->next[domain]], &nr);

	for (uint32_t i = 0; i < nr; i++) {
		const uint32_t location = graph->records[sends[i]].location;

		if (!measure_sync_is_mine(graph, location))
			ask(questions, graph->ranks[location], graph->far.group_of[sends[i]],
				domain);
		else if (!has_come(circle, sends[i]) && location < circle->awaited[domain])
			circle->awaited[domain] = location;
	}
}

/* The lowest location of a group whose send is missing, or MEASURE_NONE. */
static uint32_t answer(const struct measure_sync_cycle *circle, uint32_t rank, uint32_t number)
{
	const struct measure_sync_graph *graph = circle->graph;
	const struct measure_sync_remote_side *side = &graph->far.sends;
	const struct measure_sync_remote_group *group =
		&side->groups[side->out[rank].items[number]];
	uint32_t lowest = MEASURE_NONE;

	for (uint32_t i = 0; i < group->nr_members; i++) {
		const uint32_t send = side->members.items[group->first_member + i];

		if (!has_come(circle, send) && graph->records[send].location < lowest)
			lowest = graph->records[send].location;
	}
	return lowest;
}

/* Collective: a number for a question. */
static void swap_answers(const struct measure_sync_cycle *circle, struct questions *questions)
{
	const struct measure_sync_job *job = circle->graph->job;
	struct measure_sync_job_part *asked = measure_zeroed(job->size, sizeof(*asked));
	struct measure_sync_job_part *answers = measure_zeroed(job->size, sizeof(*answers));

	measure_sync_job_swap(job, questions->sends, asked);
	for (uint32_t r = 0; r < job->size; r++)
		for (size_t i = 0; i < asked[r].size / sizeof(uint32_t); i++) {
			uint32_t *number = (uint32_t *)asked[r].data + i;

			*number = answer(circle, r, *number);
		}
	measure_sync_job_swap(job, asked, answers);
	for (uint32_t r = 0; r < job->size; r++) {
		for (size_t i = 0; i < answers[r].size / sizeof(uint32_t); i++) {
			const uint32_t location = ((const uint32_t *)answers[r].data)[i];
			uint64_t *awaited = &circle->awaited[questions->domains[r].items[i]];

			if (location != MEASURE_NONE && location < *awaited)
				*awaited = location;
		}
		measure_free(asked[r].data);
		measure_free(answers[r].data);
		measure_free(questions->sends[r].data);
		measure_free(questions->domains[r].items);
	}
	measure_free(asked);
	measure_free(answers);
}

/* Collective: whom each domain waits for, of those of whom a send is missing the lowest location;
 * one that waits for nobody else waits for itself. */
static void find_all_awaited(struct measure_sync_cycle *circle)
{
	const struct measure_sync_graph *graph = circle->graph;
	struct questions questions = {measure_zeroed(graph->job->size, sizeof(*questions.sends)),
		measure_zeroed(graph->job->size, sizeof(*questions.domains))};

	circle->awaited = measure_uncleared(graph->nr_domains, sizeof(*circle->awaited));
	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		circle->awaited[i] = UINT64_MAX;
		if (measure_sync_is_my_domain(graph, i) && circle->next[i] < graph->of[i].nr)
			find_awaited(circle, i, &questions);
	}
	swap_answers(circle, &questions);
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		if (measure_sync_is_my_domain(graph, i) && circle->next[i] < graph->of[i].nr &&
			!is_waiting(circle, i))
			circle->awaited[i] = graph->of[i].a_location;
	graph->job->ops->combine(circle->awaited, graph->nr_domains, MEASURE_SYNC_JOB_LEAST);
	measure_free(questions.sends);
	measure_free(questions.domains);
}

/* ------------------------------------------------------------------------- circles --- */

static void count_locations(const struct measure_sync_graph *graph, uint32_t *nr_locations)
{
	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++)
		nr_locations[graph->domains[i]]++;
}

/* From `start` on until somebody has been there before: in this walk, then it is a circle. */
static void walk(const struct measure_sync_cycle *circle, uint32_t start, uint32_t *seen)
{
	struct measure_sync_split *marks = circle->graph->marks;
	uint32_t domain = start;

	for (; !seen[domain]; domain = find_next(circle, domain))
		seen[domain] = start + 1;
	if (seen[domain] != start + 1)
		return;
	for (; !marks[domain].is_in_circle; domain = find_next(circle, domain))
		marks[domain].is_in_circle = true;
}

bool measure_sync_cycle_mark(struct measure_sync_cycle *circle)
{
	struct measure_sync_graph *graph = circle->graph;
	bool has_marks = false;
	uint32_t *seen, *nr_locations;

	if (graph->nr_domains == graph->trace->definitions.nr_locations)
		return false;
	find_all_awaited(circle);
	seen = measure_zeroed(graph->nr_domains, sizeof(*seen));
	nr_locations = measure_zeroed(graph->nr_domains, sizeof(*nr_locations));
	count_locations(graph, nr_locations);
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		if (is_waiting(circle, i) && !seen[i])
			walk(circle, i, seen);
	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		struct measure_sync_split *mark = &graph->marks[i];

		mark->is_in_circle |= graph->nr_rounds >= MOST_ROUNDS && is_waiting(circle, i);
		mark->is_in_circle &= nr_locations[i] > 1;
		has_marks |= mark->is_in_circle;
	}
	graph->nr_rounds += has_marks;
	measure_free(circle->awaited);
	measure_free(seen);
	measure_free(nr_locations);
	return has_marks;
}
