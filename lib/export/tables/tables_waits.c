/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables of waits: each of them; those of a call path on a location together, with their causes;
 * delays; the critical path. Causes are known of the whole run only. */
#include "config.h"

#include <stdlib.h>

#include "analysis/causes/root_causes.h"
#include "tables_export.h"

/* -------------------------------------------------------------------------- waits --- */

struct wait_list {
	MEASURE_GROWING(struct measure_conversion_wait, items);
};

static void list_take(void *data, const struct measure_conversion_wait *wait)
{
	*measure_append((struct wait_list *)data, items) = *wait;
}

/* Of one location. States lie in the order of calls. */
static int wait_compare(const void *left, const void *right)
{
	const struct measure_conversion_wait *a = left, *b = right;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	if (a->waiting_ns != b->waiting_ns)
		return a->waiting_ns < b->waiting_ns ? -1 : 1;
	return (a->state > b->state) - (a->state < b->state);
}

static void write_wait(struct tables_export *export, const struct measure_conversion_wait *wait)
{
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, WAITS, LOCATION) = tables_index(wait->location);
	TABLES_CELL(row, WAITS, START_NS) = tables_integer(wait->begin_ns);
	TABLES_CELL(row, WAITS, WAITING_NS) = tables_integer(wait->waiting_ns);
	TABLES_CELL(row, WAITS, CLASS) = tables_text(measure_wait_patterns[wait->pattern].word);
	TABLES_CELL(row, WAITS, PATH) = tables_index(wait->path);
	TABLES_CELL(row, WAITS, CAUSE_LOCATION) = tables_index(wait->cause);
	TABLES_CELL(row, WAITS, CAUSE_PATH) = tables_index(wait->cause_path);
	tables_add(export->writer, TABLES_WAITS, row);
}

void tables_write_waits(struct tables_export *export)
{
	struct measure_conversion *conversion = export->conversion;
	struct wait_list list = {.nr_items = 0};

	for (size_t i = 0; i < conversion->nr_locations; i++) {
		list.nr_items = 0;
		measure_conversion_waits(conversion, export->locations[i], list_take, &list);
		if (list.nr_items > 0)
			qsort(list.items, list.nr_items, sizeof(*list.items), wait_compare);
		for (size_t k = 0; k < list.nr_items; k++)
			write_wait(export, &list.items[k]);
	}
	measure_free(list.items);
}

/* ---------------------------------------------------------------------------- sums --- */

/* Rows of waits or of delays, as they are to be written. */
struct causes_key {
	uint32_t location, path, pattern;
	size_t row;
};

static int key_compare(const void *left, const void *right)
{
	const struct causes_key *a = left, *b = right;

	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	if (a->path != b->path)
		return a->path < b->path ? -1 : 1;
	return (a->pattern > b->pattern) - (a->pattern < b->pattern);
}

static const char *part_word(enum measure_wait_part part)
{
	return part == MEASURE_WAIT_ADDED ? "added" : part == MEASURE_WAIT_PART ? "part" : "beside";
}

static void write_sum(struct tables_export *export, const struct causes_key *key)
{
	const struct measure_waits *waits = export->conversion->waits;
	const struct measure_wait_row *sum = &waits->rows[key->row];
	const struct measure_wait_costs *costs = &waits->root_causes->delays.costs[key->row];
	const struct measure_wait_pattern_info *pattern = &measure_wait_patterns[sum->pattern];
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, WAIT_SUMS, LOCATION) = tables_index(key->location);
	TABLES_CELL(row, WAIT_SUMS, PATH) = tables_index(key->path);
	TABLES_CELL(row, WAIT_SUMS, CLASS) = tables_text(pattern->word);
	TABLES_CELL(row, WAIT_SUMS, PART) = tables_text(part_word(pattern->part));
	TABLES_CELL(row, WAIT_SUMS, WAITS) = tables_integer(sum->count);
	TABLES_CELL(row, WAIT_SUMS, WAITING_NS) = tables_length(export, sum->ticks);
	TABLES_CELL(row, WAIT_SUMS, LONGEST_NS) = tables_length(export, sum->max);
	if (pattern->part == MEASURE_WAIT_ADDED) {
		TABLES_CELL(row, WAIT_SUMS, DIRECT_NS) = tables_length(export, costs->direct);
		TABLES_CELL(row, WAIT_SUMS, INDIRECT_NS) = tables_length(export, costs->indirect);
		TABLES_CELL(row, WAIT_SUMS, UNATTRIBUTED_NS) =
			tables_length(export, costs->unattributed);
		TABLES_CELL(row, WAIT_SUMS, PROPAGATING_NS) =
			tables_length(export, costs->propagating);
		TABLES_CELL(row, WAIT_SUMS, TERMINAL_NS) = tables_length(export, costs->terminal);
	}
	tables_add(export->writer, TABLES_WAIT_SUMS, row);
}

