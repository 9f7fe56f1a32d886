/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measured clock offsets, as a run would have them: at its ends or every so often, each wrong by
 * up to a quarter of the round trip. And what they make of the times of events. */
#include "config.h"

#include "generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sample {
	uint64_t raw;
	int64_t offset; /* to the clock of rank 0 */
};

struct samples {
	struct sample *items;
	size_t nr;
};

static struct sample measure(struct gen *gen, uint32_t rank, uint64_t now)
{
	double error = gen_uniform(&gen->random) * (double)gen->options.round_trip / 4;
	struct gen_location here = *gen_master(gen, rank), there = *gen_master(gen, 0);
	struct sample sample;

	if (gen->options.outlier_percent &&
		gen_below(&gen->random, 100) < gen->options.outlier_percent)
		error *= 100;
	here.piece.start = there.piece.start = 0; /* time goes back */
	sample.raw = gen_clock_read(gen, &here, now);
	sample.offset = (int64_t)(gen_clock_read(gen, &there, now) - sample.raw);
	if (gen_clock_of(gen, rank) != gen_clock_of(gen, 0))
		sample.offset += (int64_t)error;
	return sample;
}

/* Readers want increasing times, and no sample that turns time back. */
static void add(struct samples *samples, struct sample sample)
{
	const struct sample *last = samples->nr ? &samples->items[samples->nr - 1] : NULL;

	if (last && (sample.raw <= last->raw ||
			    sample.raw + sample.offset <= last->raw + last->offset))
		return;
	samples->items[samples->nr++] = sample;
}

/* Processes of one clock get the same ones: the caller measures for the first of them. */
static struct samples measure_all(struct gen *gen, uint32_t rank)
{
	const uint64_t every = gen->options.sample_every * 1000000;
	const uint64_t span = gen->last_sample - gen->first_sample;
	const bool is_periodic = !strcmp(gen->options.samples, "periodic");
	const uint64_t nr = is_periodic ? span / every : 0;
	struct samples samples = {gen_zeroed(nr + 2, sizeof(struct sample)), 0};

	if (!strcmp(gen->options.samples, "none"))
		return samples;
	for (uint64_t i = 0; i <= nr; i++)
		add(&samples, measure(gen, rank, gen->first_sample + i * every));
	add(&samples, measure(gen, rank, gen->last_sample));
	return samples;
}

/* As every OTF2 reader does it. */
static uint64_t corrected(const struct samples *samples, uint64_t raw)
{
	size_t i = 0;
	const struct sample *from;
	double slope;

	if (samples->nr < 2)
		return raw;
	while (i + 2 < samples->nr && raw > samples->items[i + 1].raw)
		i++;
	from = &samples->items[i];
	slope = (double)(from[1].offset - from->offset) / (double)(from[1].raw - from->raw);
	return raw + (uint64_t)from->offset +
	       (uint64_t)(int64_t)rint(slope * (double)(int64_t)(raw - from->raw));
}

static void write_local(
	struct gen *gen, const struct gen_location *location, const struct samples *samples)
{
	OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(gen->archive, location->id);

	for (size_t i = 0; i < samples->nr; i++)
		OTF2_DefWriter_WriteClockOffset(writer, samples->items[i].raw,
			samples->items[i].offset, (double)gen->options.round_trip / 4);
	OTF2_Archive_CloseDefWriter(gen->archive, writer);
}

static void widen(const struct gen_location *location, const struct samples *samples,
	uint64_t *begin, uint64_t *end)
{
	const uint64_t first = corrected(samples, location->first_raw);
	const uint64_t last = corrected(samples, location->last_raw);

	if (!location->nr_events)
		return;
	if (first < *begin)
		*begin = first;
	if (last > *end)
		*end = last;
}

void gen_write_samples(struct gen *gen, uint64_t *begin, uint64_t *end)
{
	const struct gen_clock *clock = NULL;
	struct samples samples = {NULL, 0};
	uint32_t measured = UINT32_MAX;

	*begin = UINT64_MAX;
	*end = 0;
	OTF2_Archive_OpenDefFiles(gen->archive);
	for (size_t i = 0; i < gen->nr_all_locations; i++) {
		const struct gen_location *location = &gen->locations[i];

		if (location->process != measured &&
			gen_clock_of(gen, location->process) != clock) {
			free(samples.items);
			samples = measure_all(gen, location->process);
			clock = gen_clock_of(gen, location->process);
		}
		measured = location->process;
		write_local(gen, location, &samples);
		widen(location, &samples, begin, end);
	}
	free(samples.items);
	OTF2_Archive_CloseDefFiles(gen->archive);
}
