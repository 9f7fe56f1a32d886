/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums of whole numbers, largest and first ones: nothing that the order of ranks could matter to.
 */
#include "config.h"

#include "sync_gather.h"

#include <string.h>

#include "trace/common/containers.h"

/* ------------------------------------------------------------------------- counts --- */

/* All that a rank has counted. */
struct sync_gather_found {
	struct measure_sync_relaxed relaxed;
	struct measure_sync_counts counts[SYNC_NR_STAGES];
	struct measure_sync_displacement displacement;
	struct measure_sync_emission emission;
	struct sync_clock_totals clocks;
	uint64_t findings[MEASURE_NR_CHECKS];
};

static void add_clock(const struct sync_run *run, uint32_t clock, struct sync_clock_totals *totals)
{
	const struct measure_sync_graph *graph = &run->graph;
	const struct measure_sync_correction *correction = &run->corrections[clock];

	totals->nr_knots += correction->nr_knots;
	totals->nr_binding += correction->nr_binding;
	totals->nr_added += correction->nr_added;
	totals->nr_steps += correction->nr - 1;
	for (size_t k = 0; k < graph->of[clock].nr; k++) {
		const struct measure_sync_record *record = &graph->of[clock].records[k];

		if (record->is_jump)
			totals->jumps[measure_sync_relation_of(graph, record)]++;
	}
}

void sync_clocks_add_up(struct sync_run *run)
{
	for (uint32_t i = 0; i < run->graph.nr_domains; i++)
		if (measure_sync_is_my_domain(&run->graph, i))
			add_clock(run, i, &run->clocks);
	run->clocks.slopes = measure_sync_rates_of(&run->graph, run->corrections);
}

static void add_emission(struct measure_sync_emission *to, const struct measure_sync_emission *from)
{
	to->nr_reflinked += from->nr_reflinked;
	to->nr_linked += from->nr_linked;
	to->nr_copied += from->nr_copied;
	to->nr_rewritten += from->nr_rewritten;
	to->nr_forced += from->nr_forced;
	to->nr_snapless += from->nr_snapless;
}

static void add_clocks(struct sync_clock_totals *to, const struct sync_clock_totals *from)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		to->jumps[i] += from->jumps[i];
	to->nr_knots += from->nr_knots;
	to->nr_binding += from->nr_binding;
	to->nr_added += from->nr_added;
	to->nr_steps += from->nr_steps;
	measure_sync_rates_add(&to->slopes, &from->slopes);
}

static void add_found(struct sync_run *run, const struct sync_gather_found *found)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		run->relaxed.nr[i] += found->relaxed.nr[i];
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		measure_sync_counts_add(&run->counts[i], &found->counts[i]);
	measure_sync_displacement_add(&run->displacement, &found->displacement);
	add_emission(&run->emission, &found->emission);
	add_clocks(&run->clocks, &found->clocks);
	for (size_t i = 0; sync_run_unmatched[i] != MEASURE_NR_CHECKS; i++)
		run->findings.counts[sync_run_unmatched[i]] +=
			found->findings[sync_run_unmatched[i]];
}