static void write_sums(struct tables_export *export)
{
	const struct measure_waits *waits = export->conversion->waits;
	struct causes_key *keys = measure_zeroed(waits->nr_rows + 1, sizeof(*keys));

	for (size_t i = 0; i < waits->nr_rows; i++)
		keys[i] = (struct causes_key){waits->rows[i].location,
			tables_path(export, waits->rows[i].path), waits->rows[i].pattern, i};
	qsort(keys, waits->nr_rows, sizeof(*keys), key_compare);
	for (size_t i = 0; i < waits->nr_rows; i++)
		write_sum(export, &keys[i]);
	measure_free(keys);
}

/* -------------------------------------------------------------------------- delays --- */

static void write_delay(struct tables_export *export, const struct causes_key *key)
{
	const struct measure_delay_row *delay =
		&export->conversion->waits->root_causes->delays.rows[key->row];
	tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

	TABLES_CELL(row, DELAYS, LOCATION) = tables_index(key->location);
	TABLES_CELL(row, DELAYS, PATH) = tables_index(key->path);
	TABLES_CELL(row, DELAYS, CLASS) = tables_text(measure_wait_patterns[delay->pattern].word);
	TABLES_CELL(row, DELAYS, SHORT_NS) = tables_length(export, delay->short_term);
	TABLES_CELL(row, DELAYS, LONG_NS) = tables_length(export, delay->long_term);
	tables_add(export->writer, TABLES_DELAYS, row);
}

static void write_delays(struct tables_export *export)
{
	const struct measure_delays *delays = &export->conversion->waits->root_causes->delays;
	struct causes_key *keys = measure_zeroed(delays->nr_rows + 1, sizeof(*keys));

	for (size_t i = 0; i < delays->nr_rows; i++)
		keys[i] = (struct causes_key){delays->rows[i].location,
			tables_path(export, delays->rows[i].path), delays->rows[i].pattern, i};
	qsort(keys, delays->nr_rows, sizeof(*keys), key_compare);
	for (size_t i = 0; i < delays->nr_rows; i++)
		write_delay(export, &keys[i]);
	measure_free(keys);
}

/* ------------------------------------------------------------------- critical path --- */

static void write_critical_path(struct tables_export *export)
{
	const struct measure_critical_path *critical =
		&export->conversion->waits->root_causes->critical;

	for (size_t i = 0; i < critical->nr_segments; i++) {
		const struct measure_path_segment *segment = &critical->segments[i];
		tables_row_t row = {{.kind = TABLES_VALUE_NONE}};

		TABLES_CELL(row, CRITICAL_PATH, START_NS) = tables_time(export, segment->from);
		TABLES_CELL(row, CRITICAL_PATH, END_NS) = tables_time(export, segment->until);
		TABLES_CELL(row, CRITICAL_PATH, LOCATION) = tables_index(segment->location);
		tables_add(export->writer, TABLES_CRITICAL_PATH, row);
	}
}

void tables_write_causes(struct tables_export *export)
{
	if (!export->conversion->waits->root_causes)
		return;
	write_sums(export);
	write_delays(export);
	write_critical_path(export);
}
