/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From knots, which are in presynchronised time, to offsets of raw time: the breaks of the
 * presynchronisation become knots too. Readers round each time to a tick; where that would break
 * what the replay found, by a tick, a knot is added. */
#include "config.h"

#include "correction.h"

#include "base/array.h"
#include "sync/graph/bounds.h"
#include "rounding.h"
#include "classic_amortisation.h"
#include "trace/common/containers.h"

/* Each round adds knots at the records that the one before has left wrong. */
#define MOST_ROUNDS 16

struct making {
	const struct measure_sync_graph *graph;
	const struct measure_sync_domain_records *of;
	const struct measure_clock_function *presync;
	struct measure_sync_knots knots;
	struct measure_sync_correction *correction;
};

/* ----------------------------------------------------------------------- pieces --- */

static uint64_t raw_of(const struct making *making, const struct measure_sync_knot *knot)
{
	if (knot->record != MEASURE_NONE)
		return making->of->records[knot->record].raw;
	return measure_clock_function_invert(making->presync, (uint64_t)knot->time);
}

/* The presynchronised time plus a shift, as an offset of the raw time. */
static int64_t offset_at(const struct making *making, uint64_t raw, int64_t shift)
{
	return measure_rounding_offset(making->presync, raw) + shift;
}

/* On the line between two knots. */
static int64_t shift_between(const struct making *making, const struct measure_sync_knot *knot,
	uint64_t raw)
{
	const struct measure_sync_knot *next = knot + 1;
	int64_t time = (int64_t)measure_clock_function_apply(making->presync, raw);

	if (next->time == knot->time)
		return next->shift;
	return knot->shift + (int64_t)((measure_wide_t)(next->shift - knot->shift) *
				       (time - knot->time) / (next->time - knot->time));
}

/* No event that matters to others. */
static bool is_free(const struct making *making, uint64_t raw)
{
	const struct measure_sync_record *records = making->of->records;
	const size_t nr = measure_count_first(making->of->nr, i, records[i].raw < raw);

	return nr == making->of->nr || records[nr].raw != raw;
}

/* Where a shift begins or ends, the line must not run below the presynchronised times: it does not
 * where it begins or ends no lower than they do before rounding. */
static void add_rim(const struct making *making, struct measure_clock_function *offsets,
	uint64_t raw, const struct measure_sync_knot *knot)
{
	const int64_t least = measure_rounding_ceil(making->presync, raw);

	/* a steep line is beyond that at the next tick */
	if (least > offset_at(making, raw, shift_between(making, knot, raw)) &&
		is_free(making, raw))
		measure_rounding_add(offsets, raw, least);
}

/* Between two knots with different shifts. */
static void add_slope(const struct making *making, struct measure_clock_function *offsets,
	const struct measure_sync_knot *knot)
{
	const struct measure_clock_function *breaks = making->presync;
	const uint64_t from = raw_of(making, knot), to = raw_of(making, knot + 1);

	if (knot->shift == 0 && from + 1 < to)
		add_rim(making, offsets, from + 1, knot);
	for (size_t i = 0; i < breaks->nr; i++) {
		uint64_t raw = breaks->items[i].time;

		if (raw > from && raw < to)
			measure_rounding_add(offsets, raw,
				offset_at(making, raw, shift_between(making, knot, raw)));
	}
	if (knot[1].shift == 0 && from + 1 < to)
		add_rim(making, offsets, to - 1, knot);
}

/* Before the first knot and behind the last one the shift is constant. */
static void add_start(const struct making *making, struct measure_clock_function *offsets,
	const struct measure_sync_knot *knot)
{
	uint64_t raw = raw_of(making, knot), start = making->of->span.first;

	if (start >= raw)
		start = raw - (raw > 0);
	if (start == raw)
		return;
	measure_rounding_add(offsets, start, offset_at(making, start, knot->shift));
	measure_rounding_between(making->presync, start, raw, knot->shift, offsets);
}

static void add_end(const struct making *making, struct measure_clock_function *offsets,
	const struct measure_sync_knot *knot)
{
	uint64_t raw = raw_of(making, knot), end = making->of->span.last;

	if (end <= raw)
		end = raw + 1;
	measure_rounding_between(making->presync, raw, end, knot->shift, offsets);
	measure_rounding_add(offsets, end, offset_at(making, end, knot->shift));
}

