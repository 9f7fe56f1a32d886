/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Offsets from messages; see estimate.h. Messages are sorted into bounds of pairs of clocks, each
 * pair gives an edge with a line, and the best edges make a tree. */
#include "config.h"

#include "estimate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Times. */
#define MUCH 4

/* One message, as a bound of the offset from the time of clock `high` to that of clock `low`. */
struct bound {
	uint32_t low;
	uint32_t high;
	bool is_upper;
	struct measure_clock_bound bound;
};

/* What a pair of clocks knows of each other: the line that leads from `high` to `low`. */
struct edge {
	uint32_t low;
	uint32_t high;
	bool is_two_sided;
	struct measure_clock_line line;
	double half;
	double excess; /* ticks that the clocks without any offset are beyond a bound at most */
	double misfit; /* and with the line */
};

struct work {
	struct measure_estimate *estimates;
	uint32_t nr;
	bool are_alike;
	struct bound *bounds;
	size_t nr_bounds;
	struct measure_clock_bound *scratch; /* of one pair */
	struct edge *edges;
	size_t nr_edges;
	uint32_t *parents; /* of the sets of clocks that are connected */
};

static int compare_bounds(const void *left, const void *right)
{
	const struct bound *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	if (a->is_upper != b->is_upper)
		return a->is_upper ? 1 : -1;
	if (a->bound.time != b->bound.time)
		return a->bound.time < b->bound.time ? -1 : 1;
	return (a->bound.offset > b->bound.offset) - (a->bound.offset < b->bound.offset);
}

/* Sent no earlier than received but for the least time: in one's ticks, a bound of the other. */
static void estimate_collect(
	struct work *work, const struct measure_estimate_message *messages, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct measure_estimate_message *message = &messages[i];
		const bool is_upper = message->sender > message->receiver;
		struct bound *bound = &work->bounds[work->nr_bounds];

		if (message->sender == message->receiver || message->sender >= work->nr ||
			message->receiver >= work->nr)
			continue;
		bound->is_upper = is_upper;
		bound->low = is_upper ? message->receiver : message->sender;
		bound->high = is_upper ? message->sender : message->receiver;
		bound->bound.time = is_upper ? message->sent : message->received;
		bound->bound.offset =
			is_upper ? (int64_t)(message->received - message->least - message->sent)
				 : (int64_t)(message->sent + message->least - message->received);
		work->nr_bounds++;
	}
	qsort(work->bounds, work->nr_bounds, sizeof(*work->bounds), compare_bounds);
}

/* How far a line is beyond the bound that it misses most. */
static double excess_of(const struct measure_clock_line *line,
	const struct measure_clock_bound *bounds, size_t nr_lows, size_t nr)
{
	double excess = 0;

	for (size_t i = 0; i < nr; i++) {
		const double above =
			(double)(measure_clock_line_at(line, bounds[i].time) - bounds[i].offset);

		excess = fmax(excess, i < nr_lows ? -above : above);
	}
	return excess;
}

/* The pair whose bounds begin at `from`; returns where they end. */
static size_t make_edge(struct work *work, size_t from)
{
	const struct bound *first = &work->bounds[from];
	const struct measure_estimate *high = &work->estimates[first->high];
	struct edge *edge = &work->edges[work->nr_edges++];
	const struct measure_clock_line none = {0};
	size_t nr_lows = 0;
	size_t nr = 0;

	while (from + nr < work->nr_bounds && first[nr].low == first->low &&
		first[nr].high == first->high) {
		work->scratch[nr] = first[nr].bound;
		nr_lows += !first[nr].is_upper;
		nr++;
	}
	edge->low = first->low;
	edge->high = first->high;
	edge->is_two_sided = nr_lows > 0 && nr_lows < nr;
	edge->line = measure_clock_line_fit(work->scratch, nr_lows, work->scratch + nr_lows,
		nr - nr_lows, high->first, high->last, &edge->half);
	for (size_t i = 0; i < nr; i++)
		work->scratch[i] = first[i].bound;
	edge->excess = excess_of(&none, work->scratch, nr_lows, nr);
	edge->misfit = excess_of(&edge->line, work->scratch, nr_lows, nr);
	return from + nr;
}

