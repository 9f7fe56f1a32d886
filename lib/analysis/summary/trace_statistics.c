/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adding up tallies; see trace_statistics.h. */
#include "config.h"

#include "trace_statistics.h"

#include <math.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdlib.h>
#include <string.h>

#include "format/event_chunk.h"

/* A function is worth a rule if it makes this share of all events that are not suggested yet, and a
 * visit typically lasts no longer than this: recording one takes 30 ns and more, and hides what the
 * function itself does. */
#define SHARE_TO_SUGGEST   0.01
#define SECONDS_TO_SUGGEST 1e-6
#define VISITS_TO_SUGGEST  100 /* in each process: fewer are no trouble */

/* What a call of a hook costs that does nothing: `make bench` says 1.7 ns. */
#define HOOK_SECONDS 2e-9

/* What an event of a function costs where too few have timed themselves to say what it costs those
 * that are called all the time. */
#define EVENT_SECONDS 15e-9
#define MANY_SAMPLES  100

/* Logarithms were rounded up, which is this too much where all are as likely. */
#define HALF 0.5

struct trace_statistics_adding {
	const struct measure_unified *unified;
	struct measure_trace_statistics *account;
	struct measure_trace_statistics_region *regions; /* of the archive */
	size_t nr_regions;
	double tick; /* seconds */
	bool is_time_missing; /* the processor time of a process is not known */
};

static void add_regions(struct trace_statistics_adding *adding, size_t process)
{
	const struct measure_part *part = adding->unified->job->processes.items[process].part;
	const measure_id_map_t *map = &adding->unified->locals.items[process].regions;

	for (size_t i = 0; i < part->region_tallies.nr; i++) {
		const struct measure_def_region_tally *tally = &part->region_tallies.items[i];
		uint32_t id = tally->region < map->nr ? map->items[tally->region] : UINT32_MAX;
		if (id >= adding->nr_regions)
			continue;
		struct measure_trace_statistics_region *region = &adding->regions[id];
		region->visits += tally->visits;
		region->events += tally->events;
		region->bytes += tally->bytes;
		region->measured += tally->measured;
		region->nested += (double)tally->nested;
		region->seconds += (double)tally->ticks * adding->tick;
		region->octaves += (double)tally->octaves +
				   (double)tally->measured * (log2(adding->tick) - HALF);
	}
}

static void add_part(struct trace_statistics_adding *adding, size_t process)
{
	const struct measure_part *part = adding->unified->job->processes.items[process].part;
	struct measure_trace_statistics *account = adding->account;

	if (!part || !part->has_tally)
		return;
	account->is_known = true;
	account->processor_seconds += (double)part->end.processor_time * 1e-9;
	account->memory_seconds += (double)measure_part_count(part, "memory_time_ns") * 1e-9;
	account->keeper_seconds += (double)part->end.keeper_time * 1e-9;
	adding->is_time_missing |= part->end.processor_time == 0;
	account->is_estimated |= part->tally.nr_counted < part->tally.nr_chunks;
	for (size_t i = 0; i < part->kind_tallies.nr; i++) {
		const struct measure_def_kind_tally *tally = &part->kind_tallies.items[i];
		if (tally->type >= MEASURE_TALLY_KINDS)
			continue;
		account->kinds[tally->type].events += tally->events;
		account->kinds[tally->type].bytes += tally->bytes;
		account->nr_events += tally->events;
	}
	add_regions(adding, process);
	for (size_t i = 0; i < part->probes.nr; i++)
		if (part->probes.items[i].kind < MEASURE_PROBE_KINDS)
			measure_cost_add(&account->costs[part->probes.items[i].kind],
				&part->probes.items[i]);
	for (size_t i = 0; i < part->locations.nr; i++) {
		const struct measure_location_summary *events = &part->locations.items[i].events;
		account->thread_seconds +=
			(double)(events->last_time - events->first_time) * adding->tick;
	}
}

/* -------------------------------------------------------------------------- costs --- */

/* Seconds of an event; 0: not one timed itself. */
static double cost_of(const struct trace_statistics_adding *adding, enum measure_probe_kind first,
	enum measure_probe_kind last)
{
	double sum = 0;
	uint64_t nr = 0;

	for (uint32_t kind = first; kind <= last; kind++) {
		const struct measure_cost *cost = &adding->account->costs[kind];
		sum += measure_cost_typical(cost, kind) * (double)cost->events;
		nr += cost->events;
	}
	return nr ? sum / (double)nr * adding->tick : 0;
}