static struct measure_sync_piece *add_piece(struct measure_sync_correction *correction)
{
	correction->pieces = measure_grow(correction->pieces, correction->nr, &correction->room,
		sizeof(*correction->pieces));
	correction->pieces[correction->nr] = (struct measure_sync_piece){.raw = 0};
	return &correction->pieces[correction->nr++];
}

static const struct measure_sync_start *find_start(
	const struct measure_sync_piece *piece, uint32_t location)
{
	for (size_t i = 0; i < piece->nr_starts; i++)
		if (piece->starts[i].location == location)
			return &piece->starts[i];
	return NULL;
}

/* At a record's tick, each location from its first record on that is not before that one. */
static void start_at(const struct making *making, struct measure_sync_piece *piece, uint32_t record)
{
	const struct measure_sync_domain_records *of = making->of;

	piece->raw = of->records[record].raw;
	for (size_t i = record; i < of->nr && of->records[i].raw == piece->raw; i++) {
		const struct measure_sync_record *start = &of->records[i];

		if (find_start(piece, start->location))
			continue;
		*measure_append(piece, starts) =
			(struct measure_sync_start){start->location, start->position};
	}
}

/* Knots [first, end) make one piece. */
static void make_piece(const struct making *making, size_t first, size_t end)
{
	const struct measure_sync_knots *knots = &making->knots;
	const struct measure_sync_knot *knot = &knots->items[first];
	struct measure_sync_piece *piece = add_piece(making->correction);
	struct measure_clock_function *offsets = &piece->offsets;

	if (knot->is_step)
		start_at(making, piece, knot->record);
	else
		add_start(making, offsets, knot);
	for (size_t i = first; i < end; i++) {
		const struct measure_sync_knot *at = &knots->items[i];
		uint64_t raw = raw_of(making, at);

		measure_rounding_add(offsets, raw, offset_at(making, raw, at->shift));
		if (i + 1 < end && at[1].shift != at->shift)
			add_slope(making, offsets, at);
		else if (i + 1 < end)
			measure_rounding_between(
				making->presync, raw, raw_of(making, at + 1), at->shift, offsets);
	}
	if (end == knots->nr)
		add_end(making, offsets, &knots->items[end - 1]);
	if (offsets->nr == 1)
		measure_rounding_add(offsets, offsets->items[0].time + 1, offsets->items[0].offset);
}

static void make_pieces(const struct making *making)
{
	size_t end;

	if (making->knots.nr == 0) {
		const struct measure_clock_function *breaks = making->presync;
		struct measure_clock_function *offsets = &add_piece(making->correction)->offsets;

		for (size_t i = 0; i < breaks->nr; i++)
			measure_rounding_add(
				offsets, breaks->items[i].time, breaks->items[i].offset);
	}
	for (size_t i = 0; i < making->knots.nr; i = end) {
		for (end = i + 1; end < making->knots.nr; end++)
			if (making->knots.items[end].is_step)
				break;
		make_piece(making, i, end);
	}
}

/* -------------------------------------------------------------------- rounding --- */

struct addition {
	size_t piece;
	struct measure_clock_knot offset;
};

struct additions {
	MEASURE_GROWING_ITEMS(struct addition);
};

/* What a record may be at: a receive not before its time, a send not after its limit, nor before
 * its presynchronised time. */
static int64_t time_allowed(
	const struct measure_sync_graph *graph, const struct measure_sync_record *record, int64_t time)
{
	int64_t value = measure_sync_value(graph, record);

	if (record->is_send && time > value)
		return value;
	if (time < record->time)
		return record->time;
	return !record->is_send && time < value ? value : time;
}

static bool has_knot(const struct measure_clock_function *offsets, uint64_t raw)
{
	const size_t nr = measure_count_first(offsets->nr, i, offsets->items[i].time < raw);

	return nr < offsets->nr && offsets->items[nr].time == raw;
}

static bool is_last(const struct additions *additions, size_t piece, uint64_t raw)
{
	const struct addition *last;

	if (additions->nr == 0)
		return false;
	last = &additions->items[additions->nr - 1];
	return last->piece == piece && last->offset.time == raw;
}

static void find_wrong(const struct making *making, struct additions *additions)
{
	const struct measure_sync_correction *correction = making->correction;
	struct measure_sync_reading reading = {.piece = 0};

	additions->nr = 0;
	for (size_t i = 0; i < making->of->nr; i++) {
		const struct measure_sync_record *record = &making->of->records[i];
		int64_t time = (int64_t)measure_sync_correct(correction, &reading, record->raw,
			record->location, record->position);
		int64_t allowed = time_allowed(making->graph, record, time);

		if (allowed == time ||
			has_knot(&correction->pieces[reading.piece].offsets, record->raw) ||
			is_last(additions, reading.piece, record->raw))
			continue;
		*measure_append_item(additions) = (struct addition){
			reading.piece, {record->raw, allowed - (int64_t)record->raw, 0}};
	}
}

