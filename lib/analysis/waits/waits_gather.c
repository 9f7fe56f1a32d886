/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several processes read an archive: each packs the runs that it has read, and the first one, which
 * joins all runs, goes on with those of others as with its own. Structures travel as they are: the
 * processes of a job are of one build. */
#include "config.h"

#include "waits_runs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/profile/profile_pack.h"
#include "trace/match/match_pack.h"

struct run_bytes {
	MEASURE_GROWING_ITEMS(char);
};

struct taking {
	const char *at, *end;
};

/* -------------------------------------------------------------------------- bytes --- */

static void put(struct run_bytes *bytes, const void *data, size_t size)
{
	if (size == 0)
		return;
	while (bytes->room - bytes->nr < size)
		bytes->items = measure_grow(bytes->items, bytes->room, &bytes->room, 1);
	memcpy(bytes->items + bytes->nr, data, size);
	bytes->nr += size;
}

static void put_array(struct run_bytes *bytes, const void *items, size_t nr, size_t item_size)
{
	const uint64_t number = nr;

	put(bytes, &number, sizeof(number));
	put(bytes, items, nr * item_size);
}

static void take(struct taking *taking, void *data, size_t size)
{
	if ((size_t)(taking->end - taking->at) < size)
		measure_end("the processes of the job do not read the same archive");
	if (size > 0)
		memcpy(data, taking->at, size);
	taking->at += size;
}

/* What follows the number of its items, which belongs to the caller. */
static void *take_array(struct taking *taking, size_t *nr, size_t item_size)
{
	uint64_t number;
	void *items;

	take(taking, &number, sizeof(number));
	*nr = number;
	if (number == 0)
		return NULL;
	items = measure_uncleared(number, item_size);
	take(taking, items, number * item_size);
	return items;
}

