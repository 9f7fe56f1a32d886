/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An archive copied as it is, but for what is added or left out, and for times that have been
 * corrected already. */
#include "config.h"

#include "emit.h"

/* Each location has a clock of its own, which is what it was. */
static struct measure_sync_correction *corrections_of_input(
	const struct measure_trace *trace, struct measure_sync_piece *pieces)
{
	const size_t nr = trace->definitions.nr_locations;
	struct measure_sync_correction *corrections = measure_zeroed(nr, sizeof(*corrections));

	for (size_t i = 0; i < nr; i++) {
		pieces[i].offsets = trace->offsets[i];
		corrections[i] = (struct measure_sync_correction){.pieces = &pieces[i], .nr = 1};
	}
	return corrections;
}

/* Filters ask when processes begin. */
static struct measure_sync_span *read_spans(struct measure_trace *trace)
{
	const size_t nr = trace->definitions.nr_locations;
	struct measure_sync_span *spans = measure_zeroed(nr, sizeof(*spans));

	for (uint32_t i = 0; i < nr; i++) {
		struct measure_stream stream;
		const struct measure_event *event;
		uint64_t nr_read;

		spans[i] = (struct measure_sync_span){UINT64_MAX, 0};
		measure_stream_open(&stream, trace, i);
		while ((event = measure_stream_next(&stream))) {
			spans[i].first = event->raw < spans[i].first ? event->raw : spans[i].first;
			spans[i].last = event->raw;
		}
		measure_stream_close(&stream, &nr_read);
	}
	return spans;
}

static measure_status_t emit_copy(struct measure_trace *trace,
	const struct measure_sync_correction *corrections, struct measure_sync_emission emission,
	const char *directory)
{
	const size_t nr = trace->definitions.nr_locations;
	struct measure_sync_piece *pieces = measure_zeroed(nr, sizeof(*pieces));
	struct measure_sync_correction *own = corrections_of_input(trace, pieces);
	struct measure_sync_graph graph = {.trace = trace,
		.job = &measure_sync_job_of_one,
		.domains = measure_zeroed(nr, sizeof(*graph.domains)),
		.ranks = measure_zeroed(nr, sizeof(*graph.ranks)),
		.spans = emission.filter ? read_spans(trace) : NULL,
		.of = measure_zeroed(nr, sizeof(*graph.of)),
		.nr_domains = (uint32_t)nr};
	measure_status_t status;

	emission.graph = &graph;
	emission.corrections = corrections ? corrections : own;
	emission.kind = MEASURE_SYNC_EMIT_OFFSETS;
	/* Without spans: the properties of the clock are those of the trace, which has corrected
	 * ones where its times are. */
	for (uint32_t i = 0; i < nr; i++) {
		graph.domains[i] = i;
		graph.of[i].a_location = i;
		graph.of[i].span.first = UINT64_MAX;
	}
	status = measure_sync_emit(&emission, directory, false);
	measure_free(graph.domains);
	measure_free(graph.ranks);
	measure_free(graph.spans);
	measure_free(graph.of);
	measure_free(own);
	measure_free(pieces);
	return status;
}

measure_status_t measure_sync_emit_additions(struct measure_trace *trace,
	const struct measure_sync_correction *corrections,
	const struct measure_additions *additions, const char *directory)
{
	return emit_copy(trace, corrections, (struct measure_sync_emission){.additions = additions},
		directory);
}

measure_status_t measure_sync_emit_slice(
	struct measure_trace *trace, const struct measure_slicing *slicing, const char *directory)
{
	return emit_copy(
		trace, NULL, (struct measure_sync_emission){.slicing = slicing}, directory);
}

measure_status_t measure_sync_emit_filtered(
	struct measure_trace *trace, const struct measure_filter *filter, const char *directory)
{
	return emit_copy(trace, NULL, (struct measure_sync_emission){.filter = filter}, directory);
}