/* Collective: the first rank gets what each has, by rank. The caller frees it. */
static struct measure_sync_job_part *swap_with_first(
	const struct measure_sync_job *job, const struct measure_sync_job_part *own)
{
	struct measure_sync_job_part *out = measure_zeroed(job->size, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(job->size, sizeof(*in));

	out[0] = *own;
	measure_sync_job_swap(job, out, in);
	measure_free(out);
	return in;
}

void sync_gather_counts(struct sync_run *run)
{
	struct sync_gather_found own = {.relaxed = run->relaxed,
		.displacement = run->displacement,
		.emission = run->emission,
		.clocks = run->clocks};
	struct measure_sync_job_part *in;

	memcpy(own.counts, run->counts, sizeof(own.counts));
	memcpy(own.findings, run->findings.counts, sizeof(own.findings));
	in = swap_with_first(run->job, &(struct measure_sync_job_part){&own, sizeof(own)});
	for (uint32_t r = 0; r < run->job->size; r++) {
		if (in[r].size == sizeof(own))
			add_found(run, in[r].data);
		measure_free(in[r].data);
	}
	measure_free(in);
}

/* -------------------------------------------------------------------- corrections --- */

struct bytes {
	char *data;
	size_t nr, room;
};

static void sync_gather_put(struct bytes *bytes, const void *data, size_t size)
{
	while (bytes->room - bytes->nr < size) {
		size_t room = bytes->room;

		bytes->data = measure_grow(bytes->data, room, &bytes->room, 1);
	}
	if (size)
		memcpy(bytes->data + bytes->nr, data, size);
	bytes->nr += size;
}

static void put_correction(
	struct bytes *bytes, uint32_t domain, const struct measure_sync_correction *correction)
{
	sync_gather_put(bytes, &domain, sizeof(domain));
	sync_gather_put(bytes, correction, sizeof(*correction));
	for (size_t i = 0; i < correction->nr; i++) {
		const struct measure_sync_piece *piece = &correction->pieces[i];

		sync_gather_put(bytes, piece, sizeof(*piece));
		sync_gather_put(bytes, piece->starts, piece->nr_starts * sizeof(*piece->starts));
		sync_gather_put(bytes, piece->offsets.items,
			piece->offsets.nr * sizeof(*piece->offsets.items));
	}
}

static void sync_gather_take(const char **data, void *to, size_t size)
{
	memcpy(to, *data, size);
	*data += size;
}

static void *take_items(const char **data, size_t nr, size_t size)
{
	void *items = measure_zeroed(nr, size);

	sync_gather_take(data, items, nr * size);
	return items;
}

static void take_correction(struct sync_run *run, const char **data)
{
	struct measure_sync_correction *correction;
	uint32_t domain;

	sync_gather_take(data, &domain, sizeof(domain));
	correction = &run->corrections[domain];
	sync_gather_take(data, correction, sizeof(*correction));
	correction->pieces = measure_zeroed(correction->nr, sizeof(*correction->pieces));
	correction->room = correction->nr;
	for (size_t i = 0; i < correction->nr; i++) {
		struct measure_sync_piece *piece = &correction->pieces[i];

		sync_gather_take(data, piece, sizeof(*piece));
		piece->starts = take_items(data, piece->nr_starts, sizeof(*piece->starts));
		piece->offsets.items =
			take_items(data, piece->offsets.nr, sizeof(*piece->offsets.items));
	}
}

static struct bytes put_own_corrections(const struct sync_run *run)
{
	struct bytes own = {NULL, 0, 0};

	for (uint32_t i = 0; i < run->graph.nr_domains; i++)
		if (measure_sync_is_my_domain(&run->graph, i))
			put_correction(&own, i, &run->corrections[i]);
	return own;
}

/* By rank; frees it. */
static void take_corrections(struct sync_run *run, struct measure_sync_job_part *in)
{
	for (uint32_t r = 0; r < run->job->size; r++) {
		const char *data = in[r].data;

		while (data < (const char *)in[r].data + in[r].size)
			take_correction(run, &data);
		measure_free(in[r].data);
	}
	measure_free(in);
}

void sync_gather_corrections(struct sync_run *run)
{
	struct bytes own = {NULL, 0, 0};

	if (run->job->rank > 0)
		own = put_own_corrections(run);
	take_corrections(
		run, swap_with_first(run->job, &(struct measure_sync_job_part){own.data, own.nr}));
	measure_free(own.data);
}

void sync_share_corrections(struct sync_run *run)
{
	const struct measure_sync_job *job = run->job;
	struct measure_sync_job_part *out = measure_zeroed(job->size, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(job->size, sizeof(*in));
	struct bytes own = {NULL, 0, 0};

	if (job->size > 1)
		own = put_own_corrections(run);
	for (uint32_t r = 0; r < job->size; r++)
		if (r != job->rank)
			out[r] = (struct measure_sync_job_part){own.data, own.nr};
	measure_sync_job_swap(job, out, in);
	measure_free(out);
	measure_free(own.data);
	take_corrections(run, in);
}