#define PUT_ALL(bytes, owner, things)                                                              \
	put_array(bytes, (owner)->things, (owner)->nr_##things, sizeof(*(owner)->things))
#define TAKE_ALL(taking, owner, things)                                                            \
	((owner)->things = take_array(taking, &(owner)->nr_##things, sizeof(*(owner)->things)),    \
		(owner)->room_##things = (owner)->nr_##things)

/* ------------------------------------------------------------------------ packing --- */

static void put_profile(struct run_bytes *bytes, const struct measure_profile *profile)
{
	measure_profile_pack_t pack = {.nr = 0};

	measure_profile_pack(profile, &pack);
	put_array(bytes, pack.items, pack.nr, 1);
	free(pack.items);
}

static void put_place(struct run_bytes *bytes, const struct waits_reading *reading, size_t place)
{
	const uint32_t location = reading->trace->reading_order[place];
	const struct measure_call_table *table = &reading->tables[location];
	const uint8_t is_read = reading->places[place].is_read;

	put(bytes, &is_read, sizeof(is_read));
	if (!is_read)
		return;
	put_profile(bytes, &reading->places[place].profile);
	PUT_ALL(bytes, table, calls);
	PUT_ALL(bytes, table, polls);
	PUT_ALL(bytes, table, window_locks);
	put(bytes, &table->end, sizeof(table->end));
	put(bytes, &table->has_unknown, sizeof(table->has_unknown));
	PUT_ALL(bytes, &table->segments, spans);
	put(bytes, &table->segments.begin, sizeof(table->segments.begin));
	PUT_ALL(bytes, table, phases);
	put(bytes, &table->nr_cut, sizeof(table->nr_cut));
}

static void put_candidates(
	struct run_bytes *bytes, const struct waits_reading *reading, const struct waits_run *run)
{
	const struct measure_candidates *candidates = &run->candidates;

	for (size_t place = run->first; place < run->end; place++) {
		const struct measure_candidate_list *list =
			&candidates->lists[reading->trace->reading_order[place]];

		put_array(bytes, list->items, list->nr, sizeof(*list->items));
	}
	PUT_ALL(bytes, candidates, instances);
	PUT_ALL(bytes, candidates, sides);
	PUT_ALL(bytes, candidates, completions);
	PUT_ALL(bytes, candidates, teams);
	PUT_ALL(bytes, candidates, rows);
	put(bytes, candidates->faults, sizeof(candidates->faults));
}

static void put_match(
	struct run_bytes *bytes, const struct waits_reading *reading, const struct waits_run *run)
{
	struct measure_packing packing;

	measure_packing_start_whole(&packing, reading->trace);
	measure_match_pack(run->match, run->first, &packing);
	put_array(bytes, packing.packs->data, packing.packs->size, 1);
	measure_packing_free(&packing);
}

/* Frees what it has packed. */
static void put_run(struct run_bytes *bytes, struct waits_reading *reading, struct waits_run *run)
{
	const uint8_t is_opened = run->is_opened;

	put(bytes, &is_opened, sizeof(is_opened));
	put(bytes, run->findings.counts, sizeof(run->findings.counts));
	put(bytes, run->findings.excused, sizeof(run->findings.excused));
	for (size_t place = run->first; place < run->end; place++) {
		put_place(bytes, reading, place);
		if (reading->places[place].is_read)
			measure_profile_free(&reading->places[place].profile);
	}
	measure_findings_free(&run->findings);
	if (!is_opened)
		return;
	put_candidates(bytes, reading, run);
	put_match(bytes, reading, run);
	measure_match_free(run->match);
	measure_candidates_free(&run->candidates);
}

/* ---------------------------------------------------------------------- unpacking --- */

static void take_profile(struct taking *taking, struct waits_reading *reading, size_t place)
{
	size_t size;
	char *pack = take_array(taking, &size, 1);

	if (!measure_profile_unpack(&reading->places[place].profile, reading->trace, pack, size))
		measure_end("the processes of the job do not read the same archive");
	measure_free(pack);
}

static void take_place(struct taking *taking, struct waits_reading *reading, size_t place)
{
	struct measure_call_table *table = &reading->tables[reading->trace->reading_order[place]];
	uint8_t is_read;

	take(taking, &is_read, sizeof(is_read));
	reading->places[place].is_read = is_read;
	if (!is_read)
		return;
	take_profile(taking, reading, place);
	TAKE_ALL(taking, table, calls);
	TAKE_ALL(taking, table, polls);
	TAKE_ALL(taking, table, window_locks);
	take(taking, &table->end, sizeof(table->end));
	take(taking, &table->has_unknown, sizeof(table->has_unknown));
	TAKE_ALL(taking, &table->segments, spans);
	take(taking, &table->segments.begin, sizeof(table->segments.begin));
	TAKE_ALL(taking, table, phases);
	take(taking, &table->nr_cut, sizeof(table->nr_cut));
}

static void take_candidates(
	struct taking *taking, struct waits_reading *reading, struct waits_run *run)
{
	struct measure_candidates *candidates = &run->candidates;

	measure_candidates_start(
		candidates, reading->tables, reading->trace->definitions.nr_locations);
	for (size_t place = run->first; place < run->end; place++) {
		struct measure_candidate_list *list =
			&candidates->lists[reading->trace->reading_order[place]];

		list->items = take_array(taking, &list->nr, sizeof(*list->items));
		list->room = list->nr;
	}
	TAKE_ALL(taking, candidates, instances);
	TAKE_ALL(taking, candidates, sides);
	TAKE_ALL(taking, candidates, completions);
	TAKE_ALL(taking, candidates, teams);
	TAKE_ALL(taking, candidates, rows);
	take(taking, candidates->faults, sizeof(candidates->faults));
}

static void take_match(struct taking *taking, struct waits_reading *reading, struct waits_run *run)
{
	struct measure_unpacking pack = {.is_whole = true};
	size_t size;
	char *data = take_array(taking, &size, 1);

	pack.data = data;
	pack.end = data + size;
	run->match =
		measure_match_new(reading->trace, measure_candidates_instance, &run->candidates);
	measure_match_unpack(run->match, &pack);
	measure_free(data);
}

static void take_run(struct taking *taking, struct waits_reading *reading, struct waits_run *run)
{
	uint8_t is_opened;

	take(taking, &is_opened, sizeof(is_opened));
	run->is_opened = is_opened;
	take(taking, run->findings.counts, sizeof(run->findings.counts));
	take(taking, run->findings.excused, sizeof(run->findings.excused));
	for (size_t place = run->first; place < run->end; place++)
		take_place(taking, reading, place);
	if (!is_opened)
		return;
	take_candidates(taking, reading, run);
	take_match(taking, reading, run);
}

/* --------------------------------------------------------------------------- job --- */

/* Runs come in the order of the ranks that have read them. */
static void take_runs(struct waits_reading *reading, const struct measure_sync_job_part *in)
{
	const struct measure_sync_job *job = reading->job;
	size_t run = reading->end_run;

	for (uint32_t rank = 1; rank < job->size; rank++) {
		const char *data = in[rank].data;
		struct taking taking = {data, data + in[rank].size};

		while (taking.at < taking.end && run < reading->nr_runs)
			take_run(&taking, reading, &reading->runs[run++]);
		measure_free(in[rank].data);
	}
	if (run < reading->nr_runs)
		measure_end("the processes of the job do not read the same archive");
}

void measure_waits_gather(struct waits_reading *reading)
{
	const struct measure_sync_job *job = reading->job;
	struct measure_sync_job_part *out = measure_zeroed(job->size, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(job->size, sizeof(*in));
	struct run_bytes bytes = {.nr = 0};

	if (job->rank > 0) {
		for (size_t i = reading->first_run; i < reading->end_run; i++)
			put_run(&bytes, reading, &reading->runs[i]);
		out[0] = (struct measure_sync_job_part){bytes.items, bytes.nr};
	}
	measure_sync_job_swap(job, out, in);
	measure_free(bytes.items);
	if (job->rank == 0)
		take_runs(reading, in);
	measure_free(out);
	measure_free(in);
}

void measure_waits_drop_tables(struct waits_reading *reading)
{
	for (size_t i = 0; i < reading->trace->definitions.nr_locations; i++)
		measure_call_table_free(&reading->tables[i]);
	measure_free(reading->tables);
}
