/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graphs for Graphviz: who calls whom, which processes send messages to each other, and who creates
 * tasks. What has a small share of the time, of the bytes or of the tasks is left out. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/figures.h"
#include "base/printable.h"
#include "base/short_names.h"
#include "dot.h"
#include "export/conversion/output_file.h"

/* Of a label: wide nodes make a graph hard to read. */
#define MOST_LABEL 100

#define MOST_WIDTH 6 /* of an edge, in points */

/* ------------------------------------------------------------------------- writing --- */

void dot_write_escaped(FILE *out, const char *text)
{
	char name[4096], copy[4096];
	const char *shown;
	size_t length;

	snprintf(name, sizeof(name), "%s", text);
	measure_shorten_names(name, MOST_LABEL);
	shown = measure_printable(name, copy, sizeof(copy));
	for (size_t at = 0; shown[at]; at += length) {
		length = measure_utf8_length(shown + at);
		if (at + length > MOST_LABEL) {
			fputs("...", out);
			break;
		}
		if (shown[at] == '"' || shown[at] == '\\')
			fputc('\\', out);
		fwrite(shown + at, 1, length, out);
	}
}

double dot_width(double share)
{
	return 1 + (MOST_WIDTH - 1) * share;
}

/* ---------------------------------------------------------------------- call graph --- */

struct call_sum {
	uint64_t visits, inclusive, exclusive;
};

struct call_edge {
	uint32_t caller, callee; /* numbers of regions */
	struct call_sum sum;
};

struct call_graph {
	struct measure_conversion *conversion;
	uint64_t all;           /* ticks of all locations */
	struct call_sum *nodes; /* by number of region */
	size_t nr_nodes;
	MEASURE_GROWING(struct call_edge, edges);
	struct measure_map numbers; /* (caller, callee): index of the edge */
	uint64_t *exclusive;        /* by path */
};

static uint32_t number_of(const struct call_graph *graph, uint32_t path)
{
	return (uint32_t)measure_conversion_region_number(
		graph->conversion, measure_conversion_region(graph->conversion, path));
}

/* Of a recursive function only the outermost calls count, so that no time counts twice. */
static bool is_inside_itself(const struct call_graph *graph, uint32_t path, bool with_caller)
{
	const struct measure_profile_path *paths = graph->conversion->profile.paths;
	const uint32_t region = paths[path].region;
	const uint32_t caller = paths[paths[path].parent].region;

	for (uint32_t at = paths[path].parent; at != 0; at = paths[at].parent)
		if (paths[at].region == region &&
			(!with_caller || (paths[at].parent != 0 &&
						 paths[paths[at].parent].region == caller)))
			return true;
	return false;
}

static void add_edge(struct call_graph *graph, uint32_t path)
{
	const struct measure_profile_path *own = &graph->conversion->profile.paths[path];
	const uint32_t caller = number_of(graph, own->parent), callee = number_of(graph, path);
	const uint32_t index = measure_map_intern(
		&graph->numbers, measure_key_pair(caller, callee), (uint32_t)graph->nr_edges);

	if (index == graph->nr_edges)
		*measure_append(graph, edges) =
			(struct call_edge){.caller = caller, .callee = callee};
	graph->edges[index].sum.visits += own->visits;
	if (!is_inside_itself(graph, path, true))
		graph->edges[index].sum.inclusive += own->inclusive;
}

static void sum_calls(struct call_graph *graph)
{
	const struct measure_profile *profile = &graph->conversion->profile;

	graph->all = profile->paths[0].inclusive;
	for (size_t i = 0; i < profile->nr_rows; i++)
		graph->exclusive[profile->rows[i].path] += profile->rows[i].exclusive;
	for (uint32_t i = 1; i < profile->nr_paths; i++) {
		const struct measure_profile_path *path = &profile->paths[i];
		struct call_sum *node = &graph->nodes[number_of(graph, i)];

		if (path->region == MEASURE_PSEUDO_RUNNING_TASKS) /* they have nodes of their own */
			continue;
		node->visits += path->visits;
		node->exclusive += graph->exclusive[i];
		if (!is_inside_itself(graph, i, false))
			node->inclusive += path->inclusive;
		if (path->parent != 0)
			add_edge(graph, i);
	}
}

static bool is_drawn(const struct call_graph *graph, const struct call_sum *sum)
{
	const double least = graph->conversion->options->least_share * (double)graph->all;

	return (sum->visits > 0 || sum->inclusive > 0) && (double)sum->inclusive >= least;
}

static void write_call_node(const struct call_graph *graph, size_t number, FILE *out)
{
	const struct measure_conversion *conversion = graph->conversion;
	const size_t nr_regions = conversion->definitions->nr_regions;
	const struct call_sum *node = &graph->nodes[number];
	const uint32_t region = number < nr_regions
					? (uint32_t)number
					: (uint32_t)(number - nr_regions) + MEASURE_PSEUDO_BEFORE;

	fprintf(out, "\tr%zu [label=\"", number);
	dot_write_escaped(out, measure_conversion_region_name(conversion, region));
	fprintf(out,
		"\\nself %.1f %%, total %.1f %%\\n%" PRIu64
		" visits\" fillcolor=\"0.08 %.3f 1\"];\n",
		100 * dot_share(node->exclusive, graph->all),
		100 * dot_share(node->inclusive, graph->all), node->visits,
		dot_share(node->exclusive, graph->all));
}