/* Both are in order. */
static void merge(
	struct measure_clock_function *offsets, const struct addition *additions, size_t nr)
{
	struct measure_clock_function merged = {0};
	size_t k = 0;

	for (size_t i = 0; i < offsets->nr; i++) {
		for (; k < nr && additions[k].offset.time < offsets->items[i].time; k++)
			measure_rounding_add(
				&merged, additions[k].offset.time, additions[k].offset.offset);
		measure_rounding_add(&merged, offsets->items[i].time, offsets->items[i].offset);
	}
	for (; k < nr; k++)
		measure_rounding_add(&merged, additions[k].offset.time, additions[k].offset.offset);
	measure_free(offsets->items);
	*offsets = merged;
}

static void mend_rounding(struct making *making)
{
	struct additions additions = {0};

	for (int round = 0; round < MOST_ROUNDS; round++) {
		size_t end;

		find_wrong(making, &additions);
		if (additions.nr == 0)
			break;
		for (size_t i = 0; i < additions.nr; i = end) {
			size_t piece = additions.items[i].piece;

			for (end = i; end < additions.nr; end++)
				if (additions.items[end].piece != piece)
					break;
			merge(&making->correction->pieces[piece].offsets, additions.items + i,
				end - i);
		}
		making->correction->nr_added += additions.nr;
	}
	measure_free(additions.items);
}

/* The curve touches the room of a send. */
static size_t count_binding(const struct making *making)
{
	size_t nr = 0;

	for (size_t i = 0; i < making->knots.nr; i++) {
		uint32_t record = making->knots.items[i].record;

		nr += record != MEASURE_NONE && making->of->records[record].is_send;
	}
	return nr;
}

void measure_sync_correction_make(const struct measure_sync_graph *graph, uint32_t domain,
	const struct measure_sync_rate *rate, enum measure_sync_backward_rule rule,
	struct measure_sync_correction *correction)
{
	struct making making = {.graph = graph,
		.of = &graph->of[domain],
		.presync = &graph->presync[graph->of[domain].a_location],
		.correction = correction};

	*correction = (struct measure_sync_correction){.nr = 0};
	if (rule == MEASURE_SYNC_BACKWARD_SUM)
		measure_sync_amortise_classic(graph, domain, rate, &making.knots);
	else
		measure_sync_sweep(graph, domain, rate, rule, &making.knots);
	correction->nr_knots = making.knots.nr;
	correction->nr_binding = count_binding(&making);
	make_pieces(&making);
	if (making.knots.nr > 0)
		mend_rounding(&making);
	measure_free(making.knots.items);
}

void measure_sync_correction_free(struct measure_sync_correction *correction)
{
	for (size_t i = 0; i < correction->nr; i++) {
		measure_free(correction->pieces[i].offsets.items);
		measure_free(correction->pieces[i].starts);
	}
	measure_free(correction->pieces);
}

static bool has_begun(const struct measure_sync_piece *piece, uint64_t raw, uint32_t location,
	uint64_t position)
{
	const struct measure_sync_start *start;

	if (raw != piece->raw || location == MEASURE_NONE)
		return raw >= piece->raw;
	start = find_start(piece, location);
	return start && position >= start->position;
}

uint64_t measure_sync_correct(const struct measure_sync_correction *correction,
	struct measure_sync_reading *reading, uint64_t raw, uint32_t location, uint64_t position)
{
	while (reading->piece + 1 < correction->nr &&
		has_begun(&correction->pieces[reading->piece + 1], raw, location, position)) {
		reading->piece++;
		reading->clock = (struct measure_clock_reading){.number = 0};
	}
	return measure_clock_function_read(
		&correction->pieces[reading->piece].offsets, &reading->clock, raw);
}

uint64_t measure_sync_correct_at(const struct measure_sync_correction *correction, uint64_t raw,
	uint32_t location, uint64_t position)
{
	const struct measure_sync_piece *pieces = correction->pieces;
	const size_t piece = measure_count_first(
		correction->nr - 1, i, has_begun(&pieces[i + 1], raw, location, position));

	return measure_clock_function_apply(&pieces[piece].offsets, raw);
}