/* Those that know most come first. */
static int compare_edges(const void *left, const void *right)
{
	const struct edge *a = left, *b = right;

	if (a->half < b->half || a->half > b->half)
		return a->half < b->half ? -1 : 1;
	if (a->is_two_sided != b->is_two_sided)
		return a->is_two_sided ? -1 : 1;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

/* The set that a clock is in, by its lowest number. */
static uint32_t find_set(uint32_t *parents, uint32_t clock)
{
	while (parents[clock] != clock) {
		parents[clock] = parents[parents[clock]];
		clock = parents[clock];
	}
	return clock;
}

/* Leaves the edges of the tree, or of several. */
static void choose_tree(struct work *work)
{
	size_t nr = 0;

	for (uint32_t i = 0; i < work->nr; i++)
		work->parents[i] = i;
	for (size_t i = 0; i < work->nr_edges; i++) {
		const uint32_t a = find_set(work->parents, work->edges[i].low);
		const uint32_t b = find_set(work->parents, work->edges[i].high);

		if (a == b)
			continue;
		work->parents[a > b ? a : b] = a > b ? b : a;
		work->edges[nr++] = work->edges[i];
	}
	work->nr_edges = nr;
}

/* From a clock whose line is known to the one at the other end of an edge. */
static void extend(const struct edge *edge, bool is_up, const struct measure_clock_line *known,
	double bound, struct measure_clock_line *line, double *own)
{
	const struct measure_clock_line inverted = measure_clock_line_invert(&edge->line);

	*line = measure_clock_line_join(is_up ? &edge->line : &inverted, known);
	*own = bound + edge->half;
}

/* Lines of all clocks of the trees, from the roots on: in each round those that are one edge
 * farther away. */
static void follow_tree(struct work *work, struct measure_clock_line *lines, bool *are_known)
{
	bool has_grown = true;

	while (has_grown) {
		has_grown = false;
		for (size_t i = 0; i < work->nr_edges; i++) {
			const struct edge *edge = &work->edges[i];
			const bool is_up = are_known[edge->low];
			const uint32_t from = is_up ? edge->low : edge->high;
			const uint32_t to = is_up ? edge->high : edge->low;

			if (are_known[edge->low] == are_known[edge->high])
				continue;
			extend(edge, is_up, &lines[from], work->estimates[from].bound, &lines[to],
				&work->estimates[to].bound);
			are_known[to] = has_grown = true;
		}
	}
}

static measure_status_t write_function(
	struct measure_estimate *estimate, const struct measure_clock_line *line)
{
	const uint64_t first = estimate->first < UINT64_MAX ? estimate->first : UINT64_MAX - 1;
	const uint64_t last = estimate->last > first ? estimate->last : first + 1;
	struct measure_clock_knot *items = calloc(2, sizeof(*items));

	if (!items)
		return MEASURE_ERROR_MEMORY;
	items[0] = (struct measure_clock_knot){first, measure_clock_line_at(line, first), 0};
	items[1] = (struct measure_clock_knot){last, measure_clock_line_at(line, last), 0};
	estimate->function = (struct measure_clock_function){items, 2, 2};
	return MEASURE_OK;
}

static measure_status_t write_functions(struct work *work)
{
	measure_status_t status = MEASURE_ERROR_MEMORY;
	struct measure_clock_line *lines = calloc(work->nr + 1, sizeof(*lines));
	bool *are_known = calloc(work->nr + 1, sizeof(*are_known));

	if (!lines || !are_known)
		goto undo_allocate;
	for (uint32_t i = 0; i < work->nr; i++) {
		work->estimates[i].reference = find_set(work->parents, i);
		are_known[i] = work->estimates[i].reference == i;
	}
	follow_tree(work, lines, are_known);
	status = MEASURE_OK;
	for (uint32_t i = 0; i < work->nr && status == MEASURE_OK; i++)
		status = write_function(&work->estimates[i], &lines[i]);
undo_allocate:
	free(are_known);
	free(lines);
	return status;
}

/* Are the clocks themselves as good a guess as the lines? What they are wrong by at least must be
 * more than what the lines may be wrong by, and much more than what these are wrong by at least.
 * All lines or none: a few would not go together. */
static bool is_doubtful(const struct work *work)
{
	double excess = 0, half = 0, misfit = 0;

	for (size_t i = 0; i < work->nr_edges; i++) {
		const struct edge *edge = &work->edges[i];

		excess = fmax(excess, edge->excess);
		misfit = fmax(misfit, edge->misfit);
		if (edge->half < HUGE_VAL)
			half = fmax(half, edge->half);
	}
	return excess <= half || excess <= MUCH * misfit;
}

static measure_status_t make_all(
	struct work *work, const struct measure_estimate_message *messages, size_t nr_messages)
{
	estimate_collect(work, messages, nr_messages);
	for (size_t from = 0; from < work->nr_bounds;)
		from = make_edge(work, from);
	qsort(work->edges, work->nr_edges, sizeof(*work->edges), compare_edges);
	choose_tree(work);
	if (work->are_alike && is_doubtful(work)) {
		work->nr_edges = 0;
		for (uint32_t i = 0; i < work->nr; i++)
			work->parents[i] = i;
	}
	return write_functions(work);
}

measure_status_t measure_estimate_make(const struct measure_estimate_message *messages,
	size_t nr_messages, bool are_alike, struct measure_estimate *estimates, uint32_t nr)
{
	measure_status_t status = MEASURE_ERROR_MEMORY;
	struct work work = {
		.estimates = estimates,
		.nr = nr,
		.are_alike = are_alike,
		.bounds = calloc(nr_messages + 1, sizeof(*work.bounds)),
		.scratch = calloc(nr_messages + 1, sizeof(*work.scratch)),
		.edges = calloc(nr_messages + 1, sizeof(*work.edges)),
		.parents = calloc(nr + 1, sizeof(*work.parents)),
	};

	for (uint32_t i = 0; i < nr; i++) {
		estimates[i].function = (struct measure_clock_function){0};
		estimates[i].bound = 0;
	}
	if (work.bounds && work.scratch && work.edges && work.parents)
		status = make_all(&work, messages, nr_messages);
	for (uint32_t i = 0; i < nr && status != MEASURE_OK; i++) {
		free(estimates[i].function.items);
		estimates[i].function = (struct measure_clock_function){0};
	}
	free(work.bounds);
	free(work.scratch);
	free(work.edges);
	free(work.parents);
	return status;
}
