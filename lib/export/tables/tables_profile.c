/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of the profile: what each location did in each call path. Sums are made in ticks, and
 * become nanoseconds last. */
#include "config.h"

#include <stdlib.h>

#include "analysis/causes/root_causes.h"
#include "tables_export.h"

struct profile_cell {
	uint32_t location, path;
	uint64_t visits, inclusive, exclusive; /* ticks */
	uint64_t nr_sent, sent, nr_received, received;
	struct measure_path_waits waits; /* ticks */
};

struct profile_cells {
	struct tables_export *export;
	struct measure_map index; /* (location, path) -> cell */
	MEASURE_GROWING(struct profile_cell, items);
};

/* Made if need be; valid until another one is. */
static struct profile_cell *cell_of(struct profile_cells *cells, uint32_t location, uint32_t path)
{
	const uint32_t index = measure_map_intern(
		&cells->index, measure_key_pair(location, path), (uint32_t)cells->nr_items);

	if (index == cells->nr_items)
		*measure_append(cells, items) =
			(struct profile_cell){.location = location, .path = path};
	return &cells->items[index];
}

static void cells_add_times(struct profile_cells *cells)
{
	const struct measure_profile *profile = &cells->export->conversion->profile;

	for (size_t i = 0; i < profile->nr_rows; i++) {
		const struct measure_profile_row *row = &profile->rows[i];
		struct profile_cell *cell;

		/* all of that is in (tasks) */
		if (profile->paths[row->path].region == MEASURE_PSEUDO_RUNNING_TASKS)
			continue;
		cell = cell_of(cells, row->location, row->path);
		cell->visits += row->visits;
		cell->inclusive += row->inclusive;
		cell->exclusive += row->exclusive;
	}
}

static void cells_add_messages(struct profile_cells *cells)
{
	const struct sorted_messages *messages = &cells->export->messages;

	for (size_t i = 0; i < messages->nr_items; i++) {
		const struct sorted_message *message = &messages->items[i];
		struct profile_cell *cell = cell_of(cells, message->src, message->src_path);

		cell->nr_sent++;
		cell->sent += message->bytes;
		cell = cell_of(cells, message->dst, message->dst_path);
		cell->nr_received++;
		cell->received += message->bytes;
	}
}

static void cells_take_wait(void *data, const struct measure_conversion_wait *wait)
{
	cell_of(data, wait->location, wait->path)->waits.waiting += wait->state->ticks;
}

static void cells_add_waits(struct profile_cells *cells)
{
	struct measure_conversion *conversion = cells->export->conversion;

	for (size_t i = 0; i < conversion->nr_locations; i++)
		measure_conversion_waits(
			conversion, conversion->locations[i], cells_take_wait, cells);
}

static void cells_add_delays(struct profile_cells *cells, const struct measure_delays *delays)
{
	for (size_t i = 0; i < delays->nr_rows; i++) {
		const struct measure_delay_row *row = &delays->rows[i];
		struct profile_cell *cell =
			cell_of(cells, row->location, tables_path(cells->export, row->path));

		cell->waits.delay_short += row->short_term;
		cell->waits.delay_long += row->long_term;
	}
}

static void cells_add_critical(
	struct profile_cells *cells, const struct measure_root_causes *causes)
{
	const struct measure_critical_path *critical = &causes->critical;
	struct measure_path_times times;

	measure_path_times_start(&times, &causes->timelines);
	for (size_t i = 0; i < critical->nr_segments; i++) {
		const struct measure_path_segment *segment = &critical->segments[i];

		measure_timeline_all(&causes->timelines, segment->location, segment->from,
			segment->until, &times);
		for (size_t k = 0; k < times.nr_paths; k++)
			cell_of(cells, segment->location,
				tables_path(cells->export, times.paths[k]))
				->waits.critical += times.ticks[times.paths[k]];
		measure_path_times_clear(&times);
	}
	measure_path_times_free(&times);
}

static int cell_compare(const void *left, const void *right)
{
	const struct profile_cell *a = left, *b = right;

	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	return (a->path > b->path) - (a->path < b->path);
}

static void write_cell(struct tables_export *export, const struct profile_cell *cell)
{
	const bool has_causes = export->conversion->waits->root_causes != NULL;
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, PROFILE, LOCATION) = tables_index(cell->location);
	TABLES_CELL(row, PROFILE, PATH) = tables_index(cell->path);
	TABLES_CELL(row, PROFILE, VISITS) = tables_integer(cell->visits);
	TABLES_CELL(row, PROFILE, INCLUSIVE_NS) = tables_length(export, cell->inclusive);
	TABLES_CELL(row, PROFILE, EXCLUSIVE_NS) = tables_length(export, cell->exclusive);
	TABLES_CELL(row, PROFILE, MESSAGES_SENT) = tables_integer(cell->nr_sent);
	TABLES_CELL(row, PROFILE, BYTES_SENT) = tables_integer(cell->sent);
	TABLES_CELL(row, PROFILE, MESSAGES_RECEIVED) = tables_integer(cell->nr_received);
	TABLES_CELL(row, PROFILE, BYTES_RECEIVED) = tables_integer(cell->received);
	TABLES_CELL(row, PROFILE, WAITING_NS) = tables_length(export, cell->waits.waiting);
	if (has_causes) {
		TABLES_CELL(row, PROFILE, DELAY_SHORT_NS) =
			tables_length(export, cell->waits.delay_short);
		TABLES_CELL(row, PROFILE, DELAY_LONG_NS) =
			tables_length(export, cell->waits.delay_long);
		TABLES_CELL(row, PROFILE, CRITICAL_NS) =
			tables_length(export, cell->waits.critical);
	}
	tables_add(export->writer, TABLES_PROFILE, row);
}

void tables_write_profile(struct tables_export *export)
{
	const struct measure_root_causes *causes = export->conversion->waits->root_causes;
	struct profile_cells cells = {.export = export};

	cells_add_times(&cells);
	cells_add_messages(&cells);
	cells_add_waits(&cells);
	if (causes) {
		cells_add_delays(&cells, &causes->delays);
		cells_add_critical(&cells, causes);
	}
	if (cells.nr_items > 0)
		qsort(cells.items, cells.nr_items, sizeof(*cells.items), cell_compare);
	for (size_t i = 0; i < cells.nr_items; i++)
		write_cell(export, &cells.items[i]);
	measure_map_free(&cells.index);
	measure_free(cells.items);
}
