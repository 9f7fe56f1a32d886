/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locations in turns: each goes on until it comes to an event that receives what is still to be
 * sent, at the same tick. */
#include "config.h"

#include "tie_breaking.h"

#include "trace/common/containers.h"

struct ties {
	struct measure_map nr_missing; /* by pair or instance: sends at this tick */
	struct run {
		size_t next, end;
	} * runs; /* of one location each */
	size_t nr_runs, room_runs;
	MEASURE_GROWING(struct measure_sync_record, ordered);
};

/* Both sides of a pair have the same, by the numbers of their marks, which stand for their times.
 */
static struct measure_key key_of(const struct measure_sync_record *record)
{
	const uint32_t number = (uint32_t)record->time;

	if (!record->is_pair)
		return measure_key_pair(1, record->link);
	return measure_key_pair(2, record->link < number ? record->link : number);
}

/* None, or what is missing. */
static uint32_t nr_missing(const struct ties *ties, const struct measure_sync_record *record)
{
	uint32_t nr = measure_map_get(&ties->nr_missing, key_of(record));

	return nr == MEASURE_NONE ? 0 : nr;
}

static void tie_breaking_start(
	struct ties *ties, const struct measure_sync_record *records, size_t nr)
{
	measure_map_clear(&ties->nr_missing);
	ties->nr_runs = ties->nr_ordered = 0;
	for (size_t i = 0; i < nr; i++) {
		if (records[i].is_send)
			measure_map_set(&ties->nr_missing, key_of(&records[i]),
				nr_missing(ties, &records[i]) + 1);
		if (i == 0 || records[i].location != records[i - 1].location) {
			measure_append(ties, runs)->next = i;
		}
		ties->runs[ties->nr_runs - 1].end = i + 1;
	}
}

static void tie_breaking_take(struct ties *ties, const struct measure_sync_record *record)
{
	*measure_append(ties, ordered) = *record;
	if (record->is_send)
		measure_map_set(&ties->nr_missing, key_of(record), nr_missing(ties, record) - 1);
}

/* The next event of a run, with all that it receives and sends. */
static void take_event(
	struct ties *ties, const struct measure_sync_record *records, struct run *run)
{
	const struct measure_sync_record *event = &records[run->next];

	while (run->next < run->end && measure_sync_is_same_event(&records[run->next], event))
		tie_breaking_take(ties, &records[run->next++]);
}

/* Has the next event of a run to wait? */
static bool is_waiting(
	const struct ties *ties, const struct measure_sync_record *records, const struct run *run)
{
	const struct measure_sync_record *event = &records[run->next];

	for (size_t i = run->next; i < run->end && !records[i].is_send &&
				   measure_sync_is_same_event(&records[i], event);
		i++)
		if (nr_missing(ties, &records[i]) > 0)
			return true;
	return false;
}

/* A round of turns. False: nobody could go on. */
static bool go_round(struct ties *ties, const struct measure_sync_record *records)
{
	const size_t nr = ties->nr_ordered;

	for (size_t i = 0; i < ties->nr_runs; i++) {
		struct run *run = &ties->runs[i];

		while (run->next < run->end && !is_waiting(ties, records, run))
			take_event(ties, records, run);
	}
	return ties->nr_ordered > nr;
}

/* They wait for each other: that is for others to find out. */
static void force_one(struct ties *ties, const struct measure_sync_record *records)
{
	struct run *run = ties->runs;

	while (run->next == run->end)
		run++;
	take_event(ties, records, run);
}

static void order_tick(struct ties *ties, struct measure_sync_record *records, size_t nr)
{
	tie_breaking_start(ties, records, nr);
	while (ties->nr_ordered < nr)
		if (!go_round(ties, records))
			force_one(ties, records);
	for (size_t i = 0; i < nr; i++)
		records[i] = ties->ordered[i];
}

void measure_sync_break_ties(struct measure_sync_graph *graph, uint32_t domain)
{
	struct measure_sync_domain_records *of = &graph->of[domain];
	struct ties ties = {.nr_runs = 0};

	for (size_t first = 0, end; first < of->nr; first = end) {
		for (end = first + 1;
			end < of->nr && of->records[end].raw == of->records[first].raw;)
			end++;
		/* Those of one location are in order. */
		if (of->records[end - 1].location != of->records[first].location)
			order_tick(&ties, of->records + first, end - first);
	}
	measure_map_free(&ties.nr_missing);
	measure_free(ties.runs);
	measure_free(ties.ordered);
}