static double function_cost(const struct trace_statistics_adding *adding)
{
	return cost_of(adding, MEASURE_PROBE_FUNCTION_ENTER, MEASURE_PROBE_FUNCTION_LEAVE);
}

/* Recording cannot have taken more than there was. */
static void cap(struct trace_statistics_adding *adding)
{
	struct measure_trace_statistics *account = adding->account;
	double all = measure_trace_statistics_cost(account);

	if (adding->is_time_missing)
		account->processor_seconds = 0;
	if (account->processor_seconds == 0 || all <= account->processor_seconds)
		return;
	account->recording_seconds *= account->processor_seconds / all;
	account->deciding_seconds *= account->processor_seconds / all;
	account->memory_seconds *= account->processor_seconds / all;
}

static double deciding_seconds(const struct measure_trace_statistics *account)
{
	uint64_t samples = account->costs[MEASURE_PROBE_FUNCTION_ENTER].samples +
			   account->costs[MEASURE_PROBE_FUNCTION_LEAVE].samples;
	double event = samples >= MANY_SAMPLES ? account->function_seconds : EVENT_SECONDS;

	return MEASURE_EVENTS_OF_DECISION * event * (double)account->left_out.calls;
}

/* Events of a cost of their own: values of metrics are in that of the entry or exit behind them. */
static uint64_t nr_costly(const struct measure_trace_statistics *account)
{
	return account->nr_events - account->kinds[MEASURE_OTF2_METRIC].events -
	       account->kinds[MEASURE_OTF2_CALLING_CONTEXT_SAMPLE].events;
}

/* Where one of both is not known, it counts as the other. */
static void estimate(struct trace_statistics_adding *adding)
{
	struct measure_trace_statistics *account = adding->account;
	double functions = function_cost(adding);
	double others = cost_of(adding, MEASURE_PROBE_CALL_ENTER, MEASURE_PROBE_OTHER);
	uint64_t nr_function_events = 0,
		 nr_samples = account->kinds[MEASURE_OTF2_CALLING_CONTEXT_SAMPLE].events;

	for (size_t i = 0; i < adding->nr_regions; i++) {
		const struct measure_trace_statistics_region *region = &adding->regions[i];
		uint8_t paradigm =
			adding->unified->definitions.regions.items[region->region].paradigm;
		if (paradigm == OTF2_PARADIGM_COMPILER)
			nr_function_events += region->events;
		if (paradigm == OTF2_PARADIGM_MPI)
			account->mpi_bytes += region->bytes;
	}
	account->function_seconds = functions > 0 ? functions : others;
	account->other_seconds = others > 0 ? others : functions;
	account->hook_seconds = HOOK_SECONDS * (double)nr_function_events;
	account->deciding_seconds = deciding_seconds(account);
	account->recording_seconds =
		account->function_seconds * (double)nr_function_events +
		account->other_seconds * (double)(nr_costly(account) - nr_function_events) +
		cost_of(adding, MEASURE_PROBE_SAMPLE, MEASURE_PROBE_SAMPLE) * (double)nr_samples;
	cap(adding);
}

