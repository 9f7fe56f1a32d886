/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How clocks were presynchronised; which locations were taken to share one, and what showed that
 * they do not. */
#include "config.h"

#include "base/printable.h"
#include "cli/json_text.h"
#include "sync/run/sync_run.h"
#include "sync/graph/split.h"

/* Lines of text; JSON has them all. */
#define MOST_SHOWN 8

static const char *clocks_name_of(
	const struct sync_run *run, const struct measure_sync_split *split)
{
	const struct measure_definitions *definitions = &run->trace->definitions;
	const struct measure_location_group *process =
		&definitions->location_groups[run->graph.processes[split->a_location]];

	if (!split->is_node)
		return measure_text(definitions, process->name);
	return measure_text(definitions, definitions->tree_nodes[process->host].name);
}

static void print_split(
	const struct sync_run *run, const struct measure_sync_split *split, FILE *file)
{
	fprintf(file, "  %s: its %s ", MEASURE_PRINTABLE(clocks_name_of(run, split)),
		split->is_node ? "processes" : "locations");
	if (split->has_offsets)
		fputs("have different clock offsets", file);
	else if (split->is_in_circle)
		fputs("would depend on themselves if they shared a clock", file);
	else
		fprintf(file, "do not share a clock: %llu receives precede their sends",
			(unsigned long long)split->nr_relations);
	fputs(":\n    each was corrected separately\n", file);
}

static const char *presync_word(const struct sync_run *run)
{
	static const char *const words[] = {"none", "const", "linear", "piecewise", "messages"};

	return words[run->is_estimated ? MEASURE_PRESYNC_MESSAGES : run->options->presync];
}

static void print_estimated(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_estimated *estimated = &run->estimated;

	fprintf(file, "  offsets of %u clocks to %u estimated from messages",
		estimated->nr_clocks - estimated->nr_references, estimated->nr_references);
	if (estimated->is_bound_known)
		fprintf(file, ", error at most %.9f s if clock rates are constant",
			measure_trace_span(run->trace, (uint64_t)estimated->bound));
	fputc('\n', file);
}

void sync_report_clocks_text(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_graph *graph = &run->graph;
	size_t nr = graph->nr_splits < MOST_SHOWN ? graph->nr_splits : MOST_SHOWN;

	if (run->is_estimated)
		print_estimated(run, file);
	for (size_t i = 0; i < nr; i++)
		print_split(run, &graph->splits[i], file);
	if (nr < graph->nr_splits)
		fprintf(file, "  the same for %zu more nodes or processes\n",
			graph->nr_splits - nr);
}

void sync_report_clocks_json(const struct sync_run *run, FILE *file)
{
	const struct measure_sync_graph *graph = &run->graph;

	fprintf(file, ",\n  \"presynchronisation\": {\"kind\": \"%s\"", presync_word(run));
	if (run->is_estimated)
		fprintf(file, ", \"clocks\": %u, \"references\": %u", run->estimated.nr_clocks,
			run->estimated.nr_references);
	if (run->is_estimated && run->estimated.is_bound_known)
		fprintf(file, ", \"bound_seconds\": %.12g",
			measure_trace_span(run->trace, (uint64_t)run->estimated.bound));
	fputs("},\n  \"split_clocks\": [", file);
	for (size_t i = 0; i < graph->nr_splits; i++) {
		const struct measure_sync_split *split = &graph->splits[i];

		fprintf(file, "%s\n    {\"%s\": ", i ? "," : "",
			split->is_node ? "node" : "process");
		measure_json_text(file, clocks_name_of(run, split));
		fprintf(file, ", \"relations\": %llu, \"cycle\": %s, \"clock_offsets\": %s}",
			(unsigned long long)split->nr_relations,
			split->is_in_circle ? "true" : "false",
			split->has_offsets ? "true" : "false");
	}
	fputs("]", file);
}