static void write_call_edge(const struct call_graph *graph, const struct call_edge *edge, FILE *out)
{
	fprintf(out,
		"\tr%" PRIu32 " -> r%" PRIu32 " [label=\"%" PRIu64
		" x\\n%.1f %%\" penwidth=%.2f];\n",
		edge->caller, edge->callee, edge->sum.visits,
		100 * dot_share(edge->sum.inclusive, graph->all),
		dot_width(dot_share(edge->sum.inclusive, graph->all)));
}

static void write_calls(struct measure_conversion *conversion, FILE *out)
{
	const size_t nr = measure_conversion_nr_regions(conversion);
	struct call_graph graph = {.conversion = conversion,
		.nodes = measure_zeroed(nr, sizeof(*graph.nodes)),
		.nr_nodes = nr,
		.exclusive = measure_zeroed(conversion->profile.nr_paths, sizeof(uint64_t))};

	sum_calls(&graph);
	for (size_t i = 0; i < nr; i++)
		if (is_drawn(&graph, &graph.nodes[i]))
			write_call_node(&graph, i, out);
	for (size_t i = 0; i < graph.nr_edges; i++)
		if (is_drawn(&graph, &graph.edges[i].sum) &&
			is_drawn(&graph, &graph.nodes[graph.edges[i].caller]))
			write_call_edge(&graph, &graph.edges[i], out);
	measure_map_free(&graph.numbers);
	measure_free(graph.nodes);
	measure_free(graph.edges);
	measure_free(graph.exclusive);
}

/* -------------------------------------------------------------- communication graph --- */

static void write_processes(const struct measure_conversion *conversion, FILE *out)
{
	const size_t nr = conversion->definitions->nr_location_groups;
	bool *is_written = measure_zeroed(nr + 1, sizeof(*is_written));

	for (size_t i = 0; i < conversion->nr_locations; i++) {
		const uint32_t process =
			measure_conversion_process(conversion, conversion->locations[i]);

		if (process == nr || is_written[process])
			continue;
		is_written[process] = true;
		fprintf(out, "\tp%" PRIu32 " [label=\"", process);
		dot_write_escaped(out, measure_conversion_process_name(conversion, process));
		fputs("\"];\n", out);
	}
	measure_free(is_written);
}

static void write_traffic(const struct measure_conversion *conversion, FILE *out)
{
	const struct measure_profile_table *table =
		&conversion->profile.tables[MEASURE_TABLE_MESSAGES];
	const size_t width = measure_profile_table_width(MEASURE_TABLE_MESSAGES);
	uint64_t nr_messages = 0, nr_bytes = 0;

	for (size_t i = 0; i < table->nr; i++) {
		nr_messages += measure_cell(&table->values[i * width], MESSAGES, COUNT);
		nr_bytes += measure_cell(&table->values[i * width], MESSAGES, BYTES);
	}
	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t *row = &table->values[i * width];
		const uint64_t count = measure_cell(row, MESSAGES, COUNT);
		const double share = dot_share(measure_cell(row, MESSAGES, BYTES), nr_bytes);
		char bytes[MEASURE_FIGURE_TEXT];

		if (share < conversion->options->least_share &&
			dot_share(count, nr_messages) < conversion->options->least_share)
			continue;
		measure_figure_size(measure_cell(row, MESSAGES, BYTES), bytes);
		fprintf(out,
			"\tp%" PRIu64 " -> p%" PRIu64 " [label=\"%" PRIu64
			" messages\\n%s\" penwidth=%.2f];\n",
			table->keys[i].high, table->keys[i].low, count, bytes, dot_width(share));
	}
}

static void write_communication(struct measure_conversion *conversion, FILE *out)
{
	write_processes(conversion, out);
	write_traffic(conversion, out);
}

/* ------------------------------------------------------------------------ the file --- */

static const struct {
	const char *name;
	/* NULL: that of tasks, which has to be read */
	void (*write)(struct measure_conversion *conversion, FILE *out);
} graphs[] = {[MEASURE_GRAPH_CALLS] = {"calls", write_calls},
	[MEASURE_GRAPH_COMMUNICATION] = {"communication", write_communication},
	[MEASURE_GRAPH_TASKS] = {"tasks", NULL}};

static measure_status_t write_graph(
	struct measure_conversion *conversion, const struct dot_tasks *tasks, const char *path)
{
	const enum measure_graph graph = conversion->options->graph;
	struct measure_output_file output;
	const measure_status_t status = measure_output_file_open(&output, path);

	if (status != MEASURE_OK)
		return status;
	fprintf(output.file,
		"digraph %s {\n\tgraph [charset=\"UTF-8\"];\n"
		"\tnode [shape=box style=filled fillcolor=white];\n",
		graphs[graph].name);
	if (tasks)
		dot_tasks_write(tasks, output.file);
	else
		graphs[graph].write(conversion, output.file);
	fputs("}\n", output.file);
	return measure_output_file_close(&output, true);
}

measure_status_t measure_export_dot(struct measure_conversion *conversion, const char *path)
{
	struct dot_tasks *tasks = NULL;
	measure_status_t read, status;

	if (conversion->options->graph == MEASURE_GRAPH_TASKS)
		read = dot_tasks_read(conversion, &tasks);
	else
		read = measure_conversion_read_profile(conversion);
	status = read == MEASURE_ERROR_USAGE ? read : write_graph(conversion, tasks, path);
	dot_tasks_free(tasks);
	return status == MEASURE_OK ? read : status;
}