static int compare_events(const void *left, const void *right)
{
	const struct measure_trace_statistics_region *a = left, *b = right;

	if (a->events != b->events)
		return a->events < b->events ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

double measure_trace_statistics_mean(const struct measure_trace_statistics_region *region)
{
	return region->measured ? region->seconds / (double)region->measured : -1;
}

double measure_trace_statistics_typical(const struct measure_trace_statistics_region *region)
{
	if (region->measured <= 1) /* octaves are coarse */
		return measure_trace_statistics_mean(region);
	return exp2(region->octaves / (double)region->measured);
}

/* ---------------------------------------------------------------------- suggestion --- */

/* As a filter knows it: C++ and Fortran modules by the linker's names. */
static uint32_t rule_of(const struct measure_unified *unified, uint32_t region)
{
	return unified->definitions.regions.items[region].canonical;
}

static bool is_suggested(const struct trace_statistics_adding *adding, uint32_t region)
{
	const struct measure_trace_statistics *account = adding->account;

	for (size_t i = 0; i < account->suggested.nr; i++)
		if (rule_of(adding->unified, account->suggested.items[i].region) ==
			rule_of(adding->unified, region))
			return true;
	return false;
}

/* Of a visit without the recording of what it calls, which a filter would leave out as well. */
static double bare_seconds(const struct trace_statistics_adding *adding,
	const struct measure_trace_statistics_region *region)
{
	return measure_trace_statistics_typical(region) -
	       region->nested / (double)region->measured * function_cost(adding);
}

/* `left`: events that are not suggested yet. */
static bool is_worth_a_rule(const struct trace_statistics_adding *adding,
	const struct measure_trace_statistics_region *region, uint64_t left)
{
	const struct measure_otf2_region *definition =
		&adding->unified->definitions.regions.items[region->region];

	return definition->paradigm == OTF2_PARADIGM_COMPILER && region->measured &&
	       region->visits >= VISITS_TO_SUGGEST * adding->unified->job->processes.nr &&
	       (double)region->events >= SHARE_TO_SUGGEST * (double)left &&
	       bare_seconds(adding, region) < SECONDS_TO_SUGGEST;
}

/* Regions of other files may have the same name. */
static void save(struct trace_statistics_adding *adding, uint32_t rule)
{
	struct measure_trace_statistics *account = adding->account;

	for (size_t i = 0; i < adding->nr_regions; i++) {
		const struct measure_trace_statistics_region *region = &adding->regions[i];
		if (!region->events || rule_of(adding->unified, region->region) != rule)
			continue;
		account->saved.visits += region->visits;
		account->saved.events += region->events;
		account->saved.bytes += region->bytes;
	}
}

static measure_status_t suggest_one(struct trace_statistics_adding *adding, size_t place)
{
	const struct measure_trace_statistics_region *region = &adding->regions[place];

	if (is_suggested(adding, region->region))
		return MEASURE_OK;
	save(adding, rule_of(adding->unified, region->region));
	return measure_array_push(&adding->account->suggested, *region);
}

/* What is left when the first ones are gone has other shares: until nothing is found any more, so
 * that the next recording suggests nothing. */
static measure_status_t suggest(struct trace_statistics_adding *adding)
{
	struct measure_trace_statistics *account = adding->account;
	measure_status_t status = MEASURE_OK;
	size_t before;

	for (size_t i = 0; i < adding->nr_regions && status == MEASURE_OK; i++)
		if (measure_throttled_find(&account->throttled, adding->regions[i].region))
			status = suggest_one(adding, i);
	do {
		before = account->suggested.nr;
		for (size_t i = 0; i < adding->nr_regions && status == MEASURE_OK; i++)
			if (is_worth_a_rule(adding, &adding->regions[i],
				    account->nr_events - account->saved.events))
				status = suggest_one(adding, i);
	} while (status == MEASURE_OK && account->suggested.nr > before);
	return status;
}

measure_status_t measure_trace_statistics_make(const struct measure_unified *unified,
	const struct measure_clock_correction *timeline, struct measure_trace_statistics *account)
{
	struct trace_statistics_adding adding = {.unified = unified,
		.account = account,
		.nr_regions = unified->definitions.regions.nr,
		.tick = 1 / (double)timeline->resolution};
	measure_status_t status;

	memset(account, 0, sizeof(*account));
	adding.regions = calloc(adding.nr_regions + 1, sizeof(*adding.regions));
	if (!adding.regions)
		return MEASURE_ERROR_MEMORY;
	for (size_t i = 0; i < adding.nr_regions; i++)
		adding.regions[i].region = (uint32_t)i;
	for (size_t i = 0; i < unified->job->processes.nr; i++)
		add_part(&adding, i);
	qsort(adding.regions, adding.nr_regions, sizeof(*adding.regions), compare_events);
	while (account->nr_top < MEASURE_ACCOUNT_TOP && account->nr_top < adding.nr_regions &&
		adding.regions[account->nr_top].events) {
		account->top[account->nr_top] = adding.regions[account->nr_top];
		account->nr_top++;
	}
	status = measure_throttled_make(unified, timeline, &account->throttled);
	if (status == MEASURE_OK)
		status = suggest(&adding);
	if (status == MEASURE_OK)
		status = measure_filtered_calls_make(unified, adding.tick, &account->left_out);
	if (status == MEASURE_OK)
		status = measure_sample_statistics_make(unified, &account->stacks);
	if (status == MEASURE_OK)
		status = measure_files_make(unified, adding.tick, &account->files);
	estimate(&adding);
	free(adding.regions);
	return status;
}

void measure_trace_statistics_free(struct measure_trace_statistics *account)
{
	free(account->throttled.items);
	free(account->suggested.items);
	measure_filtered_calls_free(&account->left_out);
	measure_sample_statistics_free(&account->stacks);
	free(account->files.items);
	memset(account, 0, sizeof(*account));
}
